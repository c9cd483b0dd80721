//! The plots of a match, as SVG whose colours the page's style replaces by its own.

use super::contest::{Contest, DecisionFigures, ListedGame};
use super::words::{minus, percent, percents};
use crate::figures::plot::{Area, Drawing, Figure, letters, plain};
use crate::play::matches::Contestant;
use crate::stats::{Estimate, Hypotheses, PairCounts};
use anyhow::{Result, anyhow};
use plotters::prelude::*;
use std::ops::Range;

// The style (`page/plots.css`) knows the parts of a plot by these colours.
const COLOURS: [RGBColor; 2] = [RGBColor(47, 111, 222), RGBColor(224, 118, 47)];
const NEUTRAL: RGBColor = RGBColor(154, 154, 154);
const GRID: RGBColor = RGBColor(226, 226, 226);
const TEXT: RGBColor = RGBColor(85, 85, 85);

/// The size of a plot.
const SIZE: (u32, u32) = (Figure::WIDTH, 240);
/// The most points of a line.
const MOST_POINTS: usize = 240;
/// The most groups of plies.
const GROUPS: usize = 40;
/// The most points of a line that are told in words.
const TOLD: usize = 6;

/// A plot with its title, what it shows, and its figures in words.
fn figure(title: &str, about: &str, told: String, svg: String) -> Figure {
    Figure { title: title.to_string(), about: about.to_string(), told, width: SIZE.0, svg }
}

/// Some points of the lines of A and of B in words, each point by `word`.
fn told(lines: &[Vec<(f64, f64)>; 2], word: impl Fn(&(f64, f64)) -> String) -> String {
    let of = |(name, line): (&str, &Vec<(f64, f64)>)| {
        let step = line.len().div_ceil(TOLD).max(1);
        let points: Vec<String> = line.iter().step_by(step).map(&word).collect();
        (!points.is_empty()).then(|| format!("{name}: {}", points.join(", ")))
    };
    ["A", "B"].into_iter().zip(lines).filter_map(of).collect::<Vec<_>>().join("; ")
}

/// A line or a set of bars.
enum Layer {
    Line(Vec<(f64, f64)>, RGBColor),
    Dashes(Vec<(f64, f64)>, RGBColor),
    Dots(Vec<(f64, f64)>, RGBColor),
    /// The outline of an area.
    Band(Vec<(f64, f64)>, RGBColor),
    /// Left end, right end, bottom, top.
    Bars(Vec<[f64; 4]>, RGBColor),
}

/// A drawing's axes.
struct Axes {
    x: Range<f64>,
    y: Range<f64>,
    x_label: &'static str,
    y_label: &'static str,
}

/// All plots for which `contest` has something to show.
///
/// # Errors
/// A plot can't be drawn.
pub(super) fn plots(contest: &Contest) -> Result<Vec<Figure>> {
    let games = &contest.games;
    let plots = [
        running_score(contest).transpose(),
        log_likelihood_ratio(contest).transpose(),
        lengths(games).transpose(),
        by_ply(games, "CPU time", "Mean milliseconds of a decision, by ply.", "ms", |one| one.seconds * 1e3)
            .transpose(),
        by_ply(games, "Iterations", "Mean iterations of a decision, by ply.", "", |one| {
            one.iterations as f64
        })
        .transpose(),
        foresight(games).transpose(),
        calibration(games).transpose(),
    ];
    plots.into_iter().flatten().collect()
}

/// Draws `layers`, the first one at the back.
fn draw(axes: Axes, layers: Vec<Layer>) -> Result<String> {
    plain(SIZE, |root| paint(root, axes, layers).map_err(|error| anyhow!("a plot can't be drawn: {error}")))
}

fn paint(root: &Area<'_>, axes: Axes, layers: Vec<Layer>) -> Drawing {
    let mut chart = ChartBuilder::on(root)
        .margin(6)
        .margin_right(14)
        .x_label_area_size(44)
        .y_label_area_size(if axes.y_label.is_empty() { 50 } else { 66 })
        .build_cartesian_2d(axes.x, axes.y)?;
    chart
        .configure_mesh()
        .light_line_style(TRANSPARENT)
        .bold_line_style(GRID)
        .axis_style(GRID)
        .label_style(letters(14, TEXT))
        .axis_desc_style(letters(14, TEXT))
        .x_labels(6)
        .y_labels(5)
        .x_label_formatter(&|x| minus(short(*x)))
        .y_label_formatter(&|y| minus(short(*y)))
        .x_desc(axes.x_label)
        .y_desc(axes.y_label)
        .draw()?;
    for layer in layers {
        match layer {
            Layer::Line(points, colour) => {
                chart.draw_series(LineSeries::new(points, colour.stroke_width(2)))?;
            }
            Layer::Dashes(points, colour) => {
                chart.draw_series(DashedLineSeries::new(points, 6, 4, colour.stroke_width(2)))?;
            }
            Layer::Dots(points, colour) => {
                chart.draw_series(points.into_iter().map(|at| Circle::new(at, 3, colour.filled())))?;
            }
            Layer::Band(outline, colour) => {
                chart.draw_series([Polygon::new(outline, colour.mix(0.16).filled())])?;
            }
            Layer::Bars(bars, colour) => {
                let bar = |[from, to, low, high]: [f64; 4]| {
                    Rectangle::new([(from, low), (to, high)], colour.filled())
                };
                chart.draw_series(bars.into_iter().map(bar))?;
            }
        }
    }
    Ok(())
}

/// A number as briefly as an axis needs it.
fn short(number: f64) -> String {
    match number.abs() {
        0.0 => "0".to_string(),
        1e6.. => format!("{}M", number / 1e6),
        1e4.. => format!("{}k", number / 1e3),
        10.0.. => format!("{number:.0}"),
        0.1.. => format!("{}", (number * 100.0).round() / 100.0),
        _ => format!("{}", (number * 1e4).round() / 1e4),
    }
}

/// A's score after each pair, with its 95 % interval.
fn running_score(contest: &Contest) -> Result<Option<Figure>> {
    let pairs: &[u8] = contest.count.as_ref().map_or(&[], |count| &count.half_points);
    if pairs.len() < 2 {
        return Ok(None);
    }
    let step = pairs.len().div_ceil(MOST_POINTS);
    let mut counts = PairCounts::default();
    let mut points = Vec::new();
    for (number, &half_points) in (1..).zip(pairs) {
        counts.add(half_points, 0);
        if number % step == 0 || number == pairs.len() {
            points.push((2.0 * number as f64, Estimate::of(counts)));
        }
    }
    let score = points.iter().map(|&(x, estimate)| (x, estimate.score)).collect();
    let upper = points.iter().map(|&(x, estimate)| (x, estimate.score_interval.to));
    let lower = points.iter().rev().map(|&(x, estimate)| (x, estimate.score_interval.from));
    let band = upper.chain(lower).collect();
    // The first pairs have so wide an interval that it would squeeze the others.
    let settled = points.iter().skip(points.len() / 5).map(|(_, estimate)| estimate.score_interval);
    let (low, high) = settled.fold((0.45f64, 0.55f64), |(low, high), at| (low.min(at.from), high.max(at.to)));
    let x = 0.0..2.0 * pairs.len() as f64;
    let even = Layer::Line(vec![(x.start, 0.5), (x.end, 0.5)], NEUTRAL);
    let axes =
        Axes { x, y: (low - 0.02).max(0.0)..(high + 0.02).min(1.0), x_label: "games", y_label: "score of A" };
    let svg = draw(axes, vec![even, Layer::Band(band, COLOURS[0]), Layer::Line(score, COLOURS[0])])?;
    let about = "A's score as the games came in, with its 95 % interval.";
    let word = |(games, estimate): &(f64, Estimate)| {
        format!("after {games} games {}, {}", percent(estimate.score), percents(estimate.score_interval))
    };
    let some = points.iter().rev().step_by(points.len().div_ceil(TOLD)).map(word);
    let told = format!("A's score: {}", some.collect::<Vec<_>>().join("; "));
    Ok(Some(figure("Score", about, told, svg)))
}

/// The sequential test's log-likelihood ratio after each pair, with the bounds at which it ends.
fn log_likelihood_ratio(contest: &Contest) -> Result<Option<Figure>> {
    let Some(sprt) = contest.summary.as_ref().and_then(|summary| summary.sprt) else { return Ok(None) };
    let pairs: &[u8] = contest.count.as_ref().map_or(&[], |count| &count.half_points);
    if pairs.is_empty() {
        return Ok(None);
    }
    let step = pairs.len().div_ceil(MOST_POINTS);
    let mut counts = PairCounts::default();
    let mut line = vec![(0.0, 0.0)];
    for (number, &half_points) in (1..).zip(pairs) {
        counts.add(half_points, 0);
        if number % step == 0 || number == pairs.len() {
            line.push((2.0 * number as f64, sprt.hypotheses.log_likelihood_ratio(counts)));
        }
    }
    let (low, high) = sprt.hypotheses.bounds();
    let (least, most) = line.iter().fold((low, high), |(least, most), &(_, y)| (least.min(y), most.max(y)));
    let x = 0.0..2.0 * pairs.len() as f64;
    let across = |y: f64| vec![(x.start, y), (x.end, y)];
    let layers = vec![
        Layer::Line(across(0.0), NEUTRAL),
        Layer::Dashes(across(high), COLOURS[0]),
        Layer::Dashes(across(low), COLOURS[1]),
        Layer::Line(line, TEXT),
    ];
    let Hypotheses { elo0, elo1, .. } = sprt.hypotheses;
    let [ratio, high, low] = [sprt.llr, high, low].map(|ratio| minus(format!("{ratio:+.2}")));
    let [lower, higher] = [elo0, elo1].map(|elo| minus(format!("{elo:+} Elo")));
    let told = format!(
        "Log-likelihood ratio {ratio} after {} games; at {high} the test accepts {higher}, at {low} {lower}",
        2 * pairs.len()
    );
    let margin = 0.06 * (most - least);
    let axes = Axes { x, y: least - margin..most + margin, x_label: "games", y_label: "LLR" };
    let about = format!(
        "The sequential test's log-likelihood ratio; it ends at the upper dashes ({higher} accepted) or the lower ones \
         ({lower})."
    );
    Ok(Some(figure("SPRT", &about, told, draw(axes, layers)?)))
}

/// How long games were, by who won.
fn lengths(games: &[ListedGame]) -> Result<Option<Figure>> {
    let (Some(least), Some(most)) =
        (games.iter().map(|game| game.plies).min(), games.iter().map(|game| game.plies).max())
    else {
        return Ok(None);
    };
    let widths = [1, 2, 5, 10, 20, 25, 50, 100, 200, 500];
    let width = widths.into_iter().find(|width| (most - least) / width < 24).unwrap_or(1000);
    let first = least / width * width;
    let mut tops = vec![0.0; (most - first) / width + 1];
    let mut layers = Vec::new();
    let winners = [(Some(Contestant::A), COLOURS[0]), (Some(Contestant::B), COLOURS[1]), (None, NEUTRAL)];
    for (winner, colour) in winners {
        let mut counts = vec![0.0; tops.len()];
        for game in games.iter().filter(|game| game.winner == winner) {
            counts[(game.plies - first) / width] += 1.0;
        }
        let bar = |(bin, (low, count)): (usize, (&f64, &f64))| {
            let from = (first + bin * width) as f64;
            let gap = width as f64 * 0.06;
            [from + gap, from + width as f64 - gap, *low, low + count]
        };
        let bars = tops.iter().zip(&counts).enumerate().filter(|(_, (_, count))| **count > 0.0).map(bar);
        layers.push(Layer::Bars(bars.collect(), colour));
        tops.iter_mut().zip(counts).for_each(|(top, count)| *top += count);
    }
    let x = first as f64..(first + tops.len() * width) as f64;
    let y = 0.0..tops.iter().copied().fold(1.0, f64::max) * 1.06;
    let axes = Axes { x, y, x_label: "plies", y_label: "games" };
    let about = "How long the games were, and who won them; drawn ones in grey.";
    let mean = games.iter().map(|game| game.plies as f64).sum::<f64>() / games.len() as f64;
    let told = format!("{} games of {least} to {most} plies, {mean:.1} on average", games.len());
    Ok(Some(figure("Length", about, told, draw(axes, layers)?)))
}

/// The mean of each of some groups of numbers.
struct Means {
    sums: Vec<(f64, f64)>,
}

impl Means {
    fn new(groups: usize) -> Means {
        Means { sums: vec![(0.0, 0.0); groups] }
    }

    fn add(&mut self, group: usize, number: f64) {
        let (sum, count) = &mut self.sums[group];
        *sum += number;
        *count += 1.0;
    }

    /// Each group that is not empty, with its mean.
    fn points(&self) -> impl Iterator<Item = (f64, f64)> {
        let groups = self.sums.iter().enumerate().filter(|(_, (_, count))| *count > 0.0);
        groups.map(|(group, (sum, count))| (group as f64, sum / count))
    }
}

/// Every decision of `who`, with the game it is part of.
fn decisions(games: &[ListedGame], who: Contestant) -> impl Iterator<Item = (&ListedGame, &DecisionFigures)> {
    games.iter().flat_map(move |game| {
        let of_them = game.decisions.iter().filter(move |one| one.who == who);
        of_them.map(move |one| (game, one))
    })
}

/// The mean of `number` over decisions, by ply, for both.
fn by_ply(
    games: &[ListedGame],
    title: &'static str,
    about: &'static str,
    y_label: &'static str,
    number: impl Fn(&DecisionFigures) -> f64,
) -> Result<Option<Figure>> {
    let plies = games.iter().map(|game| game.plies).max().unwrap_or(0);
    let width = plies.div_ceil(GROUPS).max(1);
    let lines = Contestant::BOTH.map(|who| {
        let mut means = Means::new(plies / width + 1);
        decisions(games, who).for_each(|(_, one)| means.add(one.ply / width, number(one)));
        means.points().map(|(group, y)| ((group + 0.5) * width as f64, y)).collect::<Vec<_>>()
    });
    let most = lines.iter().flatten().map(|&(_, y)| y).fold(0.0, f64::max);
    if most == 0.0 {
        return Ok(None);
    }
    let axes = Axes { x: 0.0..plies as f64, y: 0.0..most * 1.06, x_label: "ply", y_label };
    let told = told(&lines, |(ply, mean)| format!("{} at ply {ply:.0}", short(*mean)));
    let told = format!("{about} {told}");
    Ok(Some(figure(title, about, told, draw(axes, both(lines))?)))
}

/// A line for A and one for B.
fn both(lines: [Vec<(f64, f64)>; 2]) -> Vec<Layer> {
    lines.into_iter().zip(COLOURS).map(|(line, colour)| Layer::Line(line, colour)).collect()
}

/// How well each side predicted the result in the course of a game.
fn foresight(games: &[ListedGame]) -> Result<Option<Figure>> {
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
        return Ok(None);
    }
    let even = Layer::Line(vec![(0.0, 0.5), (100.0, 0.5)], NEUTRAL);
    let y_label = "winner's expected score";
    let axes = Axes { x: 0.0..100.0, y: 0.0..1.02, x_label: "per cent of the game", y_label };
    let about = "What each side expected the later winner to score, in the course of the game.";
    let told = told(&lines, |(part, y)| format!("{} after {part:.0} % of the game", percent(*y)));
    let told = format!("Expected for the later winner by {told}");
    let layers = [even].into_iter().chain(both(lines)).collect();
    Ok(Some(figure("Foresight", about, told, draw(axes, layers)?)))
}

/// Expected scores against the scores of the games.
fn calibration(games: &[ListedGame]) -> Result<Option<Figure>> {
    const PARTS: usize = 10;
    let mut layers = vec![Layer::Line(vec![(0.0, 0.0), (1.0, 1.0)], NEUTRAL)];
    let mut lines = [Vec::new(), Vec::new()];
    for who in Contestant::BOTH {
        let (mut said, mut came) = (Means::new(PARTS), Means::new(PARTS));
        for (game, one) in decisions(games, who) {
            let Some(value) = one.value else { continue };
            let expected = (1.0 + f64::from(value)) / 2.0;
            let part = ((expected * PARTS as f64) as usize).min(PARTS - 1);
            said.add(part, expected);
            came.add(part, game.points(who));
        }
        let points: Vec<_> = said.points().zip(came.points()).map(|((_, x), (_, y))| (x, y)).collect();
        if !points.is_empty() {
            let colour = COLOURS[who as usize];
            layers.push(Layer::Line(points.clone(), colour));
            layers.push(Layer::Dots(points.clone(), colour));
            lines[who as usize] = points;
        }
    }
    if layers.len() == 1 {
        return Ok(None);
    }
    let axes = Axes { x: 0.0..1.0, y: -0.02..1.02, x_label: "expected score", y_label: "score" };
    let about = "What games brought when a side expected so much; the grey line is the truth told.";
    let told = told(&lines, |(x, y)| format!("{} expected, {} scored", percent(*x), percent(*y)));
    Ok(Some(figure("Calibration", about, told, draw(axes, layers)?)))
}
