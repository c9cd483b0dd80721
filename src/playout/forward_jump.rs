//! Greedy playouts straight from bitboards.
//!
//! At each ply the piece that can get furthest forward does: by a chain of jumps if any has one, else
//! by a step. Either the whole army is asked ([`furthest_jump`]), which in a few plies sees what hangs
//! on both sides, or a few pieces drawn at random, which is cheaper where playouts are long, and
//! varied.
//!
//! No list of plays is made. Halma makes this legal at no cost, for a play that comes nearer to the
//! goal's corner never breaks a camp rule by where it lands: every square of the own camp is as far
//! from that corner as any square outside or further, and every square nearer than one of the goal's
//! belongs to the goal. All that is left to see to is that a side with pieces at home moves one of
//! these out.
//!
//! As long as a side has pieces at home, its plays are few and half forced, and the evaluation does
//! not tell how well it gets out. So there a playout goes a few plies further.

use super::{Options, Playout, Policy, Random, evaluate, priors};
use crate::game::{Game, Player, Value};
use crate::halma::{
    Bitboard, Jumps, PIECES, Play, Position, Rules, Square, camp, furthest_jump, furthest_jump_of,
    furthest_step, goal, neighbours,
};

/// A playout that has not ended after so many plies is stopped and evaluated, whatever its cap. It
/// does not happen in play (playouts from the start take some 300 plies); it bounds the time that
/// boards nobody can win on take.
const LONGEST: u32 = 4000;

/// Plays the furthest forward jump of the army, or of a few pieces drawn at random, up to a cap of
/// plies, then asks the evaluation.
#[derive(Clone, Debug)]
pub struct ForwardJump {
    cap: u32,
    leaving: u32,
    epsilon: f32,
    sample: u32,
    plays: Vec<Play>,
}

/// The pieces of both sides, from which samples are drawn.
type Rosters = [Roster; 2];

impl ForwardJump {
    /// Plays on from `position` for at most the cap's plies, and those for leaving the camp, and
    /// returns how many it made.
    pub fn run(&mut self, position: &mut Position, random: &mut Random) -> u32 {
        let draws = self.sample < PIECES;
        let mut rosters = draws.then(|| Player::BOTH.map(|side| Roster::new(position.pieces(side))));
        let mut plies = 0;
        while plies < self.cap || (plies < self.cap + self.leaving && must_leave(position)) {
            if position.outcome().is_some() {
                break;
            }
            let Some(play) = self.choose(position, rosters.as_mut(), random) else { break };
            position.play(play);
            plies += 1;
        }
        plies
    }

    /// The next play of a playout, with the rosters, if samples are drawn, brought up to date; `None`
    /// if there is none.
    #[inline]
    fn choose(
        &mut self,
        position: &Position,
        rosters: Option<&mut Rosters>,
        random: &mut Random,
    ) -> Option<Play> {
        let side = position.to_move();
        if self.epsilon > 0.0 && random.happens(self.epsilon) {
            return match rosters {
                Some(rosters) => self.any(position, &mut rosters[side.index()], random),
                None => self.any(position, &mut Roster::new(position.pieces(side)), random),
            };
        }
        let Some(rosters) = rosters else {
            let furthest = furthest_of_all(position);
            return furthest
                .or_else(|| self.sideways(position, &mut Roster::new(position.pieces(side)), random));
        };
        let roster = &mut rosters[side.index()];
        match self.furthest(position, roster, random) {
            Some(Advance { from, to, slot, .. }) => {
                roster.squares[slot] = to;
                Some(Play::new(from, to))
            }
            None => self.sideways(position, roster, random),
        }
    }

    /// The play that brings a piece of the sample furthest forward, jumps before steps. Pieces are
    /// drawn until the sample is full and something was found; `None` if no piece can go forward.
    #[inline]
    fn furthest(&self, position: &Position, roster: &mut Roster, random: &mut Random) -> Option<Advance> {
        let side = position.to_move();
        let occupied = position.occupied();
        let (movable, barred) = bounds(position);
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
            if looked_at >= self.sample && (best.is_some() || best_step.is_some()) {
                break;
            }
        }
        best.or(best_step)
    }

    /// A play when none goes forward: of a piece on its way towards a hole of the goal if it gets
    /// nearer to one, else any.
    #[inline(never)]
    fn sideways(&mut self, position: &Position, roster: &mut Roster, random: &mut Random) -> Option<Play> {
        if position.tally(position.to_move()).at_home() > 0 {
            return self.any_listed(position, roster, random);
        }
        let goal = goal(position.to_move());
        let holes = goal & !position.occupied();
        let on_its_way = (0..roster.len).find(|&slot| !goal.contains(roster.draw(slot, random)));
        if let Some(slot) = on_its_way.filter(|_| !holes.is_empty()) {
            let from = roster.squares[slot];
            let way = |square: Square| holes.into_iter().map(|hole| square.steps_to(hole)).min();
            let nearest = reach_of(position, from).into_iter().min_by_key(|&to| way(to));
            if let Some(to) = nearest.filter(|&to| way(to) < way(from)) {
                roster.squares[slot] = to;
                return Some(Play::new(from, to));
            }
        }
        self.any(position, roster, random)
    }

    /// Any piece's play to any square it may go to.
    fn any(&mut self, position: &Position, roster: &mut Roster, random: &mut Random) -> Option<Play> {
        if position.tally(position.to_move()).at_home() > 0 {
            return self.any_listed(position, roster, random);
        }
        for slot in 0..roster.len {
            let from = roster.draw(slot, random);
            let to = reach_of(position, from);
            if let Some(to) = to.into_iter().nth(random.below(to.count().max(1) as usize)) {
                roster.squares[slot] = to;
                return Some(Play::new(from, to));
            }
        }
        self.any_listed(position, roster, random)
    }

    /// Any legal play, all alike.
    fn any_listed(&mut self, position: &Position, roster: &mut Roster, random: &mut Random) -> Option<Play> {
        position.plays(&mut self.plays);
        if self.plays.is_empty() {
            return None;
        }
        let play = self.plays[random.below(self.plays.len())];
        roster.moved(play);
        Some(play)
    }
}

/// Whether the side to move has to bring pieces out of its camp first.
#[inline]
fn must_leave(position: &Position) -> bool {
    position.rules() == Rules::Addendum && position.tally(position.to_move()).at_home() > 0
}

/// The pieces that the camp rules let move, and the squares on which they may not land.
#[inline]
fn bounds(position: &Position) -> (Bitboard, Bitboard) {
    let side = position.to_move();
    if must_leave(position) {
        (position.pieces(side) & camp(side), camp(side))
    } else {
        (position.pieces(side), Bitboard::EMPTY)
    }
}

/// The play that brings any piece furthest forward, jumps before steps; `None` if none goes forward.
#[inline]
fn furthest_of_all(position: &Position) -> Option<Play> {
    let side = position.to_move();
    let (movable, barred) = bounds(position);
    if let Some(jump) = furthest_jump(side, movable, position.occupied(), barred) {
        return Some(Play::new(jump.from, jump.to));
    }
    let taken = position.occupied() | barred;
    let steps = movable.into_iter().filter_map(|from| {
        furthest_step(side, from, taken).map(|(to, progress)| (Play::new(from, to), progress))
    });
    steps.max_by_key(|&(_, progress)| progress).map(|(play, _)| play)
}

/// Where the piece on `from` may go when its side has none at home.
fn reach_of(position: &Position, from: Square) -> Bitboard {
    let side = position.to_move();
    let chains = Jumps::of_class(position.occupied(), from.class()).chains(from.bit());
    let reach = neighbours(from) | Bitboard::of_class(from.class(), chains);
    let barred = match position.rules() {
        Rules::Addendum => position.occupied() | camp(side),
        Rules::Original => position.occupied(),
    };
    reach & !barred & if goal(side).contains(from) { goal(side) } else { !Bitboard::EMPTY }
}

/// A way forward for one piece.
#[derive(Clone, Copy, Debug)]
struct Advance {
    from: Square,
    to: Square,
    /// The piece's place in the roster.
    slot: usize,
    /// How far it goes: a jump in diagonals of its class's board, a step in columns plus rows.
    progress: i32,
}

/// Where the pieces of one side stand, for drawing one without searching through a bitboard.
#[derive(Clone, Debug)]
struct Roster {
    squares: [Square; PIECES as usize],
    len: usize,
}

impl Roster {
    fn new(pieces: Bitboard) -> Roster {
        let mut roster = Roster { squares: [Square::new(0, 0); PIECES as usize], len: 0 };
        pieces.for_each(|square| {
            if let Some(place) = roster.squares.get_mut(roster.len) {
                *place = square;
                roster.len += 1;
            }
        });
        roster
    }

    /// The next piece of a random order, of which the first `drawn` have been asked for already.
    #[inline]
    fn draw(&mut self, drawn: usize, random: &mut Random) -> Square {
        let pick = drawn + random.below(self.len - drawn);
        self.squares.swap(drawn, pick);
        self.squares[drawn]
    }

    #[inline]
    fn moved(&mut self, play: Play) {
        if let Some(place) = self.squares.iter_mut().find(|place| **place == play.from) {
            *place = play.to;
        }
    }
}

impl Playout<Position> for ForwardJump {
    #[inline]
    fn value(&mut self, leaf: &Position, random: &mut Random) -> Value {
        let mut position = *leaf;
        self.run(&mut position, random);
        evaluate(&position, leaf.to_move())
    }

    #[inline]
    fn promises(&self, position: &Position, plays: &[Play], promises: &mut Vec<i8>) {
        priors::promises(position, plays, promises);
    }

    #[inline]
    fn estimate(&self, leaf: &Position) -> Value {
        evaluate(leaf, leaf.to_move())
    }
}

impl Policy for ForwardJump {
    const NAME: &'static str = "forward-jump";
    const ABOUT: &'static str = "the furthest forward jump (else step) of the army or a sample of it, to the cap, then the evaluation";

    fn new(options: Options) -> ForwardJump {
        let Options { cap, leaving, epsilon, sample } = options;
        let (cap, leaving) = (cap.min(LONGEST), leaving.min(LONGEST));
        ForwardJump { cap, leaving, epsilon, sample: sample.max(1), plays: Vec::new() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::halma::{BLACK, WHITE};

    /// Playouts to the end, from the start and from boards with few pieces, all end, and by legal
    /// plays only.
    #[test]
    fn playouts_from_the_start_always_end() {
        for (epsilon, sample) in [(0.0, 1), (0.0, 3), (0.1, 3), (0.0, 19)] {
            let mut policy = ForwardJump::new(Options { cap: LONGEST, leaving: 0, epsilon, sample });
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
        for (sample, rules) in
            [(3, Rules::Addendum), (3, Rules::Original), (19, Rules::Addendum), (19, Rules::Original)]
        {
            let mut policy = ForwardJump::new(Options { cap: LONGEST, leaving: 0, epsilon: 0.05, sample });
            let mut random = Random::new(7);
            for _ in 0..20 {
                let mut position = Position::initial(BLACK, rules);
                let mut rosters =
                    (sample < PIECES).then(|| Player::BOTH.map(|side| Roster::new(position.pieces(side))));
                while position.outcome().is_none() {
                    let play = policy.choose(&position, rosters.as_mut(), &mut random).expect("a play");
                    assert!(position.is_legal(play), "{play} in\n{position}");
                    position.play(play);
                }
            }
        }
    }

    #[test]
    fn playouts_go_further_as_long_as_the_camp_is_to_be_left() {
        let mut policy = ForwardJump::new(Options { cap: 2, leaving: 4, epsilon: 0.0, sample: 19 });
        let mut random = Random::new(1);
        let start = Position::initial(BLACK, Rules::Addendum);
        assert_eq!(policy.run(&mut start.clone(), &mut random), 6);
        // By the original rules nobody has to leave.
        assert_eq!(policy.run(&mut start.with_rules(Rules::Original), &mut random), 2);
        let mut out = [Bitboard::EMPTY; 2];
        out[BLACK.index()] = Bitboard::EMPTY.with(Square::new(7, 7));
        out[WHITE.index()] = Bitboard::EMPTY.with(Square::new(9, 6));
        let mut out = Position::new(out, BLACK, Rules::Addendum);
        assert_eq!(policy.run(&mut out, &mut random), 2);
    }

    #[test]
    fn jumps_come_before_steps() {
        let piece = Square::new(5, 5);
        let pieces = Bitboard::EMPTY.with(piece).with(Square::new(5, 6));
        let mut policy = ForwardJump::new(Options { cap: 1, leaving: 0, epsilon: 0.0, sample: 19 });
        for (side, to) in [(BLACK, Square::new(5, 7)), (WHITE, Square::new(5, 4))] {
            let mut both = [Bitboard::EMPTY; 2];
            both[side.index()] = pieces;
            let mut position = Position::new(both, side, Rules::Addendum);
            policy.run(&mut position, &mut Random::new(1));
            assert!(position.pieces(side).contains(to), "{position}");
        }
    }

    /// Against the slow way: among all plays forward of all pieces, no jump gets further.
    #[test]
    fn the_whole_army_and_a_full_sample_find_the_furthest_jump() {
        let mut random = Random::new(5);
        let policy = ForwardJump::new(Options { cap: 0, leaving: 0, epsilon: 0.0, sample: 19 });
        let mut shuffler = ForwardJump::new(Options { cap: 1, leaving: 0, epsilon: 0.2, sample: 2 });
        let mut position = Position::initial(BLACK, Rules::Original);
        let mut plays = Vec::new();
        for _ in 0..300 {
            position.plays(&mut plays);
            let jumps = plays.iter().filter(|play| play.is_jump());
            let most = jumps.map(|&play| position.progress(play)).filter(|&progress| progress > 0).max();
            let mut roster = Roster::new(position.pieces(position.to_move()));
            let found = policy.furthest(&position, &mut roster, &mut random);
            let of_sample = found.map(|advance| Play::new(advance.from, advance.to));
            for play in [of_sample, furthest_of_all(&position)] {
                match most {
                    Some(most) => assert_eq!(play.map(|play| position.progress(play)), Some(most)),
                    None => assert!(play.is_none_or(|play| !play.is_jump())),
                }
            }
            shuffler.run(&mut position, &mut random);
        }
    }
}
