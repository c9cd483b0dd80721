//! The engine as an agent, in one process: its decisions are legal, in time and repeatable, and it reuses
//! its tree.

use crate::support::positions::{play_game, random_source, scattered};
use crate::support::samples::Sample;
use halma::agent::time::Machine;
use halma::agent::{Agent, Decision, NoLegalPlay, SavedGame, parse};
use halma::game::{Game, Outcome};
use halma::rules::{BLACK, Play, Position, Rules, Square, WHITE, parse_board};
use halma::search::mcts::SavedNode;
use halma::search::race::board_key;
use halma::search::{Limits, Stop};
use halma::support::clock::{Clock, FakeClock};
use rand::RngExt;
use rand::seq::IndexedRandom;
use rand_xoshiro::Xoshiro256PlusPlus;
use std::thread;

/// The most nodes to save.
const NODES: usize = 20_000;

/// The engine that the program `homework` uses.
fn engine(seed: u64) -> Box<dyn Agent> {
    parse("mcts", seed).expect("the default agent")
}

/// How long a decision may take: mostly a millisecond or two, now and then up to twenty.
fn some_milliseconds(rng: &mut Xoshiro256PlusPlus) -> f64 {
    let milliseconds = match rng.random_range(0..100) {
        0..80 => 1.0,
        80..94 => 2.0,
        94..98 => rng.random_range(1.0..10.0),
        _ => rng.random_range(5.0..20.0),
    };
    milliseconds * 1e-3
}

/// The limits of a decision within `seconds`, as `homework` or the laboratory sets them.
fn limits(seconds: f64, rng: &mut Xoshiro256PlusPlus) -> Limits {
    let plain = Limits::cpu(seconds);
    let clock_every = u64::from(Machine::default().iterations_per_clock_read(seconds));
    if rng.random() { plain } else { Limits { clock_every, stop_when_settled: true, ..plain } }
}

/// How decisions kept to their limits.
#[derive(Default)]
struct Timing {
    /// Decisions made.
    decisions: usize,
    /// CPU seconds over the limit, of each decision; negative if there was time left.
    over: Vec<f64>,
}

impl Timing {
    /// Has `agent` decide in `position`, checks what it decides, and takes the time.
    fn decide(
        &mut self,
        agent: &mut dyn Agent,
        position: &Position,
        limits: &Limits,
        clock: &dyn Clock,
    ) -> Option<Play> {
        let start = clock.seconds();
        let decision = agent.decide(position, limits, clock, None);
        let used = clock.seconds() - start;
        self.over.push(used - limits.cpu.expect("a limit"));
        self.decisions += 1;
        match decision {
            Ok(Decision { play, .. }) => {
                assert!(position.is_legal(play), "{play} in\n{position}");
                Some(play)
            }
            Err(NoLegalPlay) => {
                assert_eq!(position.count_plays(), 0, "{position}");
                None
            }
        }
    }
}

/// Makes `decisions` decisions, half in games against noisy greedy play, half with scattered pieces.
fn decide_often(decisions: usize, seed: u64, clock: &dyn Clock) -> Timing {
    let mut rng = random_source(seed);
    let mut agent = engine(seed);
    let mut timing = Timing::default();
    let mut position = Position::initial(BLACK, Rules::Addendum);
    while timing.decisions < decisions {
        let seconds = some_milliseconds(&mut rng);
        let limits = limits(seconds, &mut rng);
        if rng.random() {
            timing.decide(agent.as_mut(), &scattered(&mut rng), &limits, clock);
            continue;
        }
        let play = timing.decide(agent.as_mut(), &position, &limits, clock);
        play.into_iter().for_each(|play| position.play(play));
        play_game(position, 1, 0.2, &mut rng, |after, _| position = *after);
        if position.outcome().is_some() || position.count_plays() == 0 {
            let rules = if rng.random() { Rules::Addendum } else { Rules::Original };
            position = Position::initial(BLACK, rules);
        }
    }
    timing
}

/// What 64 iterations take here, the most between two readings of the clock.
const TICK: f64 = 7e-5;

#[test]
fn ten_thousand_decisions_are_legal_and_in_time() {
    let tick = |seed| decide_often(5000, seed, &FakeClock::ticking(TICK)).over;
    let threads: Vec<_> = (1..=2).map(|seed| thread::spawn(move || tick(seed))).collect();
    let mut over: Vec<f64> = Vec::new();
    for thread in threads {
        over.extend(thread.join().expect("no decision fails"));
    }
    assert_eq!(over.len(), 10_000);
    over.sort_by(|a, b| b.total_cmp(a));
    // Every reading moves this clock, also before and after the search; a race reads it most often.
    assert!(over[0] <= 12.0 * TICK, "over their limits by {:?} s", &over[..10]);
    assert!(over[100] <= 6.0 * TICK, "one in a hundred is over its limit by {} s", over[100]);
    assert!(over[5000].abs() <= 6.0 * TICK, "half stop {} s after their limit", over[5000]);
}

/// A middle game under the addendum's rules.
pub fn middle_game() -> Position {
    let mut position = Position::initial(BLACK, Rules::Addendum);
    play_game(position, 50, 0.1, &mut random_source(5), |after, _| position = *after);
    position
}

#[test]
fn the_same_seed_and_iterations_make_the_same_decision() {
    // The clock stands still, so that reports are equal to the last figure.
    let decide = |seed: u64, position: &Position| {
        engine(seed).decide(position, &Limits::iterations(3000), &FakeClock::new(), None).expect("a play")
    };
    let mut rng = random_source(6);
    let mut positions: Vec<Position> = (0..20).map(|_| scattered(&mut rng)).collect();
    positions.retain(|position| position.count_plays() > 1);
    positions.extend([middle_game(), Position::initial(BLACK, Rules::Addendum)]);
    for position in &positions {
        assert_eq!(decide(1, position), decide(1, position), "{position}");
    }
    // Playouts that draw samples depend on the seed; those of the whole army do not.
    let sampled = |seed: u64| {
        let mut agent = parse("mcts(playout=sampled-jump)", seed).expect("a spec");
        agent
            .decide(&middle_game(), &Limits::iterations(3000), &FakeClock::new(), None)
            .expect("a play")
            .report
    };
    assert_eq!(sampled(1), sampled(1));
    assert_ne!(sampled(1), sampled(2));
    assert_eq!(decide(1, &middle_game()), decide(2, &middle_game()));
}

/// The position with `corner` as the rows of the top-left corner, else empty, Black to move.
pub fn cornered(corner: &str) -> Position {
    let mut rows = vec![".".repeat(16); 16];
    rows.iter_mut().zip(corner.split('/')).for_each(|(row, squares)| row.replace_range(..3, squares));
    let pieces = parse_board(rows.iter().map(String::as_str)).expect("a board");
    Position::new(pieces, BLACK, Rules::Addendum)
}

#[test]
fn without_a_choice_no_time_is_spent() {
    let forced = cornered("BWW/W../W..");
    assert_eq!(forced.count_plays(), 1);
    let won = Sample::read(1).position;
    for (position, stop) in [(forced, Stop::Forced), (won, Stop::Proved)] {
        let clock = FakeClock::ticking(TICK);
        let decision = engine(1).decide(&position, &Limits::cpu(100.0), &clock, None).expect("a play");
        assert_eq!((decision.report.stop, decision.report.iterations), (stop, 0));
        assert!(clock.seconds() < 0.01, "{} s", clock.seconds());
    }
    let stuck = cornered("BWW/WW./W.W");
    assert_eq!(engine(1).decide(&stuck, &Limits::cpu(100.0), &FakeClock::new(), None), Err(NoLegalPlay));
}

#[test]
fn the_next_move_reuses_the_tree() {
    let clock = FakeClock::new();
    // Else a race may begin, which is decided without a tree.
    let without_race = || parse("mcts(race=off)", 1).expect("the engine");
    let mut agent = without_race();
    let mut position = middle_game();
    for _ in 0..8 {
        let first = agent.decide(&position, &Limits::iterations(3000), &clock, None).expect("a play");
        let save = agent.save(NODES).expect("a save");
        position.play(first.play);
        assert_eq!(save.before, position);
        // The most visited answer.
        let replies = save.nodes.iter().filter(|node| node.depth == 1);
        let reply = replies.max_by_key(|node| node.visits).expect("a reply");
        position.play(reply.play);
        let mut other = without_race();
        other.restore(save.clone());
        let reused_by = |agent: &mut dyn Agent| {
            let decision = agent.decide(&position, &Limits::iterations(100), &clock, None).expect("a play");
            assert!(position.is_legal(decision.play));
            let visits: u64 = decision.report.candidates.iter().map(|play| u64::from(play.visits)).sum();
            let reused = decision.report.reused;
            // The first visit to a node goes to none of its children.
            assert!(visits + 1 >= 100 + u64::from(reused), "{visits} visits, {reused} reused");
            reused
        };
        assert!(reply.visits > 20);
        assert_eq!(reused_by(other.as_mut()), reply.visits, "as from playdata.txt");
        assert_eq!(reused_by(agent.as_mut()), reply.visits, "as in one process");
        agent.restore(save);
        agent.new_game();
        assert_eq!(reused_by(agent.as_mut()), 0, "a new game begins afresh");
    }
}

#[test]
fn a_side_that_is_ahead_does_not_stall() {
    let (clock, limits) = (FakeClock::new(), Limits::iterations(3000));
    let decide = |position: &Position, boards: Vec<u64>| {
        let mut agent = engine(1);
        agent.restore(SavedGame { before: *position, nodes: Vec::new(), boards });
        agent.decide(position, &limits, &clock, None).expect("a play")
    };
    let mut position = middle_game();
    let (mut ahead, mut behind) = (0, 0);
    for _ in 0..30 {
        let side = position.to_move();
        let first = decide(&position, Vec::new());
        // The race player avoids any board that it knows.
        if first.report.race.is_some() {
            break;
        }
        let mut next = position;
        next.play(first.play);
        let (now, then) = (board_key(&position, side), board_key(&next, side));
        // A board may repeat once, and a side that is behind may stall.
        assert_eq!(decide(&position, vec![then, now]).play, first.play);
        let again = decide(&position, vec![then, now, then, now]);
        if first.report.value.get() <= 0.0 {
            assert_eq!(again.play, first.play);
            behind += 1;
        } else if again.play != first.play {
            let cost = first.report.value.get() - again.report.value.get();
            assert!(position.is_legal(again.play) && cost <= 0.1, "{cost}");
            assert_eq!(again.report.best().map(|best| best.play), Some(again.play));
            ahead += 1;
        }
        position = next;
    }
    assert!(ahead > 5 && behind > 5, "{ahead} {behind}");
}

#[test]
fn the_tree_of_another_game_is_not_reused() {
    let clock = FakeClock::new();
    let mut agent = engine(1);
    agent.decide(&middle_game(), &Limits::iterations(3000), &clock, None).expect("a play");
    assert!(agent.save(NODES).is_some());
    let start = Position::initial(BLACK, Rules::Addendum);
    let second = agent.decide(&start, &Limits::iterations(500), &clock, None).expect("a play");
    let fresh = engine(1).decide(&start, &Limits::iterations(500), &clock, None).expect("a play");
    assert_eq!(second, fresh);
}

/// Gives `node` a value that a sound one would hardly have.
fn strange(node: &mut SavedNode<Play>, rng: &mut Xoshiro256PlusPlus) {
    let square = |rng: &mut Xoshiro256PlusPlus| Square::new(rng.random_range(0..16), rng.random_range(0..16));
    match rng.random_range(0..5) {
        0 => node.depth = *[0, 1, 2, 3, 9, u32::MAX].choose(rng).expect("a depth"),
        1 => node.play = Play::new(square(rng), square(rng)),
        2 => node.visits = *[0, 1, 1000, u32::MAX / 2, u32::MAX].choose(rng).expect("a number"),
        3 => node.mean = *[-1.0, 0.0, 1.0, 1.5, f32::NAN, f32::INFINITY].choose(rng).expect("a mean"),
        _ => {
            let proofs = [None, Some(Outcome::Win(BLACK)), Some(Outcome::Win(WHITE)), Some(Outcome::Draw)];
            node.proof = *proofs.choose(rng).expect("a proof");
        }
    }
}

#[test]
fn no_saved_tree_makes_a_decision_illegal() {
    let clock = FakeClock::new();
    let mut agent = engine(1);
    agent.decide(&middle_game(), &Limits::iterations(2000), &clock, None).expect("a play");
    let sound = agent.save(NODES).expect("a save");
    let mut position = sound.before;
    position.play(sound.nodes[0].play);
    let mut rng = random_source(9);
    let mut reused = 0;
    for _ in 0..3000 {
        let mut save = sound.clone();
        save.nodes.truncate(rng.random_range(1..=save.nodes.len()));
        for _ in 0..rng.random_range(1..4) {
            let length = save.nodes.len();
            // The root and its children are near the front.
            let at = rng.random_range(0..length.min(30));
            match rng.random_range(0..8) {
                0 if length > 1 => drop(save.nodes.remove(at)),
                1 => save.nodes.insert(at, save.nodes[rng.random_range(0..length)]),
                2 => save.nodes.swap(at, length - 1),
                _ => strange(&mut save.nodes[at], &mut rng),
            }
        }
        let mut agent = engine(1);
        agent.restore(save);
        let decision = agent.decide(&position, &Limits::iterations(60), &clock, None).expect("a play");
        assert!(position.is_legal(decision.play));
        reused += usize::from(decision.report.reused > 0);
    }
    assert!((500..2900).contains(&reused), "{reused} memories were taken for true");
}

#[test]
fn a_search_takes_no_more_memory_than_its_limits_say() {
    let nodes = |memory| {
        let limits = Limits { memory, ..Limits::iterations(40_000) };
        let start = Position::initial(BLACK, Rules::default());
        engine(1).decide(&start, &limits, &FakeClock::new(), None).expect("a play").report.nodes
    };
    let (free, bound) = (nodes(None), nodes(Some(1 << 19)));
    assert_eq!(nodes(Some(1 << 40)), free, "more than the parameter allows");
    assert!(bound * 2 < free && bound * 40 <= 1 << 19, "{bound} of {free} nodes");
}
