//! Strong alpha-beta: without pruning it finds the minimax value, with pruning its proofs are true, and it
//! can be stopped and repeated.

use crate::support::positions::{play_game, random_source, scattered};
use crate::support::tic_tac_toe::TicTacToe;
use halma::agent::{self, Agent};
use halma::game::{Game, Outcome, Player};
use halma::rules::{BLACK, Position, Rules, Square, WHITE};
use halma::search::alphabeta::{Deepening, Guide, Params, Selective, Stopped, Watch, is_proof, plies_to_end};
use halma::search::minimax::{alpha_beta, minimax};
use halma::search::{Limits, Stop};
use halma::star_circle;
use halma::support::clock::FakeClock;
use halma::support::random::mix;
use rand::seq::IndexedRandom;

/// What a won game is worth to plain alpha-beta.
const WON: i64 = 1_000_000_000;

/// A guide that knows an evaluation and the game's own rule of thumb.
#[derive(Clone)]
struct Plain<E>(E);

impl<G: Game, E: Fn(&G, Player) -> i32> Guide<G> for Plain<E> {
    fn evaluate(&mut self, position: &G) -> i32 {
        (self.0)(position, position.to_move())
    }

    fn gain(&self, position: &G, play: G::Play) -> i32 {
        let mut after = position.clone();
        after.play(play);
        -(self.0)(&after, after.to_move()) - (self.0)(position, position.to_move())
    }

    fn gain_error(&self, _: &G) -> i32 {
        100
    }
}

/// The same with a prior that means nothing: it may change the order of plays, and which ones are reduced, but no truth.
struct Misled<E>(Plain<E>);

impl<G: Game, E: Fn(&G, Player) -> i32> Guide<G> for Misled<E> {
    fn evaluate(&mut self, position: &G) -> i32 {
        self.0.evaluate(position)
    }

    fn gain(&self, position: &G, play: G::Play) -> i32 {
        self.0.gain(position, play)
    }

    fn gain_error(&self, position: &G) -> i32 {
        self.0.gain_error(position)
    }

    fn prior_scores(&mut self, position: &G, plays: &[G::Play], scores: &mut Vec<i8>) {
        scores.clear();
        scores.extend((0..plays.len() as u64).map(|place| mix(position.key() ^ place) as i8));
    }
}

fn unlimited() -> impl FnMut() -> bool {
    || false
}

/// Searches to `depth`, one ply more at a time.
fn search<G: Game, D: Guide<G>>(position: &G, guide: D, depth: u8, params: Params) -> Deepening<G, D> {
    let mut search = Deepening::new(guide, params);
    search.start(position);
    let mut is_over = unlimited();
    for depth in 1..=depth {
        let mut watch = Watch { most_nodes: u64::MAX, every: 100, is_over: &mut is_over };
        search.deepen(depth, &mut watch).expect("nothing stops it");
    }
    search
}

/// The value of a search, wins and losses counted as plain alpha-beta does.
fn value<G: Game, D: Guide<G>>(search: &Deepening<G, D>) -> i64 {
    match search.line().expect("it has begun").value {
        value if is_proof(value) => WON * i64::from(value.signum()),
        value => value.into(),
    }
}

/// The value that the plain algorithm finds.
fn plain_value<G: Game>(position: &G, depth: u8, evaluate: impl Fn(&G, Player) -> i32) -> i64 {
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

fn params(selective: bool, table_bytes: usize) -> Params {
    let all = Selective {
        reverse_futility_depth: 3,
        reverse_futility: 2,
        null_move_depth: 2,
        futility: 1,
        late_moves: 2,
        reduction: 16,
        bad_gain: 0,
        most_behind: 3,
    };
    Params { selective: selective.then_some(all), table_bytes, prior_weight: 1, killer: 3, history: 1024 }
}

const SIZES: [usize; 3] = [0, 1 << 10, 1 << 20];

#[test]
fn all_of_tic_tac_toe() {
    let mut rng = random_source(1);
    let no_idea = |_: &TicTacToe, _: Player| 0;
    for round in 0..150 {
        let mut position = TicTacToe::new();
        let mut plays = Vec::new();
        for _ in 0..round % 7 {
            position.legal_plays(&mut plays);
            position.play(*plays.choose(&mut rng).expect("a cell is free"));
            if position.outcome().is_some() {
                break;
            }
        }
        if position.outcome().is_some() {
            continue;
        }
        let truth = plain_value(&position, 9, no_idea);
        for selective in [false, true] {
            let with = params(selective, SIZES[round % 3]);
            let found = search(&position, Plain(no_idea), 9, with);
            assert_eq!(value(&found), truth, "{with:?}\n{position}");
        }
    }
}

#[test]
fn plies_to_the_end_are_counted_right() {
    let no_idea = |_: &TicTacToe, _: Player| 0;
    for (drawing, plies, best) in
        [("XX. OO. ...", 1, 2), ("X.X OO. X.O", 1, 1), ("XO. ... ...", 5, 0), ("XO. OX. X..", 2, 2)]
    {
        let position = TicTacToe::from_drawing(drawing);
        let found = search(&position, Plain(no_idea), 9, params(true, 1 << 16));
        let line = found.line().expect("it has begun");
        assert_eq!((plies_to_end(line.value), line.plays.len()), (Some(plies), plies), "{drawing}");
        assert!(plies > 1 || line.plays[0].0 == best, "{drawing}: {:?}", line.plays);
    }
}

/// The lead in travel, so coarse that many plays are equally good.
fn lead(position: &Position, player: Player) -> i32 {
    position.tally(player.opponent()).distance() - position.tally(player).distance()
}

/// Positions of Halma that are not over and have a play: from games, and scattered.
fn positions(count: usize, seed: u64) -> Vec<Position> {
    let mut rng = random_source(seed);
    let mut positions = Vec::new();
    play_game(Position::initial(BLACK, Rules::Addendum), 250, 0.1, &mut rng, |&position, _| {
        positions.push(position)
    });
    positions = positions.into_iter().step_by(9).collect();
    positions.extend((0..count).map(|_| scattered(&mut rng)));
    positions.retain(|position| position.outcome().is_none() && position.count_plays() > 0);
    positions
}

#[test]
fn in_halma_the_value_is_that_of_plain_alpha_beta() {
    let mut proofs = 0;
    for (index, position) in positions(40, 2).iter().enumerate() {
        for depth in 1..=3 {
            let truth = plain_value(position, depth, lead);
            let with = params(false, SIZES[index % 3]);
            let found = search(position, Misled(Plain(lead)), depth, with);
            if stuck_below(position, depth) {
                continue;
            }
            assert_eq!(value(&found), truth, "depth {depth}, {with:?}\n{position}");
            proofs += usize::from(truth.abs() == WON);
        }
    }
    assert!(proofs > 5, "{proofs} proofs");
}

/// Whether a side may have no play before `depth` plies are played: that is a loss to one search
/// and a leaf to the other.
fn stuck_below(position: &Position, depth: u8) -> bool {
    if depth == 0 || position.outcome().is_some() {
        return false;
    }
    let mut plays = Vec::new();
    position.legal_plays(&mut plays);
    let next = |&play: &_| {
        let mut next = *position;
        next.play(play);
        next
    };
    plays.is_empty() || plays.iter().map(next).any(|next| stuck_below(&next, depth - 1))
}

#[test]
fn in_star_and_circle_the_value_is_that_of_plain_alpha_beta() {
    let mut rng = random_source(3);
    let utility = |position: &star_circle::Position, player| position.utility(player) as i32;
    for round in 0..60 {
        let mut position = star_circle::Position::initial([10, 20, 30, 40, 50, 60, 70, 80]);
        let mut plays = Vec::new();
        for _ in 0..round {
            let before = position;
            position.legal_plays(&mut plays);
            position.play(*plays.choose(&mut rng).expect("a play, if only to pass"));
            if position.outcome().is_some() {
                position = before;
                break;
            }
        }
        for depth in [4, 6] {
            let truth = plain_value(&position, depth, utility);
            let with = params(false, SIZES[round % 3]);
            assert_eq!(value(&search(&position, Plain(utility), depth, with)), truth, "depth {depth}");
        }
    }
}

#[test]
fn proofs_of_the_selective_search_are_true() {
    let (mut won, mut lost) = (0, 0);
    for position in positions(400, 4) {
        let found = search(&position, Misled(Plain(lead)), 4, params(true, 1 << 16));
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
fn a_stopped_search_keeps_what_it_had() {
    for most_nodes in [0, 1, 10, 1000] {
        let mut search = Deepening::new(Plain(lead), params(true, 1 << 16));
        search.start(&Position::initial(WHITE, Rules::Addendum));
        let mut is_over = unlimited();
        let mut watch = Watch { most_nodes, every: 100, is_over: &mut is_over };
        let stopped =
            (1..60).find(|&depth| search.deepen(depth, &mut watch) == Err(Stopped)).expect("it stops");
        let line = search.line().expect("it has begun");
        assert_eq!((search.nodes(), line.depth), (most_nodes, stopped - 1));
        assert_eq!(line.plays[0], search.root_plays()[0].play);
    }
}

fn alphabeta(parameters: &str) -> Box<dyn Agent> {
    agent::parse(&format!("alphabeta({parameters})"), 1).expect("a spec")
}

#[test]
fn the_agent_plays_legally_within_any_number_of_nodes_and_repeats_itself() {
    let clock = FakeClock::new();
    let (mut one, mut other) = (alphabeta("table=1, race=off"), alphabeta("table=1, race=off"));
    for (index, position) in positions(100, 5).iter().enumerate() {
        let nodes = [0, 1, 50, 2000][index % 4];
        let decision = one.decide(position, &Limits::iterations(nodes), &clock, None).expect("a play");
        assert!(position.is_legal(decision.play));
        assert!(decision.report.visited <= nodes);
        assert_eq!(decision.report.best().map(|best| best.play), Some(decision.play));
        assert_eq!(decision.report.principal_variation[0], decision.play);
        assert_eq!(decision.report.candidates.len(), position.count_plays());
        assert_eq!(other.decide(position, &Limits::iterations(nodes), &clock, None), Ok(decision));
    }
}

#[test]
fn the_line_of_best_play_can_be_played() {
    let mut agent = alphabeta("table=1");
    for mut position in positions(50, 6) {
        let limits = Limits::iterations(3000);
        let decision = agent.decide(&position, &limits, &FakeClock::new(), None).expect("a play");
        for play in decision.report.principal_variation {
            assert!(position.is_legal(play), "{play}\n{position}");
            position.play(play);
        }
    }
}

#[test]
fn the_clock_or_the_depth_stops_it() {
    let start = Position::initial(BLACK, Rules::Addendum);
    let clock = FakeClock::ticking(0.01);
    let report = alphabeta("").decide(&start, &Limits::cpu(0.5), &clock, None).expect("a play").report;
    assert_eq!(report.stop, Stop::Time);
    assert!(clock.reads() < 55, "{} reads", clock.reads());
    let early = Limits { stop_when_settled: true, ..Limits::cpu(0.5) };
    let settled =
        alphabeta("").decide(&start, &early, &FakeClock::ticking(0.01), None).expect("a play").report;
    assert!(settled.visited <= report.visited);
    let report = alphabeta("depth=3")
        .decide(&start, &Limits::cpu(0.5), &FakeClock::new(), None)
        .expect("a play")
        .report;
    assert_eq!((report.depth, report.stop), (3, Stop::Forced));
}

#[test]
fn without_a_choice_it_does_not_search() {
    use halma::rules::Bitboard;
    // A piece hemmed in in the corner: one way out, or none.
    let square = |&(x, y): &(u8, u8)| Square::new(x, y);
    let hemmed = |white: &[(u8, u8)]| {
        let white: Bitboard = white.iter().map(square).collect();
        Position::new([Bitboard::EMPTY.with(Square::new(0, 0)), white], BLACK, Rules::Addendum)
    };
    let limits = Limits::cpu(1.0);
    let forced = hemmed(&[(1, 0), (2, 0), (1, 1), (0, 1), (0, 2)]);
    assert_eq!(forced.count_plays(), 1);
    let report =
        alphabeta("table=0").decide(&forced, &limits, &FakeClock::new(), None).expect("a play").report;
    assert_eq!((report.stop, report.visited), (Stop::Forced, 0));
    let stuck = hemmed(&[(1, 0), (2, 0), (1, 1), (2, 2), (0, 1), (0, 2)]);
    assert_eq!(alphabeta("").decide(&stuck, &limits, &FakeClock::new(), None), Err(agent::NoLegalPlay));
}

#[test]
fn a_win_is_made_and_a_loss_is_put_off() {
    let mut rng = random_source(7);
    let mut wins = 0;
    for _ in 0..400 {
        let position = scattered(&mut rng);
        let mut plays = Vec::new();
        position.legal_plays(&mut plays);
        if position.outcome().is_some() || position.winning_play(&plays).is_none() || plays.len() < 2 {
            continue;
        }
        let decision = alphabeta("table=0")
            .decide(&position, &Limits::default(), &FakeClock::new(), None)
            .expect("a play");
        assert_eq!(decision.report.stop, Stop::Proved);
        let mut after = position;
        after.play(decision.play);
        assert_eq!(after.outcome(), Some(Outcome::Win(position.to_move())));
        assert_eq!(decision.report.proof, after.outcome());
        wins += 1;
    }
    assert!(wins > 5, "{wins} wins");
}

#[test]
fn minimax_agrees_on_a_whole_endgame_tree() {
    // The cache of plain minimax makes depth 5 cheap enough with a few pieces on the board.
    let mut rng = random_source(8);
    let few: Vec<Position> = (0..300)
        .map(|_| scattered(&mut rng))
        .filter(|position| position.outcome().is_none() && (1..12).contains(&position.count_plays()))
        .filter(|position| !stuck_below(position, 3))
        .take(8)
        .collect();
    assert!(few.len() > 3);
    for position in few {
        let player = position.to_move();
        let truth = minimax(&position, 4, |leaf| match leaf.outcome() {
            Some(Outcome::Win(winner)) => {
                if winner == player {
                    WON
                } else {
                    -WON
                }
            }
            _ => i64::from(lead(leaf, player)),
        });
        let found = search(&position, Plain(lead), 4, params(false, 1 << 20));
        assert_eq!(value(&found), truth.value, "\n{position}");
    }
}

#[test]
fn bad_parameters_are_refused() {
    for (parameters, expected) in [
        ("depth=0", "expected a whole number from 1 to"),
        ("depth=2.5", "expected a whole number from 1 to"),
        ("table=-1", "expected a whole number from 0 to"),
        ("c=1", "no parameter 'c'"),
    ] {
        let error = agent::parse(&format!("alphabeta({parameters})"), 1).err().expect(parameters).to_string();
        assert!(error.contains(expected), "{error}");
    }
}
