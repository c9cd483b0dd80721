//! Minimax of fixed depth with a simple evaluation: the reference opponent of the course, "a simple minimax agent with
//! no alpha-beta pruning".
//!
//! The evaluation is the lead in travel, `travel(opponent) − travel(player)`, where
//!
//! ```text
//! travel = Σ over all pieces:              columns + rows to the corner of the goal
//!        + Σ over pieces outside the goal: king's steps to the nearest empty square in it
//! ```
//!
//! and a won game counts more than any lead. Without the second line, games would not end: pieces would pile up along
//! the edges, as near to the corner as the last squares of the goal, and move back and forth there. With it, depth 2
//! finishes in about 220 plies; in 20 games each it won 20 against random plays and 18 against greedy ones, at 0.03 s a
//! move.
//!
//! The agent is plain on purpose. It makes the first of equally good plays, so every run is the same. It checks for an
//! immediate win first, or it might put off winning forever. It ignores all limits, but a search can be cancelled.

use super::{Agent, AgentContext, Decision, NoLegalPlay};
use crate::evaluation::squash;
use crate::game::{Game, Outcome, Player};
use crate::rules::{Play, Position, goal};
use crate::search::minimax::{SearchResult, minimax_until};
use crate::search::{DecidedBy, Limits, Observer, Report, Stop};
use crate::support::clock::Clock;
use crate::support::parameters::{Named, whole};
use crate::support::spec::SpecError;

/// The value of a won game. Leads are less than 1,000.
const WON: i64 = 1_000_000;

/// A lead of this many columns and rows is reported as 0.7 of a win.
const SCALE: f32 = 25.0;

crate::parameters! {
    /// The parameters of [`FixedDepth`].
    pub struct FixedDepthParameters;
    depth: u64 = 2, whole(1, 3, 1),
        "search depth in plies; limits are ignored";
}

/// An agent that searches every play to a fixed depth.
#[derive(Clone, Debug, Default)]
pub struct FixedDepth {
    params: FixedDepthParameters,
    plays: Vec<Play>,
}

impl Named for FixedDepth {
    const NAME: &'static str = "minimax";
    const ABOUT: &'static str = "plain minimax by distance: the course's reference opponent";
    type Parameters = FixedDepthParameters;
    type Context = AgentContext;

    fn build(params: FixedDepthParameters, _: AgentContext) -> Result<FixedDepth, SpecError> {
        Ok(FixedDepth { params, plays: Vec::new() })
    }
}

impl Agent for FixedDepth {
    fn new_game(&mut self) {}

    fn decide(
        &mut self,
        position: &Position,
        _: &Limits,
        clock: &dyn Clock,
        _: Option<Observer<'_, Play>>,
    ) -> Result<Decision, NoLegalPlay> {
        if let Some(decision) = Decision::after_the_end(position) {
            return decision;
        }
        let start = clock.seconds();
        position.legal_plays(&mut self.plays);
        let player = position.to_move();
        let found = match position.winning_play(&self.plays) {
            Some(play) => SearchResult { play: Some(play), value: WON, nodes: 2 },
            None => {
                let evaluate = |leaf: &Position| lead(leaf, player);
                match minimax_until(position, self.depth(), evaluate, || clock.is_cancelled()) {
                    Ok(found) => found,
                    Err(visited) => {
                        let &play = self.plays.first().ok_or(NoLegalPlay)?;
                        let seconds = clock.seconds() - start;
                        let report =
                            Report { visited, seconds, stop: Stop::Time, ..Report::unsearched(play) };
                        return Ok(Decision { play, report });
                    }
                }
            }
        };
        let play = found.play.ok_or(NoLegalPlay)?;
        let report = self.report(play, found, player, clock.seconds() - start);
        Ok(Decision { play, report })
    }
}

impl FixedDepth {
    fn depth(&self) -> u8 {
        self.params.depth as u8
    }

    /// Converts `found` to a report.
    fn report(&self, play: Play, found: SearchResult<Play>, player: Player, seconds: f64) -> Report<Play> {
        let proof = match found.value {
            WON.. => Some(Outcome::Win(player)),
            value if value <= -WON => Some(Outcome::Win(player.opponent())),
            _ => None,
        };
        let estimate = squash(found.value as f32 / SCALE);
        let value = proof.map_or(estimate, |outcome| outcome.value_for(player));
        let mut report = Report::unsearched(play);
        report.candidates.iter_mut().for_each(|best| (best.value, best.proof) = (value, proof));
        Report {
            decided_by: if proof.is_some() { DecidedBy::Proof } else { DecidedBy::Depth },
            value,
            proof,
            visited: found.nodes,
            seconds,
            depth: self.depth().into(),
            stop: if proof.is_some() { Stop::Proved } else { Stop::Depth },
            ..report
        }
    }
}

/// The lead of `player`.
fn lead(position: &Position, player: Player) -> i64 {
    match position.outcome() {
        Some(Outcome::Win(winner)) if winner == player => WON,
        Some(Outcome::Win(_)) => -WON,
        _ => travel(position, player.opponent()) - travel(position, player),
    }
}

/// The distance that the pieces of `side` still have to travel.
fn travel(position: &Position, side: Player) -> i64 {
    let holes = goal(side) & !position.occupied();
    let outside = position.pieces(side) & !goal(side);
    let nearest =
        outside.into_iter().filter_map(|piece| holes.into_iter().map(|hole| piece.steps_to(hole)).min());
    i64::from(position.tally(side).distance()) + nearest.map(i64::from).sum::<i64>()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Value;
    use crate::rules::{BLACK, Bitboard, Rules, Square};
    use crate::support::clock::FakeClock;

    // Makes the agent without the registry, which would add all other agents to this test program.
    fn decide(depth: u64, position: &Position) -> Decision {
        let mut agent = FixedDepth { params: FixedDepthParameters { depth }, ..FixedDepth::default() };
        agent.decide(position, &Limits::default(), &FakeClock::new(), None).expect("a legal play")
    }

    #[test]
    fn depth_1_is_the_first_play_of_most_progress() {
        let start = Position::initial(BLACK, Rules::Addendum);
        let mut plays = Vec::new();
        start.legal_plays(&mut plays);
        let most = plays.iter().map(|&play| start.progress(play)).max();
        let first = plays.iter().find(|&&play| Some(start.progress(play)) == most);
        let decision = decide(1, &start);
        assert_eq!((Some(&decision.play), decision.report.visited), (first, 1 + 40));
        assert_eq!(decision.report.principal_variation, [decision.play]);
    }

    #[test]
    fn an_immediate_win_is_played_and_proved() {
        // Black's last piece is one or two steps from the only hole; White has one piece.
        let hole = Square::new(11, 14);
        let mut black = goal(BLACK);
        black.toggle(hole);
        let white = Bitboard::EMPTY.with(Square::new(4, 4));
        let at = |x, y| Position::new([black.with(Square::new(x, y)), white], BLACK, Rules::Addendum);
        for depth in 1..=3 {
            let decision = decide(depth, &at(10, 13));
            assert_eq!(decision.play.to, hole);
            assert_eq!(decision.report.proof, Some(Outcome::Win(BLACK)));
            assert_eq!(decision.report.value, Value::WIN);
        }
        assert_eq!(decide(2, &at(9, 12)).report.proof, None);
        assert_eq!(decide(3, &at(9, 12)).report.proof, Some(Outcome::Win(BLACK)));
    }

    #[test]
    fn the_last_piece_finds_the_hole_on_the_other_wing() {
        let mut black = goal(BLACK);
        black.toggle(Square::new(14, 11));
        let white = Bitboard::EMPTY.with(Square::new(4, 4));
        let mut position = Position::new([black.with(Square::new(10, 15)), white], BLACK, Rules::Addendum);
        for _ in 0..20 {
            if position.outcome().is_some() {
                break;
            }
            position.play(decide(2, &position).play);
        }
        assert_eq!(position.outcome(), Some(Outcome::Win(BLACK)));
    }
}
