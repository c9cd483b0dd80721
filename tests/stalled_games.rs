//! The engine when it is ahead and the game stalls: it repeats no board twice, makes progress, and doubts a win that
//! comes no closer.

use crate::support::agents::{agent, decide};
use crate::support::plays::after;
use crate::support::positions::{midgame, squares};
use halma::agent::SavedGame;
use halma::game::Game;
use halma::rules::{BLACK, Bitboard, Play, Position, Rules, goal};
use halma::search::DecidedBy;

#[test]
fn a_side_that_is_ahead_does_not_stall() {
    let decide_after = |position: &Position, boards: Vec<Bitboard>| {
        let mut agent = agent("mcts");
        agent.restore(SavedGame { before: *position, nodes: Vec::new(), boards });
        decide(agent.as_mut(), position, 3000)
    };
    let mut position = midgame();
    let (mut ahead, mut behind) = (0, 0);
    for _ in 0..30 {
        let side = position.to_move();
        let first = decide_after(&position, Vec::new());
        // The race player avoids every earlier board, so the test ends where the race begins.
        if first.report.race.is_some() {
            break;
        }
        let next = after(&position, &[first.play]);
        let (now, then) = (position.pieces(side), next.pieces(side));
        // A board may repeat once, and a side that is behind may stall.
        assert_eq!(decide_after(&position, vec![then, now]).play, first.play);
        let again = decide_after(&position, vec![then, now, then, now]);
        if first.report.value.get() <= 0.0 {
            assert_eq!(again.play, first.play);
            behind += 1;
        } else if again.play != first.play {
            let cost = first.report.value.get() - again.report.value.get();
            assert!(cost <= 0.1, "{cost}");
            assert_eq!(again.report.best().map(|best| best.play), Some(again.play));
            ahead += 1;
        }
        position = next;
    }
    assert!(ahead > 5 && behind > 5, "{ahead} {behind}");
}

/// A side that is winning by far, and whose army has stood still for four plays, makes progress.
#[test]
fn a_won_game_that_has_stalled_advances() {
    let spec = "mcts(race=off)";
    let mut agents = [spec, "homebody"].map(agent);
    let (mut position, mut advanced) = (Position::default(), 0);
    for _ in 0..40 {
        let boards = vec![position.pieces(BLACK); 5];
        let decide_after = |boards: Vec<Bitboard>| {
            let mut agent = agent(spec);
            agent.restore(SavedGame { before: position, nodes: Vec::new(), boards });
            decide(agent.as_mut(), &position, 64)
        };
        let [first, moving, stalled] = [vec![], boards[..4].to_vec(), boards].map(decide_after);
        assert_eq!(first, moving, "four boards are three plays");
        if stalled.play != first.play {
            let cost = first.report.value.get() - stalled.report.value.get();
            assert!(first.report.value.get() >= 0.95 && cost <= 0.03, "{cost}");
            assert!(position.progress(stalled.play) > position.progress(first.play));
            assert_eq!(stalled.report.decided_by, DecidedBy::Progress);
            advanced += 1;
        }
        for agent in &mut agents {
            position.play(decide(agent.as_mut(), &position, 64).play);
        }
    }
    assert!(advanced > 5, "{advanced}");
}

/// Under the original rules White may stay in its camp forever, so Black can never fill the empty corner.
#[test]
fn the_value_of_a_game_that_cannot_end_falls() {
    let white = goal(BLACK) & !squares("15,15") | squares("15,0");
    let black = squares(
        "10,7 11,7 10,8 11,8 12,8 13,8 14,8 9,9 10,9 11,9 12,9 13,9 14,9 9,10 10,10 8,9 8,10 8,11 9,11",
    );
    let mut position = Position::new([black, white], BLACK, Rules::Original);
    let to_and_fro = ["15,0 15,1", "15,1 15,0"].map(|play| play.parse::<Play>().expect("a play"));
    let mut engine = agent("mcts");
    let mut values = Vec::new();
    for ply in 0..300 {
        let play = match position.to_move() {
            BLACK => {
                let decision = decide(engine.as_mut(), &position, 64);
                values.push(decision.report.value.get());
                decision.play
            }
            _ => to_and_fro[ply / 2 % 2],
        };
        position.play(play);
    }
    assert!(values[..20].iter().all(|&value| value > 0.9), "{values:?}");
    assert!(values[120..].iter().all(|&value| value < 0.5), "{values:?}");
}

/// The history of a game changes no decision while the game advances, even when it is all but won.
#[test]
fn a_game_that_advances_is_played_as_if_it_had_no_history() {
    let spec = "mcts(reuse=off, race=off)";
    let mut agents = [spec, "greedy"].map(agent);
    let (mut position, mut won) = (Position::default(), 0);
    for _ in 0..100 {
        let decision = decide(agents[position.to_move().index()].as_mut(), &position, 150);
        if position.to_move() == BLACK {
            assert_eq!(decision, decide(agent(spec).as_mut(), &position, 150), "{position}");
            won += usize::from(decision.report.value.get() >= 0.95);
        }
        position.play(decision.play);
    }
    assert!(won > 10, "{won}");
}
