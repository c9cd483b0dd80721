//! The result of a sweep: a row for each setting at each budget, and the best setting.

use super::plan::{Cell, Sweep};
use crate::play::entrant::are_same;
use crate::play::matches::{Count, FirstMover, Work};
use crate::play::record::Contestant;
use crate::runs::text::verification;
use crate::stats::{Best, Interval, MeanScore, PairCounts, Trial, p_not_better};
use serde::Serialize;
use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};

/// A match as seen by one of its agents.
type Side<'a> = (&'a Count, Contestant);

/// One setting at one budget.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SweepRow {
    /// The index of its budget in [`Sweep::budgets`].
    pub budget: usize,
    /// The index of its setting in [`Sweep::settings`].
    pub setting: usize,
    /// Games played.
    pub games: u64,
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
    /// Pairs that repeat an earlier one, play for play. `pairs` leaves them out. The figures from `score` to `los`
    /// leave out a trial only if all of its pairs repeat those of an earlier trial.
    pub repeats: u64,
    /// Pairs that scored 0, ½, 1, 1½ and 2 points.
    pub pairs: PairCounts,
    /// Points per game, 0…1: the mean of the distinct [`trials`](Self::trials).
    pub score: f64,
    /// The 95 % interval of the score.
    pub score_interval: Interval,
    /// The score as an Elo difference; infinite if one side won all points.
    pub elo: f64,
    /// The 95 % interval of the Elo difference.
    pub elo_interval: Interval,
    /// The likelihood, 0…1, that the setting is stronger than its opponents.
    pub los: f64,
    /// Plies per game, including the opening.
    pub mean_plies: f64,
    /// Tree search iterations per move.
    pub mean_iterations: f64,
    /// Alpha-beta or minimax nodes per move.
    pub mean_nodes: f64,
    /// Race boards per move.
    pub mean_boards: f64,
    /// The opponents' tree search iterations per move.
    pub mean_opponent_iterations: f64,
    /// Points per game in each pair of games; if all play each other, the mean over all pairs with the same opening.
    #[serde(skip)]
    pub trials: Vec<Trial>,
}

impl SweepRow {
    /// The row of `setting`. If all play each other, the pairs against different opponents that begin with the same
    /// opening are not independent, so the interval counts their mean as one trial.
    fn of(budget: usize, setting: usize, sides: &[Side<'_>]) -> SweepRow {
        let (mut pairs, mut seen) = (PairCounts::default(), HashSet::new());
        let all = sides.iter().flat_map(|&(count, which)| count.results.iter().map(move |one| (one, which)));
        for (result, which) in all {
            if seen.insert(result.games(which)) {
                pairs.add(result.half_points(which));
            }
        }
        let sum = |count: &dyn Fn(&Side<'_>) -> u64| sides.iter().map(count).sum::<u64>();
        let [losses, draws, wins] = [0, 1, 2]
            .map(|i| sum(&|&(count, which)| count.outcomes[if which == Contestant::A { i } else { 2 - i }]));
        let games = losses + draws + wins;
        let trials = trials(sides);
        let mean = MeanScore::of(&trials);
        let per = |count: u64, of: u64| count as f64 / of.max(1) as f64;
        let per_move = |is_opponent: bool, work: &dyn Fn(&Work) -> u64| {
            let place = |which: &Contestant| *which as usize ^ usize::from(is_opponent);
            let all = sum(&|(count, which)| work(&count.agents[place(which)].work));
            per(all, sum(&|(count, which)| count.agents[place(which)].decisions))
        };
        SweepRow {
            budget,
            setting,
            games,
            wins,
            draws,
            losses,
            repeats: games / 2 - pairs.pairs(),
            pairs,
            score: mean.score,
            score_interval: mean.interval,
            elo: mean.elo(),
            elo_interval: mean.elo_interval(),
            los: mean.los,
            mean_plies: per(sum(&|(count, _)| count.plies as u64), games),
            mean_iterations: per_move(false, &|work| work.iterations),
            mean_nodes: per_move(false, &|work| work.nodes),
            mean_boards: per_move(false, &|work| work.boards),
            mean_opponent_iterations: per_move(true, &|work| work.iterations),
            trials,
        }
    }
}

/// The score in each pair of games, averaged over the `sides` that have played it.
fn trials(sides: &[Side<'_>]) -> Vec<Trial> {
    let number = sides.iter().map(|(count, _)| count.results.len()).max().unwrap_or(0);
    let trial = |pair: usize| {
        let (mut half_points, mut played, mut hasher) = (0, 0, DefaultHasher::new());
        for &(count, which) in sides {
            let Some(result) = count.results.get(pair) else { continue };
            half_points += u32::from(result.half_points(which));
            played += 1;
            result.games(which).hash(&mut hasher);
        }
        Trial { score: f64::from(half_points) / f64::from(4 * played), games: hasher.finish() }
    };
    (0..number).map(trial).collect()
}

/// The result of two settings that played each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pairing {
    /// The index of the budget.
    pub budget: usize,
    /// The index of the first setting.
    pub a: usize,
    /// The index of the second setting.
    pub b: usize,
    /// The first setting's points per game, 0…1.
    pub score: f64,
}

/// The best setting at a budget.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BestSetting {
    /// The budget: `iterations=1000`.
    pub budget: String,
    /// The compared settings: all (`None`), or those with this value of one parameter.
    pub within: Option<String>,
    /// The name of the best setting.
    pub best: String,
    /// Its spec string.
    pub spec: String,
    /// The number of settings compared. If it is 1, nothing was compared.
    pub compared: usize,
    /// Whether all others are ruled out with 95 % confidence at this budget alone.
    pub decided: bool,
    /// The settings that are not ruled out, best first.
    pub contenders: Vec<String>,
    /// An upper bound on the probability of a score this good if no setting were better than the opponent
    /// (Bonferroni's inequality); 1 if the setting equals the opponent, `None` without an opponent.
    pub p_not_better_than_opponent: Option<f64>,
    /// Points per game, 0…1; biased upwards, because the setting is the best of several.
    pub score: f64,
    /// The Elo difference from its opponents.
    pub elo: f64,
    /// The command that tests the best setting with new games: against the next best setting if that is not ruled out
    /// or there is no other opponent, else against the opponent. `None` if all of these are the same agent.
    pub verify: Option<String>,
}

/// The result of a sweep.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SweepResult {
    /// The arguments.
    pub sweep: Sweep,
    /// A row for each setting at each budget, budget by budget.
    pub rows: Vec<SweepRow>,
    /// The first mover's score at each budget; all matches share the same openings.
    pub first_mover: Vec<FirstMover>,
    /// The best setting at each budget, then for each value of a parameter whose values are words.
    pub verdicts: Vec<BestSetting>,
    /// The result of each pairing, if all play each other.
    #[serde(skip)]
    pub pairings: Vec<Pairing>,
}

impl SweepResult {
    /// Whether any pair of games repeats an earlier one.
    pub(crate) fn has_repeats(&self) -> bool {
        self.rows.iter().any(|row| row.repeats > 0)
    }

    /// The result of the sweep whose matches have these counts.
    pub fn of(sweep: &Sweep, counts: &[Count]) -> SweepResult {
        let mut of_settings = vec![vec![Vec::new(); sweep.settings.len()]; sweep.budgets.len()];
        let mut pairings = Vec::new();
        let mut first_mover = vec![PairCounts::default(); sweep.budgets.len()];
        for (Cell { budget, a, b }, count) in sweep.cells().into_iter().zip(counts) {
            first_mover[budget].join(count.first_mover);
            of_settings[budget][a].push((count, Contestant::A));
            let Some(b) = b else { continue };
            of_settings[budget][b].push((count, Contestant::B));
            pairings.push(Pairing { budget, a, b, score: count.pairs.mean() });
        }
        let rows = of_settings.iter().enumerate().flat_map(|(budget, settings)| {
            settings.iter().enumerate().map(move |(setting, sides)| SweepRow::of(budget, setting, sides))
        });
        let rows: Vec<SweepRow> = rows.collect();
        let verdicts = verdicts(sweep, &rows);
        let first_mover = first_mover.into_iter().map(FirstMover::of_same_openings).collect();
        SweepResult { sweep: sweep.clone(), rows, first_mover, verdicts, pairings }
    }
}

/// The best setting at each budget, overall and for each value of the parameter whose values are words.
fn verdicts(sweep: &Sweep, rows: &[SweepRow]) -> Vec<BestSetting> {
    let mut verdicts = Vec::new();
    let words = sweep.axes.iter().position(|axis| axis.numbers().is_none()).filter(|_| sweep.axes.len() > 1);
    for budget in 0..sweep.budgets.len() {
        let here: Vec<&SweepRow> = rows.iter().filter(|row| row.budget == budget).collect();
        verdicts.extend(verdict(sweep, &here, None));
        let Some(axis) = words else { continue };
        for value in &sweep.axes[axis].values {
            let has_value = |row: &&&SweepRow| sweep.settings[row.setting].values.get(axis) == Some(value);
            let some: Vec<&SweepRow> = here.iter().filter(has_value).copied().collect();
            let within = format!("{}={value}", sweep.axes[axis].parameter);
            if some.len() > 1 {
                verdicts.extend(verdict(sweep, &some, Some(within)));
            }
        }
    }
    verdicts
}

fn verdict(sweep: &Sweep, rows: &[&SweepRow], within: Option<String>) -> Option<BestSetting> {
    let trials: Vec<Vec<Trial>> = rows.iter().map(|row| row.trials.clone()).collect();
    // Without an opponent, each game belongs to two settings, so their results are not separate.
    let judged = match sweep.opponent {
        Some(_) => Best::of_separate(&trials),
        None => Best::of(&trials),
    }?;
    let best = rows[judged.best];
    let name = |place: &usize| sweep.name(rows[*place].setting);
    // A setting equal to the opponent can't be better than it, whatever its score.
    let against_opponent = |opponent: &String| {
        let is_opponent = |row: &&SweepRow| are_same(&sweep.settings[row.setting].spec, opponent);
        let others = rows.iter().filter(|row| !is_opponent(row)).count();
        if is_opponent(&best) { 1.0 } else { (p_not_better(best.pairs) * others as f64).min(1.0) }
    };
    let spec = |place: usize| sweep.settings[rows[place].setting].spec.as_str();
    let best_first = |mut places: Vec<usize>| {
        places.sort_by(|&one, &other| rows[other].score.total_cmp(&rows[one].score));
        places
    };
    let contenders = best_first(judged.contenders.clone());
    let [likely, all] =
        [contenders.clone(), best_first((0..rows.len()).collect())].map(IntoIterator::into_iter);
    let mut rivals = likely.map(spec).chain(sweep.opponent.as_deref()).chain(all.map(spec));
    let spec = spec(judged.best);
    let rival = rivals.find(|rival| !are_same(rival, spec));
    let limit = sweep.budgets[best.budget].limit;
    Some(BestSetting {
        verify: rival.map(|rival| verification(spec, rival, limit, &sweep.terms)),
        compared: rows.len(),
        budget: limit.name(),
        within,
        best: name(&judged.best),
        spec: spec.to_string(),
        decided: judged.is_decided(),
        contenders: contenders.iter().map(name).collect(),
        p_not_better_than_opponent: sweep.opponent.as_ref().map(against_opponent),
        score: best.score,
        elo: best.elo,
    })
}
