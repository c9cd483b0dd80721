//! The plots of a match.

use super::contest::{Contest, DecisionFigures, ListedGame};
use super::words::{minus, percent, percents};
use crate::figures::plot::{BORDER, COLOURS, Chart, Figure, INK, Layer, PlotAxis, Point};
use crate::play::matches::PairResult;
use crate::play::record::Contestant;
use crate::stats::{Estimate, Hypotheses, PairCounts};
use anyhow::Result;
use plotters::style::RGBColor;
use std::collections::HashSet;

/// The height of a plot.
const HEIGHT: u32 = 240;
/// The maximum number of points of a line.
const MAX_POINTS: usize = 240;
/// The maximum number of points of a line that averages consecutive plies.
const MAX_GROUPS: usize = 40;
/// The maximum number of points of a line that its description lists.
const MAX_DESCRIBED: usize = 6;

/// The colours of A and B.
const SIDES: [RGBColor; 2] = [COLOURS[0], COLOURS[1]];

/// A line for A and one for B.
type Lines = [Vec<Point>; 2];

/// All plots for which `contest` has data; none for a tuning step, which has too few games.
pub(super) fn plots(contest: &Contest) -> Result<Vec<Figure>> {
    if contest.is_tuning_step() {
        return Ok(Vec::new());
    }
    let games = &contest.games;
    let milliseconds = |one: &DecisionFigures| 1e3 * one.seconds;
    let iterations = |one: &DecisionFigures| one.iterations as f64;
    let plots = [
        running_score(contest),
        log_likelihood_ratio(contest),
        lengths(games),
        by_ply(games, "CPU time", "Mean milliseconds per decision, by ply.", "ms", milliseconds),
        by_ply(games, "Iterations", "Mean iterations per decision, by ply.", "", iterations),
        foresight(games),
        calibration(games),
    ];
    plots.into_iter().flatten().collect()
}

fn figure(title: &str, caption: &str, description: String, chart: &Chart) -> Result<Figure> {
    let words = [title.to_string(), caption.to_string(), description];
    Figure::of(chart, (Figure::WIDTH, HEIGHT), &[], words)
}

/// A few points of each line in words.
fn describe(lines: &Lines, word: impl Fn(&Point) -> String) -> String {
    let of = |(name, line): (&str, &Vec<Point>)| {
        let step = line.len().div_ceil(MAX_DESCRIBED).max(1);
        let points: Vec<String> = line.iter().step_by(step).map(&word).collect();
        (!points.is_empty()).then(|| format!("{name}: {}", points.join(", ")))
    };
    ["A", "B"].into_iter().zip(lines).filter_map(of).collect::<Vec<_>>().join("; ")
}

/// The running counts of distinct pairs at [`MAX_POINTS`] points or fewer, each with the number of games so far.
fn counts_so_far(results: &[PairResult]) -> Vec<(f64, PairCounts)> {
    let step = results.len().div_ceil(MAX_POINTS).max(1);
    let (mut counts, mut seen) = (PairCounts::default(), HashSet::new());
    let mut so_far = Vec::new();
    for (number, result) in (1..).zip(results) {
        if seen.insert(result.games(Contestant::A)) {
            counts.add(result.half_points(Contestant::A));
        }
        if number % step == 0 || number == results.len() {
            so_far.push((2.0 * number as f64, counts));
        }
    }
    so_far
}

/// A horizontal line.
fn across(x: &PlotAxis, y: f64) -> Vec<Point> {
    vec![(x.start(), y), (x.end(), y)]
}

/// A's score after each pair, with its 95 % interval.
fn running_score(contest: &Contest) -> Option<Result<Figure>> {
    let pairs = &contest.count.as_ref()?.results;
    if pairs.len() < 2 {
        return None;
    }
    let points: Vec<(f64, Estimate)> =
        counts_so_far(pairs).into_iter().map(|(x, counts)| (x, Estimate::of(counts))).collect();
    let score = points.iter().map(|(x, estimate)| (*x, estimate.score)).collect();
    let upper = points.iter().map(|(x, estimate)| (*x, estimate.score_interval.to));
    let lower = points.iter().rev().map(|(x, estimate)| (*x, estimate.score_interval.from));
    // The first intervals are so wide that they would squeeze the others.
    let settled = points.iter().skip(points.len() / 5).map(|(_, estimate)| estimate.score_interval);
    let (low, high) = settled.fold((0.45f64, 0.55f64), |(low, high), at| (low.min(at.from), high.max(at.to)));
    let x = PlotAxis::counts(0.0, 2.0 * pairs.len() as f64, 6);
    let y = PlotAxis::round((low - 0.02).max(0.0), (high + 0.02).min(1.0), 5);
    let layers = vec![
        Layer::Line(across(&x, 0.5), BORDER),
        Layer::Band(upper.chain(lower).collect(), SIDES[0]),
        Layer::Line(score, SIDES[0]),
    ];
    let word = |(games, estimate): &(f64, Estimate)| {
        format!("after {games} games {}, {}", percent(estimate.score), percents(estimate.score_interval))
    };
    let some = points.iter().rev().step_by(points.len().div_ceil(MAX_DESCRIBED)).map(word);
    let description = format!("A's score: {}", some.collect::<Vec<_>>().join("; "));
    let chart = Chart::new(x, y, ("games", "score of A"), layers);
    Some(figure("Score", "A's score as the match went on, with its 95 % interval.", description, &chart))
}

/// The log-likelihood ratio of the sequential test after each pair, with the bounds at which it ends.
fn log_likelihood_ratio(contest: &Contest) -> Option<Result<Figure>> {
    let sprt = contest.summary.as_ref()?.sprt?;
    let pairs = &contest.count.as_ref()?.results;
    if pairs.is_empty() {
        return None;
    }
    let ratio = |(x, counts)| (x, sprt.hypotheses.log_likelihood_ratio(counts));
    let line: Vec<Point> =
        [(0.0, 0.0)].into_iter().chain(counts_so_far(pairs).into_iter().map(ratio)).collect();
    let (low, high) = sprt.hypotheses.bounds();
    let (least, most) = line.iter().fold((low, high), |(least, most), &(_, y)| (least.min(y), most.max(y)));
    let x = PlotAxis::counts(0.0, 2.0 * pairs.len() as f64, 6);
    let layers = vec![
        Layer::Line(across(&x, 0.0), BORDER),
        Layer::Dashes(across(&x, high), SIDES[0]),
        Layer::Dashes(across(&x, low), SIDES[1]),
        Layer::Line(line, INK),
    ];
    let Hypotheses { elo0, elo1, scale, .. } = sprt.hypotheses;
    let [ratio, upper, lower] = [sprt.llr, high, low].map(|ratio| minus(format!("{ratio:+.2}")));
    let [elo0, elo1] = [elo0, elo1].map(|elo| minus(format!("{elo:+} {}", scale.unit())));
    let description = format!(
        "Log-likelihood ratio {ratio} after {} games; at {upper} the test accepts {elo1}, at {lower} {elo0}",
        2 * pairs.len()
    );
    let caption = format!(
        "The log-likelihood ratio of the sequential test. At the upper dashed line it accepts {elo1}, at the lower one \
         {elo0}."
    );
    let chart = Chart::new(x, PlotAxis::round(least, most, 5).widened(0.06), ("games", "LLR"), layers);
    Some(figure("SPRT", &caption, description, &chart))
}

/// The lengths of the games, by winner.
fn lengths(games: &[ListedGame]) -> Option<Result<Figure>> {
    let least = games.iter().map(|game| game.plies).min()?;
    let most = games.iter().map(|game| game.plies).max()?;
    let widths = [1, 2, 5, 10, 20, 25, 50, 100, 200, 500];
    let width = widths.into_iter().find(|width| (most - least) / width < 24).unwrap_or(1000);
    let first = least / width * width;
    let mut tops = vec![0.0; (most - first) / width + 1];
    let mut layers = Vec::new();
    let winners = [(Some(Contestant::A), SIDES[0]), (Some(Contestant::B), SIDES[1]), (None, BORDER)];
    for (winner, colour) in winners {
        let mut counts = vec![0.0; tops.len()];
        for game in games.iter().filter(|game| game.winner == winner) {
            counts[(game.plies - first) / width] += 1.0;
        }
        for (bin, (top, count)) in
            tops.iter_mut().zip(counts).enumerate().filter(|(_, (_, count))| *count > 0.0)
        {
            let (from, gap) = ((first + bin * width) as f64, 0.06 * width as f64);
            let sides = [from + gap, from + width as f64 - gap, *top, *top + count];
            layers.push(Layer::Bar(sides, colour.into()));
            *top += count;
        }
    }
    let x = PlotAxis::counts(first as f64, (first + tops.len() * width) as f64, 6);
    let y = PlotAxis::counts(0.0, tops.iter().copied().fold(1.0, f64::max) * 1.06, 5);
    let mean = games.iter().map(|game| game.plies as f64).sum::<f64>() / games.len() as f64;
    let description = format!("{} games of {least} to {most} plies, {mean:.1} on average", games.len());
    let chart = Chart::new(x, y, ("plies", "games"), layers);
    Some(figure("Length", "The lengths of the games, by winner; draws in grey.", description, &chart))
}

/// The mean of each of several groups of numbers.
struct Means(Vec<(f64, f64)>);

impl Means {
    fn new(groups: usize) -> Means {
        Means(vec![(0.0, 0.0); groups])
    }

    fn add(&mut self, group: usize, number: f64) {
        let (sum, count) = &mut self.0[group];
        *sum += number;
        *count += 1.0;
    }

    /// The number and the mean of each group that is not empty.
    fn points(&self) -> impl Iterator<Item = Point> {
        let groups = self.0.iter().enumerate().filter(|(_, (_, count))| *count > 0.0);
        groups.map(|(group, (sum, count))| (group as f64, sum / count))
    }
}

/// The decisions of `who`, each with its game.
fn decisions(games: &[ListedGame], who: Contestant) -> impl Iterator<Item = (&ListedGame, &DecisionFigures)> {
    let all = games.iter().flat_map(|game| game.decisions.iter().map(move |one| (game, one)));
    all.filter(move |(_, one)| one.who == who)
}

/// The mean of `number` over the decisions of each side, by ply. A side whose means are all 0 has no line.
fn by_ply(
    games: &[ListedGame],
    title: &str,
    caption: &str,
    y_name: &str,
    number: impl Fn(&DecisionFigures) -> f64,
) -> Option<Result<Figure>> {
    let plies = games.iter().map(|game| game.plies).max()?;
    let width = plies.div_ceil(MAX_GROUPS).max(1);
    let lines = Contestant::BOTH.map(|who| {
        let mut means = Means::new(plies / width + 1);
        decisions(games, who).for_each(|(_, one)| means.add(one.ply / width, number(one)));
        let line: Vec<Point> = means.points().map(|(group, y)| ((group + 0.5) * width as f64, y)).collect();
        if line.iter().all(|&(_, y)| y == 0.0) { Vec::new() } else { line }
    });
    let most = lines.iter().flatten().map(|&(_, y)| y).fold(0.0, f64::max);
    if most == 0.0 {
        return None;
    }
    let description = describe(&lines, |(ply, mean)| format!("{mean:.3} at ply {ply:.0}"));
    let (x, y) = (PlotAxis::counts(0.0, plies as f64, 6), PlotAxis::round(0.0, most * 1.06, 5));
    let chart = Chart::new(x, y, ("ply", y_name), both(lines).collect());
    Some(figure(title, caption, format!("{caption} {description}"), &chart))
}

fn both(lines: Lines) -> impl Iterator<Item = Layer> {
    lines.into_iter().zip(SIDES).map(|(line, colour)| Layer::Line(line, colour))
}

/// How well each side predicted the result in the course of a game.
fn foresight(games: &[ListedGame]) -> Option<Result<Figure>> {
    const PARTS: usize = 20;
    let lines = Contestant::BOTH.map(|who| {
        let mut means = Means::new(PARTS);
        for (game, one) in decisions(games, who) {
            let (Some(value), Some(winner)) = (one.value, game.winner) else { continue };
            let sign = if winner == who { 1.0 } else { -1.0 };
            let part = (one.ply * PARTS / game.plies.max(1)).min(PARTS - 1);
            means.add(part, (1.0 + sign * f64::from(value)) / 2.0);
        }
        means.points().map(|(part, y)| ((part + 0.5) * 100.0 / PARTS as f64, y)).collect::<Vec<_>>()
    });
    if lines.iter().all(Vec::is_empty) {
        return None;
    }
    let (x, y) = (PlotAxis::round(0.0, 100.0, 6), PlotAxis::round(0.0, 1.02, 5));
    let description = describe(&lines, |(part, y)| format!("{} after {part:.0} % of the game", percent(*y)));
    let description = format!("The winner's expected score according to {description}");
    let layers = [Layer::Line(across(&x, 0.5), BORDER)].into_iter().chain(both(lines));
    let chart = Chart::new(x, y, ("per cent of the game", "winner's expected score"), layers.collect());
    let caption = "The score that each side expected for the eventual winner, over the course of a game.";
    Some(figure("Foresight", caption, description, &chart))
}

/// Expected scores against the results of the games.
fn calibration(games: &[ListedGame]) -> Option<Result<Figure>> {
    const PARTS: usize = 10;
    let lines = Contestant::BOTH.map(|who| {
        let (mut predicted, mut scored) = (Means::new(PARTS), Means::new(PARTS));
        for (game, one) in decisions(games, who) {
            let Some(value) = one.value else { continue };
            let expected = (1.0 + f64::from(value)) / 2.0;
            let part = ((expected * PARTS as f64) as usize).min(PARTS - 1);
            predicted.add(part, expected);
            scored.add(part, game.points(who));
        }
        predicted.points().zip(scored.points()).map(|((_, x), (_, y))| (x, y)).collect::<Vec<_>>()
    });
    if lines.iter().all(Vec::is_empty) {
        return None;
    }
    let description = describe(&lines, |(x, y)| format!("{} expected, {} scored", percent(*x), percent(*y)));
    let mut layers = vec![Layer::Line(vec![(0.0, 0.0), (1.0, 1.0)], BORDER)];
    layers.extend(lines.clone().into_iter().enumerate().map(|(who, points)| Layer::Markers(points, who)));
    layers.extend(both(lines));
    let (x, y) = (PlotAxis::round(0.0, 1.0, 6), PlotAxis::round(-0.02, 1.02, 5));
    let chart = Chart::new(x, y, ("expected score", "score"), layers);
    let caption = "The average result of the games in which a side expected a given score; on the grey line, \
                   predictions come true.";
    Some(figure("Calibration", caption, description, &chart))
}
