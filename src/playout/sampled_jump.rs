//! Greedy playouts by a sample of the army.
//!
//! Each ply draws a few pieces at random and moves the one that can get furthest forward, by a chain of
//! jumps if there is one, else by a step. For long playouts that is cheaper than asking the whole army,
//! and it varies them. No list of plays is made.

use super::roster::Roster;
use super::{LONGEST, Playout, run};
use crate::evaluation::Evaluation;
use crate::game::{Game, Player, Value};
use crate::rules::{PIECES, Play, Position, Square, furthest_jump_of, furthest_step};
use crate::support::parameters::{Named, whole};
use crate::support::random::Random;

crate::parameters! {
    /// The parameters of [`SampledJump`].
    pub struct SampledJumpParameters;
    cap: u64 = 2, whole(0, LONGEST, 2),
        "plies of a playout before the evaluation speaks; 4000 is to the end";
    leaving: u64 = 4, whole(0, LONGEST, 2),
        "plies more than the cap as long as the side to move has to leave its camp";
    sample: u64 = 3, whole(1, PIECES as u64, 1),
        "pieces, drawn at random, that are looked at for one play";
}

/// Plays the furthest forward jump of a few pieces drawn at random, up to a cap of plies, then asks the
/// evaluation.
pub struct SampledJump {
    parameters: SampledJumpParameters,
    evaluation: Box<dyn Evaluation>,
    plays: Vec<Play>,
}

impl SampledJump {
    /// Plays on from `position` for at most the cap's plies and those for leaving the camp. Returns how
    /// many plies it played.
    pub fn run(&mut self, position: &mut Position, random: &mut Random) -> u32 {
        let mut rosters = Player::BOTH.map(|side| Roster::new(position.pieces(side)));
        let (cap, leaving) = (self.parameters.cap, self.parameters.leaving);
        run(position, cap, leaving, |position| self.choose(position, &mut rosters, random))
    }

    /// The next play, with the rosters brought up to date; `None` if there is none.
    #[inline]
    fn choose(
        &mut self,
        position: &Position,
        rosters: &mut [Roster; 2],
        random: &mut Random,
    ) -> Option<Play> {
        let roster = &mut rosters[position.to_move().index()];
        match self.furthest(position, roster, random) {
            Some(Advance { from, to, slot, .. }) => {
                roster.squares[slot] = to;
                Some(Play::new(from, to))
            }
            None => roster.sideways(position, &mut self.plays, random),
        }
    }

    /// The play that brings a piece of the sample furthest forward, jumps before steps. Pieces are
    /// drawn until the sample is full and something was found; `None` if no piece can go forward.
    #[inline]
    fn furthest(&self, position: &Position, roster: &mut Roster, random: &mut Random) -> Option<Advance> {
        let side = position.to_move();
        let occupied = position.occupied();
        let (movable, barred) = position.forward_bounds(side);
        let (mut best, mut best_step): (Option<Advance>, Option<Advance>) = (None, None);
        let mut looked_at = 0;
        for slot in 0..roster.len {
            let from = roster.draw(slot, random);
            if !movable.contains(from) {
                continue;
            }
            if let Some(jump) = furthest_jump_of(side, from, occupied, barred) {
                let (to, progress) = (jump.to, jump.diagonals as i32);
                if best.is_none_or(|best| progress > best.progress) {
                    best = Some(Advance { from, to, slot, progress });
                }
            } else if best.is_none()
                && let Some((to, progress)) = furthest_step(side, from, occupied | barred)
                && best_step.is_none_or(|best| progress > best.progress)
            {
                best_step = Some(Advance { from, to, slot, progress });
            }
            looked_at += 1;
            if looked_at >= self.parameters.sample && (best.is_some() || best_step.is_some()) {
                break;
            }
        }
        best.or(best_step)
    }
}

/// A play forward.
#[derive(Clone, Copy, Debug)]
struct Advance {
    from: Square,
    to: Square,
    /// The piece's place in the roster.
    slot: usize,
    /// How far it goes: a jump in diagonals of its class's board, a step in columns plus rows.
    progress: i32,
}

impl Playout<Position> for SampledJump {
    fn value(&mut self, leaf: &Position, random: &mut Random) -> Value {
        let mut position = *leaf;
        self.run(&mut position, random);
        self.evaluation.value(&position, leaf.to_move())
    }
}

impl Named for SampledJump {
    const NAME: &'static str = "sampled-jump";
    const ABOUT: &'static str =
        "the furthest forward jump (else step) of a few random pieces, to the cap, then the evaluation";
    type Parameters = SampledJumpParameters;
    type Uses = Box<dyn Evaluation>;

    fn new(parameters: SampledJumpParameters, evaluation: Box<dyn Evaluation>) -> SampledJump {
        SampledJump { parameters, evaluation, plays: Vec::new() }
    }
}

#[cfg(test)]
mod tests {
    use super::super::forward_jump::furthest_of_all;
    use super::*;
    use crate::evaluation::Fitted;
    use crate::rules::{BLACK, Rules, WHITE};

    fn policy(cap: u64, sample: u64) -> SampledJump {
        SampledJump::new(SampledJumpParameters { cap, leaving: 0, sample }, Box::new(Fitted))
    }

    #[test]
    fn playouts_from_the_start_always_end() {
        for sample in [1, 3] {
            let mut policy = policy(LONGEST, sample);
            for seed in 0..500 {
                let first = if seed % 2 == 0 { BLACK } else { WHITE };
                let mut position = Position::initial(first, Rules::Addendum);
                let plies = policy.run(&mut position, &mut Random::new(seed));
                assert!(position.outcome().is_some(), "no end after {plies} plies, seed {seed}");
            }
        }
    }

    #[test]
    fn every_play_of_a_playout_is_legal() {
        for rules in [Rules::Addendum, Rules::Original] {
            let mut policy = policy(LONGEST, 3);
            let mut random = Random::new(7);
            for _ in 0..20 {
                let mut position = Position::initial(BLACK, rules);
                let mut rosters = Player::BOTH.map(|side| Roster::new(position.pieces(side)));
                while position.outcome().is_none() {
                    let play = policy.choose(&position, &mut rosters, &mut random).expect("a play");
                    assert!(position.is_legal(play), "{play} in\n{position}");
                    position.play(play);
                }
            }
        }
    }

    /// Compares with the list of all plays: no jump gets further.
    #[test]
    fn the_whole_army_and_a_full_sample_find_the_furthest_jump() {
        let mut random = Random::new(5);
        let full = policy(0, PIECES.into());
        let mut varied = policy(1, 2);
        let mut position = Position::initial(BLACK, Rules::Original);
        let mut plays = Vec::new();
        for ply in 0..300 {
            position.legal_plays(&mut plays);
            let jumps = plays.iter().filter(|play| play.is_jump());
            let most = jumps.map(|&play| position.progress(play)).filter(|&progress| progress > 0).max();
            let mut roster = Roster::new(position.pieces(position.to_move()));
            let found = full.furthest(&position, &mut roster, &mut random);
            let of_sample = found.map(|advance| Play::new(advance.from, advance.to));
            for play in [of_sample, furthest_of_all(&position)] {
                match most {
                    Some(most) => assert_eq!(play.map(|play| position.progress(play)), Some(most)),
                    None => assert!(play.is_none_or(|play| !play.is_jump())),
                }
            }
            // Any play now and then, to meet boards that playouts alone do not.
            if ply % 5 == 0 {
                position.play(plays[random.below(plays.len())]);
            } else {
                varied.run(&mut position, &mut random);
            }
        }
    }
}
