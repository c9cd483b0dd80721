//! Strong alpha-beta: without selective pruning it finds the minimax value; with pruning, all its proofs are still
//! true. It can be stopped, and equal searches give equal results.

use crate::support::agents::{agent, decide, decide_within};
use crate::support::plays::{after, assert_playable, legal_plays, wander};
use crate::support::positions::{NO_PLAY, ONE_PLAY, cornered, play_game, random_source, scattered};
use crate::support::tic_tac_toe::TicTacToe;
use halma::agent::{Agent, NoLegalPlay};
use halma::game::{Game, Outcome, Player};
use halma::rules::{Position, Rules, WHITE};
use halma::search::alphabeta::{
    Deepening, Guide, Selective, Settings, Stopped, Watch, is_proof, plies_to_end,
};
use halma::search::minimax::alpha_beta;
use halma::search::{Limits, Stop};
use halma::star_circle;
use halma::support::clock::FakeClock;
use halma::support::random::mix;

/// The value of a won game in plain alpha-beta.
const WON: i64 = 1_000_000_000;

/// A guide that uses an evaluation. If `misleads` is set, its prior is meaningless. That may change the order of plays
/// and the reductions, but no proof.
struct Plain<G> {
    evaluation: fn(&G, Player) -> i32,
    misleads: bool,
}

fn plain<G>(evaluation: fn(&G, Player) -> i32) -> Plain<G> {
    Plain { evaluation, misleads: false }
}

fn misleading<G>(evaluation: fn(&G, Player) -> i32) -> Plain<G> {
    Plain { evaluation, misleads: true }
}

impl<G: Game> Guide<G> for Plain<G> {
    fn evaluate(&mut self, position: &G) -> i32 {
        (self.evaluation)(position, position.to_move())
    }

    fn gain(&self, position: &G, play: G::Play) -> i32 {
        let after = after(position, &[play]);
        -(self.evaluation)(&after, after.to_move()) - (self.evaluation)(position, position.to_move())
    }

    fn gain_error(&self, _: &G) -> i32 {
        100
    }

    fn prior_scores(&mut self, position: &G, plays: &[G::Play], scores: &mut Vec<i8>) {
        scores.clear();
        let score = |place| if self.misleads { mix(position.key() ^ place) as i8 } else { 0 };
        scores.extend((0..plays.len() as u64).map(score));
    }
}

/// Searches to `depth`, deepening by one ply at a time.
fn search<G: Game>(position: &G, guide: Plain<G>, depth: u8, settings: Settings) -> Deepening<G, Plain<G>> {
    let mut search = Deepening::new(guide, settings);
    search.start(position);
    let mut is_over = || false;
    for depth in 1..=depth {
        let mut watch = Watch { max_nodes: u64::MAX, every: 100, is_over: &mut is_over };
        search.deepen(depth, &mut watch).expect("nothing stops it");
    }
    search
}

/// The value of a search, with wins and losses counted as in plain alpha-beta.
fn value<G: Game>(search: &Deepening<G, Plain<G>>) -> i64 {
    match search.line().expect("it has begun").value {
        value if is_proof(value) => WON * i64::from(value.signum()),
        value => value.into(),
    }
}

/// The value that plain alpha-beta finds for `position`.
fn plain_value<G: Game>(position: &G, depth: u8, evaluate: fn(&G, Player) -> i32) -> i64 {
    let player = position.to_move();
    let leaf_value = |leaf: &G| match leaf.outcome() {
        Some(Outcome::Draw) => 0,
        Some(Outcome::Win(winner)) if winner == player => WON,
        Some(Outcome::Win(_)) => -WON,
        None if leaf.to_move() == player => evaluate(leaf, player).into(),
        None => -i64::from(evaluate(leaf, player.opponent())),
    };
    alpha_beta(position, depth, leaf_value).value
}

fn params(selective: bool, table_bytes: usize) -> Settings {
    let all = Selective {
        reverse_futility_depth: 3,
        reverse_futility: 2,
        null_move_depth: 2,
        futility: 1,
        late_moves: 2,
        reduction: 16,
        bad_gain: 0,
        max_behind: 3,
    };
    Settings { selective: selective.then_some(all), table_bytes, prior_weight: 1, killer: 3, history: 1024 }
}

const SIZES: [usize; 3] = [0, 1 << 10, 1 << 20];

#[test]
fn tic_tac_toe_is_solved_from_random_positions() {
    let mut rng = random_source(1);
    let no_idea = |_: &TicTacToe, _: Player| 0;
    for round in 0..150 {
        let position = wander(TicTacToe::new(), round % 7, &mut rng);
        let truth = plain_value(&position, 9, no_idea);
        for selective in [false, true] {
            let with = params(selective, SIZES[round % 3]);
            let found = search(&position, plain(no_idea), 9, with);
            assert_eq!(value(&found), truth, "{with:?}\n{position}");
            for root in found.root_plays() {
                let proved = root.value.filter(|&value| is_proof(value));
                let truth = || -plain_value(&after(&position, &[root.play]), 9, no_idea);
                assert!(proved.is_none_or(|proved| WON * i64::from(proved.signum()) == truth()), "{root:?}");
            }
        }
    }
}

#[test]
fn plies_to_the_end_are_counted() {
    let no_idea = |_: &TicTacToe, _: Player| 0;
    let cases: [(&str, usize, &[u8]); 4] = [
        ("XX. OO. ...", 1, &[2]),
        ("X.X OO. X.O", 1, &[1]),
        ("XO. ... ...", 5, &[3, 4, 6]),
        ("XO. OX. X..", 2, &[2, 5, 7, 8]),
    ];
    for (drawing, plies, best) in cases {
        let position = TicTacToe::from_drawing(drawing);
        let found = search(&position, plain(no_idea), 9, params(true, 1 << 16));
        let line = found.line().expect("it has begun");
        assert_eq!((plies_to_end(line.value), line.plays.len()), (Some(plies), plies), "{drawing}");
        assert!(best.contains(&line.plays[0].0), "{drawing}: {:?}", line.plays);
    }
}

/// The lead in distance to the goal, so coarse that many plays are equally good.
fn lead(position: &Position, player: Player) -> i32 {
    position.tally(player.opponent()).distance() - position.tally(player).distance()
}

/// Unfinished positions of Halma with at least one legal play, from games and with scattered pieces.
fn positions(count: usize, seed: u64) -> Vec<Position> {
    let mut rng = random_source(seed);
    let mut positions = Vec::new();
    play_game(Position::default(), 250, 0.1, &mut rng, &mut |&position, _| positions.push(position));
    positions = positions.into_iter().step_by(9).collect();
    positions.extend((0..count).map(|_| scattered(&mut rng)));
    positions.retain(|position| position.winner().is_none() && position.count_plays() > 0);
    positions
}

#[test]
fn in_halma_the_value_equals_that_of_plain_alpha_beta() {
    let (mut proofs, mut deep) = (0, 0);
    let has_few_plays = |position: &Position| position.count_plays() < 12;
    let few = positions(300, 8).into_iter();
    let few = few.filter(|position| has_few_plays(position) && !stuck_below(position, 3)).take(8);
    let positions: Vec<Position> = positions(40, 2).into_iter().chain(few).collect();
    for (index, position) in positions.iter().enumerate() {
        let max_depth = if has_few_plays(position) { 4 } else { 3 };
        for depth in 1..=max_depth {
            let truth = plain_value(position, depth, lead);
            let with = params(false, SIZES[index % 3]);
            let found = search(position, misleading(lead), depth, with);
            if stuck_below(position, depth) {
                continue;
            }
            assert_eq!(value(&found), truth, "depth {depth}, {with:?}\n{position}");
            proofs += usize::from(truth.abs() == WON);
            deep += usize::from(depth == 4);
        }
    }
    assert!(proofs > 5 && deep > 3, "{proofs} proofs, {deep} searches of four plies");
}

/// Whether a side can be left without a play within `depth` plies. Strong alpha-beta counts that as a loss, plain
/// alpha-beta as a leaf.
fn stuck_below(position: &Position, depth: u8) -> bool {
    if position.outcome().is_some() {
        return false;
    }
    let plays = legal_plays(position);
    let below = |play| stuck_below(&after(position, &[play]), depth - 1);
    plays.is_empty() || depth > 1 && plays.into_iter().any(below)
}

#[test]
fn in_star_and_circle_the_value_equals_that_of_plain_alpha_beta() {
    let mut rng = random_source(3);
    let utility = |position: &star_circle::Position, player| position.utility(player) as i32;
    for round in 0..60 {
        let start = star_circle::Position::initial([10, 20, 30, 40, 50, 60, 70, 80]);
        let position = wander(start, round, &mut rng);
        for depth in [4, 6] {
            let truth = plain_value(&position, depth, utility);
            let with = params(false, SIZES[round % 3]);
            assert_eq!(value(&search(&position, plain(utility), depth, with)), truth, "depth {depth}");
        }
    }
}

#[test]
fn proofs_of_the_selective_search_are_true() {
    let (mut won, mut lost) = (0, 0);
    for position in positions(400, 4) {
        let found = search(&position, misleading(lead), 4, params(true, 1 << 16));
        let line = found.line().expect("it has begun");
        let Some(plies) = plies_to_end(line.value).filter(|&plies| plies <= 2) else { continue };
        if stuck_below(&position, plies as u8 + 1) {
            continue;
        }
        let truth = plain_value(&position, plies as u8, |_, _| 0);
        assert_eq!(value(&found), truth, "{plies} plies\n{position}");
        assert_eq!(line.plays.len(), plies);
        (won, lost) = if truth > 0 { (won + 1, lost) } else { (won, lost + 1) };
    }
    assert!(won > 10 && lost > 0, "{won} won, {lost} lost");
}

#[test]
fn a_stopped_search_keeps_its_last_finished_depth() {
    for max_nodes in [0, 1, 10, 1000] {
        let mut search = Deepening::new(plain(lead), params(true, 1 << 16));
        search.start(&Position::initial(WHITE, Rules::Addendum));
        let mut is_over = || false;
        let mut watch = Watch { max_nodes, every: 100, is_over: &mut is_over };
        let stopped =
            (1..60).find(|&depth| search.deepen(depth, &mut watch) == Err(Stopped)).expect("it stops");
        let line = search.line().expect("it has begun");
        assert_eq!((search.nodes(), line.depth), (max_nodes, stopped - 1));
        assert_eq!(line.plays[0], search.root_plays()[0].play);
    }
}

fn alphabeta(parameters: &str) -> Box<dyn Agent> {
    agent(&format!("alphabeta({parameters})"))
}

#[test]
fn the_agent_plays_legally_within_its_nodes_and_repeats_itself() {
    let (mut one, mut other) = (alphabeta("table=1, race=off"), alphabeta("table=1, race=off"));
    let mut racing = alphabeta("table=1");
    for (index, position) in positions(100, 5).iter().enumerate() {
        let nodes = [0, 1, 50, 2000][index % 4];
        let decision = decide(one.as_mut(), position, nodes);
        let report = &decision.report;
        assert!(report.visited <= nodes);
        assert_eq!(report.best().map(|best| best.play), Some(decision.play));
        assert_eq!(report.principal_variation[0], decision.play);
        assert_playable(position, &report.principal_variation);
        assert_playable(position, &decide(racing.as_mut(), position, nodes).report.principal_variation);
        assert_eq!(report.candidates.len(), position.count_plays());
        assert_eq!(decide(other.as_mut(), position, nodes), decision);
    }
}

#[test]
fn the_clock_or_the_depth_stops_the_search() {
    let start = Position::default();
    let decide = |parameters, limits, clock: &FakeClock| {
        alphabeta(parameters).decide(&start, &limits, clock, None).expect("a play").report
    };
    let clock = FakeClock::ticking(0.01);
    let report = decide("", Limits::cpu(0.5), &clock);
    assert_eq!(report.stop, Stop::Time);
    assert!(clock.reads() < 55, "{} reads", clock.reads());
    let early = Limits { stop_when_settled: true, ..Limits::cpu(0.5) };
    let settled = decide("", early, &FakeClock::ticking(0.01));
    assert_eq!(settled.stop, Stop::Settled);
    assert!(settled.visited < report.visited, "{} of {}", settled.visited, report.visited);
    let report = decide("depth=3", Limits::cpu(0.5), &FakeClock::new());
    assert_eq!((report.depth, report.stop), (3, Stop::Depth));
}

#[test]
fn without_a_choice_nothing_is_searched() {
    let decide =
        |corner| alphabeta("table=0").decide(&cornered(corner), &Limits::cpu(1.0), &FakeClock::new(), None);
    const ONE_JUMP: [&str; 3] = ["BWW", "WW.", "W.."];
    for corner in [ONE_PLAY, ONE_JUMP] {
        let report = decide(corner).expect("a play").report;
        assert_eq!((report.stop, report.visited), (Stop::Forced, 0));
    }
    assert_eq!(decide(NO_PLAY), Err(NoLegalPlay));
}

#[test]
fn a_win_in_one_is_played() {
    let mut rng = random_source(7);
    let mut wins = 0;
    for _ in 0..400 {
        let position = scattered(&mut rng);
        let plays = legal_plays(&position);
        if position.outcome().is_some() || position.winning_play(&plays).is_none() || plays.len() < 2 {
            continue;
        }
        let decision = decide_within(alphabeta("table=0").as_mut(), &position, &Limits::default());
        assert_eq!(decision.report.stop, Stop::Proved);
        let won = Some(Outcome::Win(position.to_move()));
        assert_eq!(after(&position, &[decision.play]).outcome(), won);
        assert_eq!(decision.report.proof, won);
        wins += 1;
    }
    assert!(wins > 5, "{wins} wins");
}
