//! Time management: early and late in a game, for every amount of time left, and over whole games in which each search
//! uses up its limit.

use crate::support::positions::{play_game, random_source};
use halma::agent::time::{Machine, Mode, Situation};
use halma::game::Game;
use halma::rules::{BLACK, Position};
use halma::search::Limits;
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;

/// The situation at the side's play number `own_play` in a typical game of 82 plays a side: some choice at first, then
/// ten plays that the camp rule nearly forces, then the middle, then the last holes.
fn typical(own_play: usize, mode: Mode, seconds_left: f64) -> Situation {
    let legal_plays = match own_play {
        0..10 => 50,
        10..20 => 7,
        20..62 => 150,
        _ => 60,
    };
    let own_plays_to_race = 72usize.saturating_sub(own_play) as f64;
    let opponent_at_home = own_play < 30;
    Situation { mode, seconds_left, seconds_used: 0.001, legal_plays, own_plays_to_race, opponent_at_home }
}

fn limits(situation: &Situation) -> Limits {
    situation.limits(&Machine::default())
}

/// The maximum CPU seconds of a move.
fn cpu(limits: Limits) -> f64 {
    limits.cpu.unwrap_or(0.0)
}

fn seconds(own_play: usize, mode: Mode, seconds_left: f64) -> f64 {
    cpu(limits(&typical(own_play, mode, seconds_left)))
}

/// The seconds left of `total` after each play of the side, if each search takes 3 % longer than its limit and each
/// start of the program takes its usual time. Stops when time runs out.
fn spend(total: f64, situations: impl Iterator<Item = Situation>) -> Vec<f64> {
    let mut left = total;
    let mut course = vec![total];
    for situation in situations {
        let situation = Situation { seconds_left: left, ..situation };
        left -= Machine::default().startup_seconds + cpu(limits(&situation)) * 1.03;
        course.push(left);
        if left <= 0.0 {
            break;
        }
    }
    course
}

/// Black's situations in a whole game.
fn game(seed: u64) -> Vec<Situation> {
    let mut situations = Vec::new();
    let start = Position::default();
    play_game(start, 600, 0.1, &mut random_source(seed), &mut |position, play| {
        if position.to_move() == BLACK && play.is_some() {
            situations.push(Situation::of(position, Mode::Game, 1.0, 0.001));
        }
    });
    situations
}

#[test]
fn a_single_move_takes_most_of_the_time() {
    for own_play in [0, 15, 40, 80] {
        let used = seconds(own_play, Mode::Single, 30.0);
        assert!((27.0..28.0).contains(&used), "{used} of 30 s");
        assert!(seconds(own_play, Mode::Single, 300.0) > 270.0);
        assert!(seconds(own_play, Mode::Single, 0.1) > 0.08);
    }
    assert_eq!(limits(&typical(40, Mode::Single, 30.0)).planned, None);
}

#[test]
fn no_move_takes_more_than_an_hour() {
    assert_eq!(seconds(40, Mode::Single, 1e300), 3600.0);
    assert_eq!(seconds(40, Mode::Game, f64::MAX), 3600.0);
}

#[test]
fn without_a_choice_nothing_is_searched() {
    for mode in [Mode::Single, Mode::Game] {
        for legal_plays in [0, 1] {
            let situation = Situation { legal_plays, ..typical(40, mode, 300.0) };
            let Limits { iterations, cpu, .. } = limits(&situation);
            assert_eq!((iterations, cpu), (Some(64), None));
        }
    }
}

/// The seconds that a move without time may search a race.
fn race(situation: Situation) -> f64 {
    let Limits { cpu, planned, iterations, .. } = limits(&situation);
    assert_eq!((cpu, iterations), (None, Some(64)), "{situation:?}");
    planned.expect("a time")
}

#[test]
fn without_time_a_race_takes_little() {
    for seconds_left in [0.0005, 0.001, 0.004, 0.01, 0.02] {
        let single = race(typical(75, Mode::Single, seconds_left));
        let game = race(typical(75, Mode::Game, seconds_left));
        let left = (seconds_left - 0.001).max(0.0);
        assert_eq!(single > 0.0, left > 0.0);
        assert!(single <= 0.2 * left && game <= 0.11 * single, "{single} and {game} of {seconds_left} s");
    }
    // While the opponent is at home, time is kept for the starts of a long game.
    let at_home = |seconds_left| {
        let near = typical(75, Mode::Game, seconds_left);
        race(Situation { opponent_at_home: true, own_plays_to_race: 0.0, ..near })
    };
    assert!(at_home(0.39) == 0.0 && at_home(0.43) > 0.001, "{} and {}", at_home(0.39), at_home(0.43));
}

#[test]
fn a_choice_of_few_plays_takes_less_time() {
    let with = |legal_plays| cpu(limits(&Situation { legal_plays, ..typical(40, Mode::Game, 300.0) }));
    assert!(with(2) < 0.2 * with(30));
    assert!(with(5) < 0.5 * with(30));
    assert!(with(10) < with(11));
    assert_eq!(with(11), with(300));
}

#[test]
fn every_scale_of_time_left_is_handled() {
    for own_play in [0, 40, 80] {
        for left in [300.0, 100.0, 5.0, 0.1] {
            let game = seconds(own_play, Mode::Game, left);
            assert!(game < 0.1 * left, "{game} of {left} s at {own_play}");
            assert!(left < 1.0 || game > left / 400.0, "{game} of {left} s at {own_play}");
        }
        for left in [0.02, 0.01, 0.001, 1e-9] {
            for mode in [Mode::Single, Mode::Game] {
                assert_eq!(seconds(own_play, mode, left), 0.0, "{left} s");
            }
        }
    }
    // Even with little time, the last plays are still searched.
    assert!((0.001..0.003).contains(&seconds(80, Mode::Game, 0.2)));
    assert!((0.005..0.021).contains(&seconds(40, Mode::Single, 0.025)));
    assert_eq!(seconds(40, Mode::Game, 0.02), 0.0);
}

#[test]
fn a_typical_game_uses_most_of_its_time_before_the_race() {
    let mut left = 300.0;
    let mut spent = Vec::new();
    for own_play in 0..72 {
        spent.push(limits(&typical(own_play, Mode::Game, left)).planned.unwrap_or_default());
        left -= spent[own_play];
    }
    let between = |from: usize, to: usize| spent[from..to].iter().sum::<f64>();
    let used = between(0, 72);
    assert!((0.75 * 300.0..0.95 * 300.0).contains(&used), "{used} s");
    assert!(between(42, 72) > 1.3 * between(0, 30), "{} of {used} s", between(42, 72));
    assert!(between(10, 20) < 0.7 * between(20, 30));
}

#[test]
fn an_unstable_choice_may_take_twice_the_planned_time() {
    let middle = limits(&typical(40, Mode::Game, 300.0));
    assert_eq!(middle.cpu.unwrap(), 2.0 * middle.planned.unwrap());
    // Late in a game, the limit is at most a tenth of the time left.
    let late = limits(&typical(72, Mode::Game, 300.0));
    assert!(late.planned < late.cpu && late.cpu.unwrap() <= 0.1 * 300.0);
}

/// Matches end in a draw after 200 plays by each side.
#[test]
fn a_game_never_runs_out_however_long_it_gets() {
    for (total, own_plays) in [(300.0, 200), (100.0, 200), (20.0, 200), (5.0, 200), (1.0, 150)] {
        let course = spend(total, (0..own_plays).map(|own_play| typical(own_play, Mode::Game, 0.0)));
        assert_eq!(course.len(), own_plays + 1, "of {total} s");
        let left = course[own_plays];
        assert!(left > 0.0, "{left} s of {total} after {own_plays} plays");
    }
    // Time does not run out even if the race has seemed near since the start.
    let near = |_| Situation { own_plays_to_race: 0.0, ..typical(60, Mode::Game, 0.0) };
    for total in [300.0, 5.0] {
        let course = spend(total, (0..120).map(near));
        assert!(course[120] > 0.0, "{} s of {total}", course[120]);
    }
}

#[test]
fn a_short_game_survives_slow_process_starts() {
    const START: f64 = 0.0025;
    const OWN_PLAYS: usize = 110;
    for total in [0.3, 0.32, 0.35, 0.4, 0.5, 0.7, 1.0, 2.0] {
        let mut left = total;
        for own_play in 0..OWN_PLAYS {
            let limits = limits(&typical(own_play, Mode::Game, left));
            // A race lasts some 20 plays. Before that, a move without time is a few iterations.
            let race = limits.planned.filter(|_| limits.cpu.is_none() && own_play + 20 >= OWN_PLAYS);
            left -= START + cpu(limits) * 1.03 + race.unwrap_or(0.0);
            assert!(left > 0.0, "{total} s run out after own play {own_play}");
        }
    }
    // With a little more time than the starts cost, the first plays are still searched.
    assert!(seconds(0, Mode::Game, 0.5) > 0.0);
}

#[test]
fn played_games_leave_little_time_unused() {
    for seed in 1..6 {
        let game = game(seed);
        assert!((60..200).contains(&game.len()), "{} own plays", game.len());
        let course = spend(300.0, game.iter().copied());
        let left = course[game.len()];
        assert!((0.1..150.0).contains(&left), "{left} s left after {} own plays", game.len());
        let longer = game.iter().chain(game.iter().rev().cycle().take(220 - game.len()));
        assert!(spend(300.0, longer.copied()).last().is_some_and(|&left| left > 0.0));
    }
}

#[test]
fn playdata_takes_at_most_three_per_cent_of_the_search() {
    let machine = Machine::default();
    for seconds in [0.0, 0.001, 0.3, 10.0, 300.0] {
        let nodes = machine.nodes_to_save(&Limits::cpu(seconds));
        assert!(nodes as f64 * machine.playdata_node_seconds <= 0.03 * seconds);
    }
    assert_eq!(machine.nodes_to_save(&Limits::cpu(1.0)), 12_500);
}

fn random_situation(rng: &mut Xoshiro256PlusPlus) -> Situation {
    Situation {
        mode: if rng.random() { Mode::Single } else { Mode::Game },
        // Times of every size.
        seconds_left: 10f64.powf(rng.random_range(-6.0..5.0)),
        seconds_used: 10f64.powf(rng.random_range(-4.0..1.0)),
        legal_plays: rng.random_range(0..300),
        own_plays_to_race: rng.random_range(0.0..120.0),
        opponent_at_home: rng.random(),
    }
}

fn random_machine(rng: &mut Xoshiro256PlusPlus) -> Machine {
    Machine {
        startup_seconds: rng.random_range(1e-4..0.1),
        clock_read_seconds: rng.random_range(1e-8..1e-5),
        iterations_per_second: rng.random_range(1e3..1e7),
        playdata_node_seconds: rng.random_range(1e-7..1e-4),
    }
}

#[test]
fn a_move_never_takes_more_than_the_time_left_and_with_more_time_no_less() {
    let (mut rng, mut searched) = (random_source(1), 0);
    for _ in 0..4000 {
        let (situation, machine) = (random_situation(&mut rng), random_machine(&mut rng));
        let limits = situation.limits(&machine);
        if let Some(seconds) = limits.cpu {
            assert!(seconds > 0.0 && (1..=1024).contains(&limits.clock_every), "{situation:?}, {machine:?}");
            let reserve = situation.seconds_left * 0.08 + machine.startup_seconds;
            let planned = situation.seconds_used + seconds + reserve;
            assert!(planned < situation.seconds_left, "{situation:?}, {machine:?}");
            searched += 1;
        }
        let more = situation.seconds_left * rng.random_range(1.0..3.0);
        let richer = Situation { seconds_left: more, ..situation };
        assert!(cpu(richer.limits(&machine)) >= cpu(limits), "{more} s: {situation:?}, {machine:?}");
    }
    assert!(searched > 1000, "{searched}");
}
