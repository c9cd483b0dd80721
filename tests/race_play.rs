//! Races played by agents: in the fewest plays, past opponents that stay in the way, and never in circles.

use crate::support::agents::{agent, decide};
use crate::support::endings::{Ending, alone, boards, ending, endings, race, solved};
use crate::support::plays::legal_plays;
use crate::support::positions::squares;
use halma::agent::Agent;
use halma::game::{Game, Outcome};
use halma::rules::{BLACK, Play, Position, Rules, WHITE, goal, parse_board};
use halma::search::Limits;
use halma::search::race::{Race, estimate};
use halma::support::clock::{Clock, FakeClock, ThreadClock};

/// The number of plays in which `agent` fills its goal from `position` while the opponent passes.
fn plays_taken(agent: &mut dyn Agent, mut position: Position, limits: &Limits, clock: &dyn Clock) -> u32 {
    let side = position.to_move();
    for plays in 0..100 {
        if position.has_filled_goal(side) {
            return plays;
        }
        let play = agent.decide(&position, limits, clock, None).expect("a play").play;
        position = alone(&position, play);
    }
    panic!("stalled:\n{position}");
}

#[test]
fn the_engine_finishes_in_the_fewest_plays() {
    let mut engine = agent("mcts");
    let (mut fewest_in_all, mut taken_in_all) = (0, 0);
    let chosen: Vec<Ending> = endings().into_iter().step_by(5).collect();
    for Ending { position, fewest, .. } in &chosen {
        let taken = plays_taken(engine.as_mut(), *position, &Limits::iterations(4000), &FakeClock::new());
        assert!(taken <= fewest + 2, "{taken} plays instead of {fewest}:\n{position}");
        fewest_in_all += fewest;
        taken_in_all += taken;
    }
    assert!(taken_in_all <= fewest_in_all + chosen.len() as u32 / 10, "{taken_in_all} for {fewest_in_all}");
}

#[test]
fn agents_follow_the_line_they_have() {
    let longest = endings().into_iter().max_by_key(|ending| ending.fewest).expect("endings").position;
    for spec in ["mcts", "alphabeta"] {
        let mut agent = agent(spec);
        let first = decide(agent.as_mut(), &longest, 4000);
        let plays = solved(&race(&longest), &boards(3400)).length();
        let next = alone(&longest, first.play);
        // Without time, no other line is found.
        let limits = Limits { planned: Some(0.0), ..Limits::iterations(8) };
        let taken = plays_taken(agent.as_mut(), next, &limits, &FakeClock::new());
        assert_eq!(taken + 1, plays, "{spec}");
    }
}

/// The engine wins soon even when its opponent stays in the way, and even with few iterations.
#[test]
fn passive_opponents_are_passed() {
    for (opponent, iterations) in [("homebody", 500), ("shuffler", 500), ("homebody", 64), ("shuffler", 64)] {
        let mut agents = ["mcts", opponent].map(agent);
        let mut position = Position::default();
        let mut plies = 0;
        while position.outcome().is_none() && plies < 240 {
            let mover = agents[position.to_move().index()].as_mut();
            position.play(decide(mover, &position, iterations).play);
            plies += 1;
        }
        assert_eq!(position.outcome(), Some(Outcome::Win(BLACK)), "{opponent}, {iterations}:\n{position}");
    }
}

/// According to the estimate, White needs far fewer plays than Black. But the armies are still in contact. In the game
/// that this board comes from, White played as if Black's pieces stood still, and lost.
#[test]
fn a_lead_before_the_armies_have_passed_is_not_a_race() {
    let board = "\
................
................
....W...........
...BBB..........
..BB............
.BBBWBBW........
.....BWB..W.....
.....WW..BWW....
.....B.WBWBW....
.....BB..W......
....B.....WWW...
..........W..W..
...........W....
................
................
................";
    let pieces = parse_board(board.lines()).expect("a board");
    let position = Position::new(pieces, WHITE, Rules::Addendum);
    assert!(estimate(&position, BLACK) - estimate(&position, WHITE) > 6.0, "a clear lead");
    for spec in ["mcts", "uct", "alphabeta"] {
        let report = decide(agent(spec).as_mut(), &position, 1500).report;
        assert!(report.race.is_none(), "{spec}");
    }
}

/// Black is far behind, but one of its pieces steps back and forth where White may jump over it, so that White's
/// shortest line changes at every play.
#[test]
fn a_piece_that_steps_to_and_fro_does_not_delay_the_win() {
    let line = "WHITE | 0 | found | 5,4 7,4 0,5 5,8 7,10 12,10 13,11 15,11 14,12 15,12 10,13 13,13 15,13 12,14 \
                13,14 15,14 13,15 14,15 15,15 | 0,0 2,0 3,0 4,0 0,1 2,1 3,1 5,1 0,2 2,2 4,2 0,3 1,3 2,3 5,3 0,4 \
                4,5 6,5 7,6";
    for (spec, iterations) in [("mcts", 4000), ("mcts", 40_000), ("alphabeta", 4000)] {
        let mut engine = agent(spec);
        let mut position = ending(line).position;
        let to_and_fro = ["5,4 5,6", "5,6 5,4"].map(|play| play.parse::<Play>().expect("a play"));
        let mut plays = 0;
        while position.outcome().is_none() {
            assert!(plays < 30, "{spec}, {iterations}:\n{position}");
            position.play(decide(engine.as_mut(), &position, iterations).play);
            plays += 1;
            if position.outcome().is_none() {
                let all = legal_plays(&position);
                let play = to_and_fro.into_iter().find(|play| all.contains(play));
                position.play(play.unwrap_or(all[0]));
            }
        }
        assert_eq!(position.outcome(), Some(Outcome::Win(WHITE)));
    }
}

/// An opponent's piece that never left its camp fills a hole.
#[test]
fn a_goal_is_filled_around_an_opponents_piece() {
    let holes = squares("15,15 14,11 11,14");
    let black = goal(BLACK) & !holes | squares("9,11 12,8 8,8");
    let position = Position::new([black, squares("15,15 14,1")], BLACK, Rules::Original);
    assert_eq!(Race::new(&position, BLACK), None);
    let race = Race::against_frozen(&position, BLACK).expect("enough pieces");
    let solution = solved(&race, &Limits::default());
    assert!(solution.is_proved());
    let last = solution.line.iter().fold(position, |at, &play| alone(&at, play));
    assert!(last.has_filled_goal(BLACK));
    let mut engine = agent("mcts");
    let taken = plays_taken(engine.as_mut(), position, &Limits::iterations(2000), &FakeClock::new());
    assert!(taken <= solution.length() + 1, "{taken} plays instead of {}", solution.length());
}

/// Plays all endings with `SECONDS` CPU seconds a move:
/// `SPEC=mcts SECONDS=0.1 cargo test --release --test engine -- --ignored --nocapture endings_by_time`.
#[test]
#[ignore = "takes minutes and depends on the machine"]
fn endings_by_time() {
    let setting = |name: &str, default: &str| std::env::var(name).unwrap_or(default.to_string());
    let mut engine = agent(&setting("SPEC", "mcts"));
    let mut limits = Limits::cpu(setting("SECONDS", "0.1").parse().expect("seconds"));
    limits.stop_when_settled = true;
    let mut over = [0; 8];
    for (number, Ending { position, fewest, proved }) in endings().iter().enumerate() {
        let taken = plays_taken(engine.as_mut(), *position, &limits, &ThreadClock);
        over[(taken.saturating_sub(*fewest)).min(7) as usize] += 1;
        if taken != *fewest {
            println!("ending {number}: {taken} plays, {fewest} in the file, proved: {proved}");
        }
    }
    println!("endings by plays beyond the fewest known: {over:?}");
}
