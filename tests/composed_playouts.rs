//! Policies that follow the evaluation, draw plays by progress, or are composed of others, tested on examples that were
//! computed by hand from the papers' definitions.

use crate::support::connect_four::{ConnectFour, Drop};
use crate::support::plays::{after, legal_plays};
use crate::support::positions::{play_game, position, random_source, scattered, squares};
use halma::evaluation::{Evaluation, Fitted, squash};
use halma::game::{Game, Player, Value};
use halma::playout::{
    BoxedPlayout, Corrective, Cutoff, CutoffParameters, Decisive, EpsilonJump, EpsilonJumpParameters,
    ForwardJump, ForwardJumpParameters, GreedyEvaluation, GreedyEvaluationParameters, Mixed, MixedLeaf,
    Mixture, Playout, PlayoutSearch, PlayoutSearchParameters, Quality, Simulation, ToTheEnd,
};
use halma::rules::{BLACK, Play, Position, Rules, WHITE, goal};
use halma::search::minimax::minimax;
use std::collections::HashSet;

/// A score for Black.
struct Score(fn(&Position) -> f32);

impl Evaluation for Score {
    fn score(&mut self, position: &Position, player: Player) -> f32 {
        let score = (self.0)(position);
        if player == BLACK { score } else { -score }
    }
}

fn by(score: fn(&Position) -> f32) -> Box<dyn Evaluation> {
    Box::new(Score(score))
}

/// Black's lead in distance to the goal.
fn lead(position: &Position) -> f32 {
    0.1 * (position.tally(WHITE).distance() - position.tally(BLACK).distance()) as f32
}

/// A black piece that can step in all eight directions and is 20 columns plus rows from its goal, and a white piece
/// that is 18 from its own.
fn in_the_open(to_move: Player) -> Position {
    position(to_move, Rules::Original, "5,5", "14,4")
}

/// A board on which Black's last piece can step from 10,13 into the last hole of its goal, 11,14.
fn before_a_win() -> Position {
    let black = goal(BLACK) & !squares("11,14") | squares("10,13");
    Position::new([black, squares("5,5")], BLACK, Rules::Addendum)
}

/// The square that each play of `position` reaches, and how often the policy chooses that play in 4000 trials.
fn chosen(policy: &mut dyn Playout<Position>, position: &Position) -> Vec<(String, u32)> {
    let mut counts: Vec<(Play, u32)> = legal_plays(position).into_iter().map(|play| (play, 0)).collect();
    for seed in 0..4000 {
        let play = policy.choose(position, &mut Simulation::new(seed)).expect("a play");
        counts.iter_mut().find(|(legal, _)| *legal == play).expect("a legal play").1 += 1;
    }
    counts.into_iter().map(|(play, count)| (play.to.to_string(), count)).collect()
}

/// Asserts that only plays to these squares are chosen, with about these odds.
fn assert_odds(name: &str, counts: &[(String, u32)], odds: &[(&str, f64)]) {
    let sum: f64 = odds.iter().map(|(_, odd)| odd).sum();
    for (to, count) in counts {
        let odd = odds.iter().find(|(square, _)| square == to).map_or(0.0, |(_, odd)| odd / sum);
        let (expected, deviation) = (4000.0 * odd, (4000.0 * odd * (1.0 - odd)).sqrt());
        assert!((f64::from(*count) - expected).abs() <= 4.0 * deviation, "{name}: {to} in {counts:?}");
    }
}

/// The policy's first choice.
fn choice(policy: &mut dyn Playout<Position>, position: &Position) -> Play {
    policy.choose(position, &mut Simulation::new(1)).expect("a play")
}

#[test]
fn epsilon_jump_draws_by_the_softmax_of_progress() {
    let e = f64::exp;
    let by_progress = [
        ("6,6", e(1.0)),
        ("5,6", e(0.5)),
        ("6,5", e(0.5)),
        ("4,6", 1.0),
        ("6,4", 1.0),
        ("4,5", e(-0.5)),
        ("5,4", e(-0.5)),
        ("4,4", e(-1.0)),
    ];
    let sum: f64 = by_progress.iter().map(|(_, odd)| odd).sum();
    let mostly_jumps =
        by_progress.map(|(to, odd)| (to, odd * 0.25 / sum + if to == "6,6" { 0.75 } else { 0.0 }));
    let alike = by_progress.map(|(to, _)| (to, 1.0));
    for (name, epsilon, temperature, odds) in [
        ("always drawn", 1.0, 2.0, &by_progress[..]),
        ("a quarter drawn", 0.25, 2.0, &mostly_jumps[..]),
        ("drawn alike", 1.0, 1000.0, &alike[..]),
        ("never drawn", 0.0, 2.0, &[("6,6", 1.0)][..]),
    ] {
        let parameters = EpsilonJumpParameters { epsilon, temperature, ..EpsilonJumpParameters::default() };
        let mut policy = EpsilonJump::new(parameters, Box::new(Fitted));
        assert_odds(name, &chosen(&mut policy, &in_the_open(BLACK)), odds);
    }
}

#[test]
fn the_greedy_play_is_the_best_of_the_most_advancing_ones() {
    // Columns count 2 and rows −1 for a black piece, so 6,4 is best, 6,5 is the best that advances, and 6,6 advances
    // most.
    let columns = |position: &Position| {
        position
            .pieces(BLACK)
            .into_iter()
            .map(|square| 0.2 * square.x() as f32 - 0.1 * square.y() as f32)
            .sum::<f32>()
    };
    for (width, to) in [(1000, "6,4"), (5, "6,4"), (3, "6,5"), (1, "6,6")] {
        let parameters = GreedyEvaluationParameters { width, ..GreedyEvaluationParameters::default() };
        let mut policy = GreedyEvaluation::new(parameters, by(columns));
        assert_eq!(choice(&mut policy, &in_the_open(BLACK)).to.to_string(), to, "width {width}");
    }
}

#[test]
fn playout_search_finds_the_value_of_minimax() {
    let mut rng = random_source(3);
    let mut positions: Vec<Position> = (0..100).map(|_| scattered(&mut rng)).collect();
    play_game(Position::default(), 160, 0.1, &mut rng, &mut |position, _| positions.push(*position));
    let has_few_plays = |position: &Position| (1..=100).contains(&position.count_plays());
    positions.retain(|position| {
        let mut next = legal_plays(position).into_iter().map(|play| after(position, &[play]));
        let has_few_replies = next.all(|next| next.outcome().is_some() || has_few_plays(&next));
        position.outcome().is_none() && has_few_plays(position) && has_few_replies
    });
    let parameters = PlayoutSearchParameters { width: 100, ..PlayoutSearchParameters::default() };
    let mut policy = PlayoutSearch::new(parameters, Box::new(Fitted));
    let greedy = GreedyEvaluationParameters { width: 1000, ..GreedyEvaluationParameters::default() };
    let mut greedy = GreedyEvaluation::new(greedy, Box::new(Fitted));
    let (mut tried, mut not_greedy) = (0, 0);
    for position in positions.iter().step_by(3) {
        let side = position.to_move();
        let value = |leaf: &Position| (1e6 * Fitted.value(leaf, side).get()) as i64;
        let plays = [choice(&mut greedy, position), choice(&mut policy, position)];
        for (depth, play) in (1..).zip(plays) {
            let of_play = minimax(&after(position, &[play]), depth - 1, |leaf| -value(leaf)).value;
            assert_eq!(
                -of_play,
                minimax(position, depth, value).value,
                "depth {depth}, {play} in\n{position}"
            );
        }
        (tried, not_greedy) = (tried + 1, not_greedy + usize::from(plays[0] != plays[1]));
    }
    assert!(tried > 10 && not_greedy > 0, "{tried}, {not_greedy}");
}

#[test]
fn corrective_replaces_plays_that_lower_the_evaluation() {
    let all_bad: fn(&Position) -> f32 = |position| if position.to_move() == BLACK { 1.0 } else { 0.0 };
    let any = ["6,6", "5,6", "6,5", "4,6", "6,4", "4,5", "5,4", "4,4"].map(|to| (to, 1.0));
    // Three of the eight plays go back; the other five share their probability.
    for (name, score, odds) in
        [("by lead", lead as fn(&Position) -> f32, &any[..5]), ("all bad", all_bad, &any[..])]
    {
        let mut policy = Corrective::new(by(score), at_random(4));
        assert_odds(name, &chosen(&mut policy, &in_the_open(BLACK)), odds);
    }
    let mut policy = Corrective::new(by(all_bad), at_random(4));
    for seed in 0..50 {
        assert_eq!(policy.value(&before_a_win(), &mut Simulation::new(seed)), Value::WIN);
    }
}

/// A policy of uniformly random plays: an ε-jump policy that always draws.
fn at_random(cap: u64) -> BoxedPlayout {
    let parameters = EpsilonJumpParameters { cap, leaving: 0, epsilon: 1.0, temperature: 1000.0 };
    Box::new(EpsilonJump::new(parameters, by(|_| 0.0)))
}

/// A policy that makes the army's furthest jumps.
fn jumps(cap: u64, score: fn(&Position) -> f32) -> BoxedPlayout {
    Box::new(ForwardJump::new(ForwardJumpParameters { cap, leaving: 0 }, by(score)))
}

/// A name, a cutoff, the evaluation's score for Black, and the length and the value of the playout.
type CutoffCase<'a> = (&'a str, CutoffParameters, fn(&Position) -> f32, u64, Value);

#[test]
fn a_cutoff_ends_a_playout_with_a_win_of_the_side_that_leads() {
    let defaults = CutoffParameters { threshold: 0.8, lead: 1000, every: 3, ..CutoffParameters::default() };
    let by_lead = CutoffParameters { threshold: 1.0, ..defaults.clone() };
    // A score of 2 is a value of 0.89, and a score of 1 is a value of 0.71. Each ply gains 2 columns plus rows, so
    // Black is 2 behind after its opponent's plies and level after its own.
    let cases: [CutoffCase; 11] = [
        ("won", defaults.clone(), |_| 2.0, 2, Value::WIN),
        ("lost", defaults.clone(), |_| -2.0, 2, Value::LOSS),
        ("open", defaults.clone(), |_| 1.0, 8, squash(1.0)),
        (
            "a lower threshold",
            CutoffParameters { threshold: 0.7, ..defaults.clone() },
            |_| 1.0,
            2,
            Value::WIN,
        ),
        ("each ply", CutoffParameters { every: 1, ..defaults.clone() }, |_| 2.0, 1, Value::WIN),
        ("each fifth ply", CutoffParameters { every: 5, ..defaults.clone() }, |_| -2.0, 4, Value::LOSS),
        ("never", by_lead.clone(), |_| 20.0, 8, squash(20.0)),
        ("a lead", CutoffParameters { lead: 2, ..by_lead.clone() }, |_| 0.0, 2, Value::LOSS),
        ("no lead", CutoffParameters { lead: 3, ..by_lead.clone() }, |_| 0.0, 8, Value::DRAW),
        (
            "a lead after four",
            CutoffParameters { lead: 2, every: 5, ..by_lead.clone() },
            |_| 0.0,
            4,
            Value::LOSS,
        ),
        ("level at each check", CutoffParameters { lead: 2, every: 2, ..by_lead }, |_| 0.0, 8, Value::DRAW),
    ];
    for (name, parameters, score, plies, expected) in cases {
        let mut policy = Cutoff::new(parameters, by(score), jumps(8, score));
        let mut simulation = Simulation::new(1);
        let value = policy.value(&in_the_open(BLACK), &mut simulation);
        assert_eq!((simulation.plies(), value), (plies, expected), "{name}");
    }
    let mut policy = Cutoff::new(defaults, by(|_| 2.0), jumps(8, |_| 2.0));
    assert_eq!(policy.value(&in_the_open(WHITE), &mut Simulation::new(1)), Value::LOSS);
}

#[test]
fn a_mixed_leaf_is_the_weighted_mean_of_evaluation_and_playout() {
    // The leaf is worth 0.6 to Black, and the end of the playout −0.8.
    for (lambda, expected) in [(0.0, 0.6), (0.25, 0.25), (0.5, -0.1), (1.0, -0.8)] {
        for (side, sign) in [(BLACK, 1.0), (WHITE, -1.0)] {
            let mut policy = MixedLeaf::new(lambda, by(|_| 0.75), jumps(3, |_| -4.0 / 3.0));
            let value = policy.value(&in_the_open(side), &mut Simulation::new(1)).get();
            assert!((value - sign * expected).abs() < 1e-6, "λ = {lambda}: {value}");
        }
    }
}

/// An evaluation that may only be asked about positions that it was prepared for.
#[derive(Default)]
struct Prepared(Vec<Position>);

impl Evaluation for Prepared {
    fn score(&mut self, position: &Position, _: Player) -> f32 {
        assert!(self.0.contains(position));
        0.75
    }

    fn prepares(&self) -> bool {
        true
    }

    fn prepare(&mut self, positions: &[Position]) {
        self.0 = positions.to_vec();
    }
}

#[test]
fn the_leaves_of_a_mixed_leaf_are_evaluated_together() {
    let mut policy = MixedLeaf::new(0.5, Box::new(Prepared::default()), jumps(3, |_| 0.0));
    assert!(policy.prepares());
    let leaves = [BLACK, WHITE].map(in_the_open);
    policy.prepare(&leaves);
    for leaf in leaves {
        let value = policy.value(&leaf, &mut Simulation::new(1)).get();
        assert!((value - 0.3).abs() < 1e-6, "{value}");
    }
}

#[test]
fn a_win_is_graded_by_its_margin_against_the_margins_before() {
    // Black wins with its first play, while White's last piece is still on `white`.
    let leaf = |white, to_move| {
        let black = goal(BLACK) & !squares("11,14") | squares("10,13");
        Position::new([black, squares(white)], to_move, Rules::Addendum)
    };
    let graded = |standardised: f32| 0.2 + 0.8 / (1.0 + (-standardised).exp());
    let mut policy = Quality::new(0.8, Box::new(Decisive::new(jumps(8, |_| 0.0))));
    for (white, standardised) in [
        ("5,5", 0.0),                     // the first margin, 10 more than Black's rest
        ("7,7", 0.0),                     // 14, but 10 alone has no deviation
        ("8,8", 2.0),                     // 16: 4 above the mean of 10 and 14, whose deviation is 2
        ("4,4", -16.0 / 3.0 / 2.494_438), // 8: mean 40/3, deviation √(56/9)
    ] {
        let mut simulation = Simulation::new(1);
        let value = policy.value(&leaf(white, BLACK), &mut simulation).get();
        policy.learn(&simulation);
        assert!((value - graded(standardised)).abs() < 1e-5, "{white}: {value}");
    }
    policy.new_search(&Position::default());
    let lost = policy.value(&leaf("8,8", WHITE), &mut Simulation::new(1)).get();
    assert!((lost + graded(0.0)).abs() < 1e-6, "{lost}");
}

/// Drops stones into one column up to a cap of plies. The position then has this value for the player to move.
struct Column(u8, u64, f32);

impl Playout<ConnectFour> for Column {
    fn choose(&mut self, _: &ConnectFour, simulation: &mut Simulation<Drop>) -> Option<Drop> {
        (simulation.plies() < self.1).then_some(Drop(self.0))
    }

    fn evaluate(&mut self, _: &ConnectFour, _: &mut Simulation<Drop>) -> Value {
        Value::new(self.2)
    }
}

/// The columns of a playout from the empty board, and its value.
fn playout(policy: &mut dyn Playout<ConnectFour>, seed: u64) -> (String, f32) {
    let mut simulation = Simulation::new(seed).recording();
    let value = policy.value(&ConnectFour::default(), &mut simulation).get();
    (simulation.playout_moves().iter().map(|made| made.play.0.to_string()).collect(), value)
}

#[test]
fn mixed_policies_take_turns() {
    let column = |column, cap, value| -> BoxedPlayout<ConnectFour> { Box::new(Column(column, cap, value)) };
    // The plies of the first policy, both caps, the columns of the playout, and its value for the first player.
    for (plies, caps, columns, value) in [
        (1, [4, 4], "2555", 0.5),
        (3, [4, 4], "2225", 0.5),
        (0, [4, 4], "5555", 0.5),
        (3, [2, 4], "22", -0.25),
        (3, [9, 3], "222", -0.5),
    ] {
        let mut policy = Mixed::new(plies, column(2, caps[0], -0.25), column(5, caps[1], 0.5));
        assert_eq!(playout(&mut policy, 1), (columns.to_string(), value), "{plies}, {caps:?}");
    }
    let mut fives = 0;
    for seed in 0..1000 {
        let mut policy = Mixture::new(0.3, column(2, 4, -0.25), column(5, 2, 0.5));
        let (columns, value) = playout(&mut policy, seed);
        assert_eq!((columns.len(), &columns[2..], value), (4, "22", -0.25));
        fives += columns.matches('5').count();
    }
    // 600 of 2000 are expected, with a standard deviation of 20.
    assert!((520..680).contains(&fives), "{fives}");
}

#[test]
fn a_decisive_play_is_always_made() {
    let root = ConnectFour::after(&[3, 0, 3, 0, 3, 0]);
    let inner: [BoxedPlayout<ConnectFour>; 2] = [Box::new(ToTheEnd), Box::new(Column(1, 0, -1.0))];
    for inner in inner {
        let mut policy = Decisive::new(inner);
        for seed in 0..100 {
            let mut simulation = Simulation::new(seed);
            assert_eq!(policy.choose(&root, &mut simulation), Some(Drop(3)));
            assert_eq!((policy.value(&root, &mut simulation), simulation.plies()), (Value::WIN, 1));
        }
    }
    let mut random = Decisive::<ConnectFour>::new(Box::new(ToTheEnd));
    let first = |seed| random.choose(&ConnectFour::default(), &mut Simulation::new(seed));
    let columns: HashSet<u8> = (0..100).filter_map(first).map(|Drop(column)| column).collect();
    assert_eq!(columns.len(), 7);
}
