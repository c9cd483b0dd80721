//! The race: the bound never exceeds the truth, lines are legal and finish, and positions from real
//! endings are finished in the fewest plays.

mod support;

use halma::agent::{self, Agent};
use halma::clock::{Clock, FakeClock, ThreadClock};
use halma::game::{Game, Outcome, Player};
use halma::halma::{BLACK, Bitboard, Play, Position, Rules, Square, WHITE, goal};
use halma::mcts::Limits;
use halma::race::{Effort, Race, Solution, board_hash, estimate, improve, passed, solve};
use rand::RngExt;
use std::collections::HashSet;
use std::fmt::Write;
use support::positions::{play_game, random_source};

/// A position from a game, and the fewest plays that a long search found.
struct Ending {
    position: Position,
    fewest: u32,
    proved: bool,
}

/// Boards of the search that the figures in the file are from.
const LONG: u64 = 500_000;

/// One line for each ending: side to move, fewest plays, whether they are proved, Black's and
/// White's squares.
const ENDINGS: &str = "tests/data/race/endings.txt";

fn endings() -> Vec<Ending> {
    let text = include_str!("data/race/endings.txt");
    text.lines().filter(|line| !line.starts_with('#')).map(ending).collect()
}

fn ending(line: &str) -> Ending {
    let parts: Vec<&str> = line.split(" | ").collect();
    let squares = |text: &str| -> Bitboard {
        text.split(' ').map(|square| square.parse::<Square>().expect("a square")).collect()
    };
    let &[side, fewest, how, black, white] = parts.as_slice() else { panic!("five parts: {line}") };
    let side = if side == "BLACK" { BLACK } else { WHITE };
    let position = Position::new([squares(black), squares(white)], side, Rules::Addendum);
    Ending { position, fewest: fewest.parse().expect("a number"), proved: how == "proved" }
}

fn boards(boards: u64) -> Effort {
    Effort { boards: Some(boards), seconds: None }
}

fn solved(race: &Race, effort: &Effort) -> Solution {
    solve(race, effort, &FakeClock::new()).expect("a way to the goal")
}

/// The position after `play`, the opponent passing.
fn alone(position: &Position, play: Play) -> Position {
    let mut next = *position;
    assert!(next.is_legal(play), "{play} in\n{next}");
    next.play(play);
    Position::new(Player::BOTH.map(|side| next.pieces(side)), position.to_move(), position.rules())
}

/// The plays that `agent` takes from `position` to fill its goal, the opponent passing.
fn plays_taken(agent: &mut dyn Agent, mut position: Position, limits: &Limits, clock: &dyn Clock) -> u32 {
    let side = position.to_move();
    for plays in 0..100 {
        if position.has_filled_goal(side) {
            return plays;
        }
        let play = agent.decide(&position, limits, clock).expect("a play").play;
        position = alone(&position, play);
    }
    panic!("stalled:\n{position}");
}

#[test]
fn endings_are_what_the_file_says() {
    let endings = endings();
    assert_eq!(endings.len(), 200);
    for Ending { position, fewest, .. } in &endings {
        let race = Race::new(position, position.to_move()).expect("a race");
        assert!(passed(position) && (1..=6).contains(&race.outside()));
        assert!(race.plays_needed() <= *fewest);
    }
}

#[test]
fn lines_are_legal_and_finish() {
    for Ending { position, fewest, proved } in endings().iter().step_by(3) {
        let race = Race::new(position, position.to_move()).expect("a race");
        let solution = solved(&race, &boards(500));
        let last = solution.line.iter().fold(*position, |at, &play| alone(&at, play));
        assert!(last.has_filled_goal(position.to_move()));
        assert!(solution.at_least <= *fewest);
        assert!(!proved || solution.plays() >= *fewest);
        assert!(!solution.is_proved() || solution.plays() == *fewest);
    }
}

#[test]
fn the_engine_finishes_in_the_fewest_plays() {
    let mut engine = agent::parse("mcts", 1).expect("the engine");
    let (mut fewest_in_all, mut taken_in_all) = (0, 0);
    let chosen: Vec<Ending> = endings().into_iter().step_by(5).collect();
    for Ending { position, fewest, .. } in &chosen {
        let taken = plays_taken(engine.as_mut(), *position, &Limits::iterations(4000), &FakeClock::new());
        assert!(taken <= fewest + 2, "{taken} plays in place of {fewest}:\n{position}");
        fewest_in_all += fewest;
        taken_in_all += taken;
    }
    assert!(taken_in_all <= fewest_in_all + chosen.len() as u32 / 10, "{taken_in_all} for {fewest_in_all}");
}

/// The fewest plays by trying everything, up to `most`: no bound, no order, no beam.
fn by_brute_force(position: &Position, most: u32) -> Option<u32> {
    let side = position.to_move();
    let mut layer = vec![*position];
    let mut met = HashSet::new();
    let mut plays = Vec::new();
    for depth in 1..=most {
        let mut next = Vec::new();
        for at in &layer {
            at.plays(&mut plays);
            for &play in &plays {
                let after = alone(at, play);
                if after.has_filled_goal(side) {
                    return Some(depth);
                }
                if met.insert(after.hash()) {
                    next.push(after);
                }
            }
        }
        layer = next;
    }
    None
}

#[test]
fn proved_lines_are_as_short_as_brute_force_says() {
    let mut compared = [0; 5];
    for Ending { position, fewest, .. } in endings().iter().filter(|ending| ending.fewest <= 4) {
        let race = Race::new(position, position.to_move()).expect("a race");
        let solution = solved(&race, &Effort::default());
        assert!(solution.is_proved());
        let most = if race.outside() <= 3 { 3 } else { 2 };
        match by_brute_force(position, most) {
            Some(plays) => assert_eq!((solution.plays(), *fewest), (plays, plays)),
            None => assert!(solution.plays() > most),
        }
        compared[*fewest as usize] += 1;
    }
    assert!(compared[1] > 3 && compared[2] > 3 && compared[3] > 3, "{compared:?}");
}

/// A play brings the end nearer by one: so the bound may not fall by two.
#[test]
fn the_bound_never_falls_by_two() {
    let mut rng = random_source(5);
    let (mut compared, mut plays) = (0, Vec::new());
    let mut compare = |position: &Position, race: fn(&Position, Player) -> Option<Race>| {
        let needed = |at: &Position| race(at, position.to_move()).map(|race| race.plays_needed());
        position.plays(&mut plays);
        for &play in &plays {
            if let (Some(before), Some(after)) = (needed(position), needed(&alone(position, play))) {
                assert!(before <= after + 1, "{before}, then {after}: {play} in\n{position}");
                compared += 1;
            }
        }
    };
    for game in 0..20 {
        let start = Position::initial(Player::BOTH[game % 2], Rules::Addendum);
        let noise = [0.05, 0.3][game / 2 % 2];
        play_game(start, 250, noise, &mut rng, |position, _| {
            let mut pieces = Player::BOTH.map(|side| position.pieces(side));
            compare(position, Race::against_statues);
            pieces[position.to_move().opponent().index()] = Bitboard::EMPTY;
            compare(&Position::new(pieces, position.to_move(), position.rules()), Race::solo);
        });
    }
    assert!(compared > 100_000, "{compared} compared");
}

#[test]
fn who_is_mixed_up_has_not_passed() {
    assert!(!passed(&Position::initial(BLACK, Rules::Addendum)));
    let at = |squares: &[(u8, u8)]| squares.iter().map(|&(x, y)| Square::new(x, y)).collect::<Bitboard>();
    let passed = |black: &[(u8, u8)], white: &[(u8, u8)]| {
        passed(&Position::new([at(black), at(white)], BLACK, Rules::Addendum))
    };
    assert!(passed(&[(9, 9), (12, 12)], &[(8, 9), (2, 3)]));
    assert!(!passed(&[(9, 8), (12, 12)], &[(8, 9), (2, 3)]), "on one diagonal");
    assert!(!passed(&[(7, 7), (12, 12)], &[(8, 8), (2, 3)]));
    assert!(!passed(&[(9, 9), (12, 12)], &[(2, 3), (15, 15)]), "one of White's is at home");
    assert!(!passed(&[(5, 5)], &[]), "nobody to pass");
}

#[test]
fn estimates_are_near_the_truth() {
    let endings = endings();
    let off = |ending: &Ending| estimate(&ending.position, ending.position.to_move()) - ending.fewest as f32;
    let mean =
        |part: fn(f32) -> f32| endings.iter().map(|e| part(off(e))).sum::<f32>() / endings.len() as f32;
    let (bias, absolute) = (mean(|off| off), mean(f32::abs));
    println!("off by {bias:+.2} plays on the average, by {absolute:.2} without the sign");
    assert!(bias.abs() < 1.0 && absolute < 1.5, "{bias:+} {absolute}");
}

#[test]
fn a_half_turn_changes_nothing() {
    for Ending { position, .. } in endings().iter().step_by(10) {
        let turned = position.half_turn();
        let race = |position: &Position| Race::new(position, position.to_move()).expect("a race");
        let (here, there) = (solved(&race(position), &boards(300)), solved(&race(&turned), &boards(300)));
        let line: Vec<Play> = there.line.iter().map(|play| play.half_turn()).collect();
        // The border between the halves may lie one diagonal further on, which hardly ever matters.
        assert_eq!((here.plays(), here.line.len()), (there.plays(), line.len()));
        let [a, b] = [(position, position.to_move()), (&turned, turned.to_move())]
            .map(|(at, side)| estimate(at, side));
        assert_eq!(a, b);
    }
}

#[test]
fn effort_is_kept_to() {
    let Ending { position, .. } = endings().into_iter().max_by_key(|ending| ending.fewest).expect("endings");
    let race = Race::new(&position, position.to_move()).expect("a race");
    for most in [200, 1000, 5000] {
        assert!(solved(&race, &boards(most)).boards <= most);
    }
    assert_eq!(solve(&race, &boards(1), &FakeClock::new()), None);
    let clock = FakeClock::ticking(0.01);
    let solution = solve(&race, &Effort { seconds: Some(1.0), boards: None }, &clock).expect("a way");
    assert!((2..=103).contains(&clock.reads()), "{} looks at the clock", clock.reads());
    assert!(solution.boards <= 103 * 8);
}

#[test]
fn a_known_line_gets_no_longer() {
    let mut shorter = 0;
    for Ending { position, .. } in endings().iter().filter(|ending| ending.fewest > 2).step_by(5) {
        let race = |at: &Position| Race::new(at, at.to_move()).expect("a race");
        let clock = FakeClock::new();
        let line = solved(&race(position), &boards(2000)).line;
        let (next, rest) = (alone(position, line[0]), &line[1..]);
        // One board is too little to find anything, so what is known stands.
        let found = improve(&race(&next), rest, &[], &boards(1), &clock).expect("what is known");
        assert_eq!(found.line, rest);
        let found = improve(&race(&next), rest, &[], &boards(100), &clock).expect("what is known");
        assert!(found.plays() <= rest.len() as u32);
        let unaided = solve(&race(&next), &boards(40), &clock);
        shorter += u32::from(unaided.is_none_or(|unaided| unaided.plays() > found.plays()));
        // What does not finish the race is not taken for a line.
        let short = &rest[..rest.len() - 1];
        for wrong in [&line[..], short, &[]] {
            assert_eq!(improve(&race(&next), wrong, &[], &boards(1), &clock).map(|found| found.boards), None);
        }
    }
    assert!(shorter > 0, "40 boards always find as short a line without help");
}

#[test]
fn agents_keep_to_the_line_they_have() {
    let longest = endings().into_iter().max_by_key(|ending| ending.fewest).expect("endings").position;
    for spec in ["mcts", "alphabeta"] {
        let mut agent = agent::parse(spec, 1).expect(spec);
        let first = agent.decide(&longest, &Limits::iterations(4000), &FakeClock::new()).expect("a play");
        let plays = solved(&Race::new(&longest, longest.to_move()).expect("a race"), &boards(3400)).plays();
        let next = alone(&longest, first.play);
        // So few boards that there would be no line at all.
        let taken = plays_taken(agent.as_mut(), next, &Limits::iterations(8), &FakeClock::new());
        assert_eq!(taken + 1, plays, "{spec}");
    }
}

/// Against sides that stay in the way, the engine gets home in reasonable time.
#[test]
fn idlers_are_passed() {
    for (seed, idler) in (1..).zip(["homebody", "shuffler"]) {
        let mut agents = ["mcts", idler].map(|spec| agent::parse(spec, seed).expect(spec));
        let mut position = Position::initial(BLACK, Rules::Addendum);
        let mut plies = 0;
        while position.outcome().is_none() && plies < 240 {
            let mover = position.to_move().index();
            let decision = agents[mover].decide(&position, &Limits::iterations(500), &FakeClock::new());
            let play = decision.expect("a play").play;
            assert!(position.is_legal(play));
            position.play(play);
            plies += 1;
        }
        assert_eq!(position.outcome(), Some(Outcome::Win(BLACK)), "{idler}:\n{position}");
    }
}

/// Black is far behind, but one of its pieces steps to and fro where White might jump over it, so that the
/// shortest way to the goal changes at every play: a game was drawn by that.
#[test]
fn a_piece_that_steps_to_and_fro_is_no_bait() {
    let line = "WHITE | 0 | found | 5,4 7,4 0,5 5,8 7,10 12,10 13,11 15,11 14,12 15,12 10,13 13,13 15,13 12,14 \
                13,14 15,14 13,15 14,15 15,15 | 0,0 2,0 3,0 4,0 0,1 2,1 3,1 5,1 0,2 2,2 4,2 0,3 1,3 2,3 5,3 0,4 \
                4,5 6,5 7,6";
    for (spec, iterations) in [("mcts", 4000), ("mcts", 40_000), ("alphabeta", 4000)] {
        let mut engine = agent::parse(spec, 1).expect(spec);
        let mut position = ending(line).position;
        let to_and_fro = ["5,4 5,6", "5,6 5,4"].map(|play| play.parse::<Play>().expect("a play"));
        let mut plays = 0;
        while position.outcome().is_none() {
            assert!(plays < 30, "{spec}, {iterations}:\n{position}");
            let decision = engine.decide(&position, &Limits::iterations(iterations), &FakeClock::new());
            position.play(decision.expect("a play").play);
            plays += 1;
            if position.outcome().is_none() {
                let mut all = Vec::new();
                position.plays(&mut all);
                let play = to_and_fro.into_iter().find(|play| all.contains(play));
                position.play(play.unwrap_or(all[0]));
            }
        }
        assert_eq!(position.outcome(), Some(Outcome::Win(WHITE)));
    }
}

#[test]
fn no_line_leads_back_to_where_one_has_been() {
    let mut avoided = 0;
    for Ending { position, .. } in endings().iter().filter(|ending| ending.fewest > 2).step_by(20) {
        let side = position.to_move();
        let race = Race::new(position, side).expect("a race");
        let boards = |line: &[Play]| -> Vec<u64> {
            let mut at = *position;
            let next = |play: &Play| {
                at = alone(&at, *play);
                board_hash(&at, side)
            };
            line.iter().map(next).collect()
        };
        let shortest = solved(&race, &self::boards(300));
        // Shut the board after the first play.
        let been = boards(&shortest.line)[0];
        let other = improve(&race, &[], &[been], &self::boards(300), &FakeClock::new()).expect("another way");
        assert!(race.is_finished_by(&other.line) && !boards(&other.line).contains(&been));
        avoided += usize::from(other.line != shortest.line);
    }
    assert!(avoided > 5);
}

/// A piece of the opponent's that never left its camp fills a hole.
#[test]
fn a_goal_with_a_lodger_is_filled_around_it() {
    let lodger = Square::new(15, 15);
    let holes = [lodger, Square::new(14, 11), Square::new(11, 14)];
    let mut black = goal(BLACK);
    holes.into_iter().for_each(|hole| black.toggle(hole));
    let black = black.with(Square::new(9, 11)).with(Square::new(12, 8)).with(Square::new(8, 8));
    let white = Bitboard::EMPTY.with(lodger).with(Square::new(14, 1));
    let position = Position::new([black, white], BLACK, Rules::Original);
    assert_eq!(Race::new(&position, BLACK), None);
    let race = Race::against_statues(&position, BLACK).expect("enough pieces");
    let solution = solved(&race, &Effort::default());
    assert!(solution.is_proved());
    let last = solution.line.iter().fold(position, |at, &play| alone(&at, play));
    assert!(last.has_filled_goal(BLACK));
    let mut engine = agent::parse("mcts", 1).expect("the engine");
    let taken = plays_taken(engine.as_mut(), position, &Limits::iterations(2000), &FakeClock::new());
    assert!(taken <= solution.plays() + 1, "{taken} plays in place of {}", solution.plays());
}

/// How the endings were made: `cargo test --release --test race -- --ignored make_the_endings`.
/// Other versions of the engine come to other endings.
#[test]
#[ignore = "writes the data of the other tests, in some minutes"]
fn make_the_endings() {
    let positions = (1..).filter_map(|seed| from_game(seed, &mut random_source(seed + 1_000_000)));
    write_endings(positions.take(200).map(|position| {
        let found = long_solved(&position);
        Ending { position, fewest: found.plays(), proved: found.is_proved() }
    }));
}

/// The same endings by the search as it is now, where none was proved to be a shortest:
/// `cargo test --release --test race -- --ignored solve_the_endings_again`.
#[test]
#[ignore = "writes the data of the other tests, in some minutes"]
fn solve_the_endings_again() {
    write_endings(endings().into_iter().map(|ending| {
        if ending.proved {
            return ending;
        }
        let found = long_solved(&ending.position);
        let fewest = ending.fewest.min(found.plays());
        Ending { fewest, proved: found.is_proved() || found.at_least >= fewest, ..ending }
    }));
}

/// What the long search finds.
fn long_solved(position: &Position) -> Solution {
    solved(&Race::new(position, position.to_move()).expect("a race"), &boards(LONG))
}

fn write_endings(endings: impl Iterator<Item = Ending>) {
    let mut text = String::from(
        "# One position from each of 200 games of the engine against itself, at most 6 pieces of the side to move\n\
         # outside its goal: side to move | fewest plays found | are they proved | Black | White.\n\
         # cargo test --release --test race -- --ignored make_the_endings\n",
    );
    for Ending { position, fewest, proved } in endings {
        let name = if position.to_move() == BLACK { "BLACK" } else { "WHITE" };
        let how = if proved { "proved" } else { "found" };
        let [black, white] = Player::BOTH.map(|side| position.pieces(side));
        writeln!(text, "{name} | {fewest} | {how} | {black} | {white}").expect("a String");
    }
    std::fs::write(ENDINGS, text).expect("a file in the repository");
}

/// A position of a race with a few pieces outside, from a game of the engine against itself.
fn from_game(seed: u64, rng: &mut impl rand::Rng) -> Option<Position> {
    let mut agent = agent::parse("mcts(inherit=off, race=off)", seed).expect("the engine");
    let mut opening = random_source(seed);
    let mut position = Position::initial(Player::BOTH[seed as usize % 2], Rules::Addendum);
    let mut found = Vec::new();
    let mut plays = Vec::new();
    for ply in 0..400 {
        if position.outcome().is_some() {
            break;
        }
        let race = Race::new(&position, position.to_move());
        if race.is_some_and(|race| (1..=6).contains(&race.outside())) {
            found.push(position);
        }
        position.plays(&mut plays);
        let play = match ply {
            0..8 => plays[opening.random_range(0..plays.len())],
            _ => agent.decide(&position, &Limits::iterations(300), &ThreadClock).expect("a play").play,
        };
        position.play(play);
    }
    (!found.is_empty()).then(|| found[rng.random_range(0..found.len())])
}

/// All endings at so many CPU seconds a move, for the record:
/// `SPEC=mcts SECONDS=0.1 cargo test --release --test race -- --ignored --nocapture endings_by_time`.
#[test]
#[ignore = "takes minutes and depends on the machine"]
fn endings_by_time() {
    let setting = |name: &str, default: &str| std::env::var(name).unwrap_or(default.to_string());
    let mut engine = agent::parse(&setting("SPEC", "mcts"), 1).expect("an agent");
    let mut limits = Limits::cpu(setting("SECONDS", "0.1").parse().expect("seconds"));
    limits.stop_when_settled = true;
    let mut over = [0; 8];
    for (number, Ending { position, fewest, proved }) in endings().iter().enumerate() {
        let taken = plays_taken(engine.as_mut(), *position, &limits, &ThreadClock);
        over[(taken.saturating_sub(*fewest)).min(7) as usize] += 1;
        if taken != *fewest {
            println!("ending {number}: {taken} plays, {fewest} by the file, proved: {proved}");
        }
    }
    println!("endings by plays over the fewest: {over:?}");
}
