//! The engine as an agent: its decisions are legal, in time and repeatable, and it reuses its tree.

use crate::support::agents::{agent, decide, decide_within};
use crate::support::endings::endings;
use crate::support::plays::after;
use crate::support::positions::{
    NO_PLAY, ONE_PLAY, cornered, many_plays, midgame, play_game, random_source, scattered, squares,
};
use crate::support::samples::Sample;
use halma::agent::time::Machine;
use halma::agent::{Agent, Decision, NoLegalPlay, parse};
use halma::game::{Game, Outcome};
use halma::rules::{BLACK, Bitboard, Play, Position, Rules, Square, WHITE, goal};
use halma::search::mcts::SavedNode;
use halma::search::{DecidedBy, Limits, Stop};
use halma::support::clock::{Clock, FakeClock};
use rand::RngExt;
use rand::seq::IndexedRandom;
use rand_xoshiro::Xoshiro256PlusPlus;
use std::cell::Cell;
use std::thread;

/// The maximum number of nodes to save.
const NODES: usize = 20_000;

/// The agent of the program `homework`.
fn engine() -> Box<dyn Agent> {
    agent("mcts")
}

/// The time limit of a decision, in seconds: mostly one or two milliseconds, sometimes up to twenty.
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

/// Makes a decision with `agent` and checks it. Adds to `over` by how many CPU seconds it exceeded its limit.
fn decide_timed(
    agent: &mut dyn Agent,
    position: &Position,
    limits: &Limits,
    clock: &dyn Clock,
    over: &mut Vec<f64>,
) -> Option<Play> {
    let start = clock.seconds();
    let decision = agent.decide(position, limits, clock, None);
    over.push(clock.seconds() - start - limits.cpu.expect("a limit"));
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

/// Makes `decisions` decisions: half in games against noisy forward play, half with scattered pieces. Returns by how much
/// each exceeded its limit, in CPU seconds; negative if time was left.
fn decide_often(decisions: usize, seed: u64, clock: &dyn Clock) -> Vec<f64> {
    let mut rng = random_source(seed);
    let mut agent = parse("mcts", seed).expect("the default agent");
    let mut over = Vec::new();
    let mut position = Position::default();
    while over.len() < decisions {
        let seconds = some_milliseconds(&mut rng);
        let limits = limits(seconds, &mut rng);
        if rng.random() {
            decide_timed(agent.as_mut(), &scattered(&mut rng), &limits, clock, &mut over);
            continue;
        }
        let play = decide_timed(agent.as_mut(), &position, &limits, clock, &mut over);
        play.into_iter().for_each(|play| position.play(play));
        play_game(position, 1, 0.2, &mut rng, &mut |after, _| position = *after);
        if position.outcome().is_some() || position.count_plays() == 0 {
            let rules = if rng.random() { Rules::Addendum } else { Rules::Original };
            position = Position::initial(BLACK, rules);
        }
    }
    over
}

/// A clock that stands still. It cancels the search once [`Clock::is_cancelled`] has been called `last` times.
struct Cancelling {
    asked: Cell<u64>,
    last: u64,
}

impl Clock for Cancelling {
    fn seconds(&self) -> f64 {
        0.0
    }

    fn is_cancelled(&self) -> bool {
        self.asked.set(self.asked.get() + 1);
        self.asked.get() >= self.last
    }
}

#[test]
fn every_search_without_limits_ends_soon_after_it_is_cancelled() {
    let race = endings().into_iter().find(|ending| !ending.proved).expect("a long race").position;
    let dense = many_plays();
    let playout = "mcts(race=off, playout=uniform(cap=100))";
    for (spec, position) in [
        ("mcts", &dense),
        (playout, &dense),
        ("alphabeta", &dense),
        ("minimax(depth=2)", &dense),
        ("minimax(depth=3)", &dense),
        ("mcts", &race),
        ("alphabeta", &race),
    ] {
        for last in [1, 2, 5] {
            let clock = Cancelling { asked: Cell::new(0), last };
            let decision = agent(spec).decide(position, &Limits::default(), &clock, None);
            let Decision { play, report } = decision.expect("a play");
            assert!(position.is_legal(play), "{spec}: {play} in\n{position}");
            let boards = report.race.map_or(0, |race| race.boards);
            let work = [report.iterations, report.visited / 5000, boards / 16];
            assert!(work.iter().all(|&work| work <= 8 * last), "{spec}: {work:?} after {last} checks");
        }
    }
}

/// The assumed seconds between two readings of the clock, during which 64 iterations run.
const TICK: f64 = 7e-5;

#[test]
fn two_thousand_decisions_are_legal_and_in_time() {
    let tick = |seed| decide_often(1000, seed, &FakeClock::ticking(TICK));
    let threads: Vec<_> = (1..=2).map(|seed| thread::spawn(move || tick(seed))).collect();
    let mut over: Vec<f64> = Vec::new();
    for thread in threads {
        over.extend(thread.join().expect("decisions without a panic"));
    }
    over.sort_by(|a, b| b.total_cmp(a));
    // Readings before and after the search also advance this clock. A search of a race reads it most often.
    assert!(over[0] <= 12.0 * TICK, "over the limits by {:?} s", &over[..10]);
    assert!(over[20] <= 6.0 * TICK, "1 % of decisions exceed their limit by {} s or more", over[20]);
    assert!(over[1000].abs() <= 6.0 * TICK, "the median decision stops {} s after its limit", over[1000]);
}

#[test]
fn the_same_seed_and_iterations_make_the_same_decision() {
    // The clock stands still, so reports are equal to the last digit.
    let decision = |spec: &str, seed: u64, position: &Position| {
        let mut agent = parse(spec, seed).expect(spec);
        decide(agent.as_mut(), position, 3000)
    };
    let mut rng = random_source(6);
    let mut positions: Vec<Position> = (0..20).map(|_| scattered(&mut rng)).collect();
    positions.retain(|position| position.count_plays() > 1);
    positions.extend([midgame(), Position::default()]);
    for position in &positions {
        assert_eq!(decision("mcts", 1, position), decision("mcts", 1, position), "{position}");
    }
    // Playouts that draw samples depend on the seed; the default ones do not.
    let sampled = |seed| decision("mcts(playout=sampled-jump)", seed, &midgame());
    assert_eq!(sampled(1), sampled(1));
    assert_ne!(sampled(1), sampled(2));
    assert_eq!(decision("mcts", 1, &midgame()), decision("mcts", 2, &midgame()));
}

#[test]
fn without_a_choice_no_time_is_spent() {
    let won = Sample::read(1).position;
    for (position, stop) in [(cornered(ONE_PLAY), Stop::Forced), (won, Stop::Proved)] {
        let clock = FakeClock::ticking(TICK);
        let decision = engine().decide(&position, &Limits::cpu(100.0), &clock, None).expect("a play");
        assert_eq!((decision.report.stop, decision.report.iterations), (stop, 0));
        assert!(clock.seconds() < 0.01, "{} s", clock.seconds());
    }
    let decision = engine().decide(&cornered(NO_PLAY), &Limits::cpu(100.0), &FakeClock::new(), None);
    assert_eq!(decision, Err(NoLegalPlay));
}

#[test]
fn the_next_move_reuses_the_tree() {
    // The race player is off, because it decides without a tree.
    let without_race = || agent("mcts(race=off)");
    let mut agent = without_race();
    let mut position = midgame();
    for _ in 0..8 {
        let first = decide(agent.as_mut(), &position, 3000);
        let save = agent.save(NODES).expect("a save");
        position.play(first.play);
        assert_eq!(save.before, position);
        let replies = save.nodes.iter().filter(|node| node.depth == 1);
        let reply = replies.max_by_key(|node| node.visits).expect("a reply");
        position.play(reply.play);
        let mut other = without_race();
        other.restore(save.clone());
        let reused_by = |agent: &mut dyn Agent| {
            let report = decide(agent, &position, 100).report;
            let visits: u64 = report.candidates.iter().map(|play| u64::from(play.visits)).sum();
            // The first visit to a node goes to none of its children.
            assert!(visits + 1 >= 100 + u64::from(report.reused), "{visits}, {} reused", report.reused);
            report.reused
        };
        assert!(reply.visits > 20);
        assert_eq!(reused_by(other.as_mut()), reply.visits, "from a save");
        assert_eq!(reused_by(agent.as_mut()), reply.visits, "in one process");
        agent.restore(save);
        agent.new_game();
        assert_eq!(reused_by(agent.as_mut()), 0, "in a new game");
    }
}

/// The networks were trained only on the addendum's plays, so the engine keeps to these, except to win immediately.
#[test]
fn games_by_the_original_rules_are_searched_by_the_addendum() {
    let mut agents = ["mcts", "greedy"].map(agent);
    let (mut position, mut differed, mut to_leave) = (Position::initial(BLACK, Rules::Original), 0, 0);
    while position.outcome().is_none() {
        let play = decide(agents[position.to_move().index()].as_mut(), &position, 64).play;
        if position.to_move() == BLACK {
            let bound = position.with_rules(Rules::Addendum);
            assert!(
                bound.is_legal(play) || after(&position, &[play]).outcome().is_some(),
                "{play}: {position}"
            );
            to_leave += usize::from(bound.must_leave(BLACK));
            let free = decide(agent("mcts(addendum=off)").as_mut(), &position, 64).play;
            differed += usize::from(!bound.is_legal(free));
        }
        position.play(play);
    }
    assert!(to_leave > 10 && differed > 5, "{differed} of {to_leave}");
}

/// A proof under the addendum does not hold under the original rules, where further plays may escape it.
#[test]
fn only_a_win_at_once_is_proved_by_the_original_rules() {
    let win = Some(Outcome::Win(BLACK));
    let decide_by = |rules, black: Bitboard, white: &str| {
        let position = Position::new([black, squares(white)], BLACK, rules);
        let Decision { play, report } = decide(agent("mcts(race=off)").as_mut(), &position, 2000);
        // Under the original rules, too, a proof under the addendum may decide the play.
        assert_eq!(
            (report.decided_by, report.value.get() == 1.0),
            (DecidedBy::Proof, report.proof.is_some())
        );
        (after(&position, &[play]).outcome(), report.proof)
    };
    let full = goal(BLACK) & !squares("11,15");
    for (black, white, by_addendum, by_original) in [
        (full | squares("10,13"), "0,3", (None, win), (None, None)),
        // Under the addendum, the piece at home must leave first.
        (full & !squares("15,15") | squares("10,14 1,1"), "15,15", (None, win), (win, win)),
    ] {
        assert_eq!(decide_by(Rules::Addendum, black, white), by_addendum);
        assert_eq!(decide_by(Rules::Original, black, white), by_original);
    }
}

#[test]
fn the_tree_of_another_game_is_not_reused() {
    let mut agent = engine();
    decide(agent.as_mut(), &midgame(), 3000);
    assert!(agent.save(NODES).is_some());
    let start = Position::default();
    assert_eq!(decide(agent.as_mut(), &start, 500), decide(engine().as_mut(), &start, 500));
}

/// Gives `node` a value that is rare or impossible in a sound tree.
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
fn no_damaged_save_leads_to_an_illegal_play() {
    let mut agent = engine();
    decide(agent.as_mut(), &midgame(), 2000);
    let sound = agent.save(NODES).expect("a save");
    let position = after(&sound.before, &[sound.nodes[0].play]);
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
        let mut agent = engine();
        agent.restore(save);
        reused += usize::from(decide(agent.as_mut(), &position, 60).report.reused > 0);
    }
    assert!((500..2900).contains(&reused), "{reused} of 3000 damaged trees were accepted");
}

#[test]
fn a_search_takes_no_more_memory_than_its_limits_say() {
    let nodes = |memory| {
        let limits = Limits { memory, ..Limits::iterations(40_000) };
        let start = Position::default();
        decide_within(engine().as_mut(), &start, &limits).report.nodes
    };
    let (free, bound) = (nodes(None), nodes(Some(1 << 19)));
    assert_eq!(nodes(Some(1 << 40)), free, "the agent's parameter `memory` is the lower limit of the two");
    assert!(bound * 2 < free && bound * 40 <= 1 << 19, "{bound} of {free} nodes");
}
