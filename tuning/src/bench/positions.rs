//! Fixed positions for measurements. They do not depend on the play of any agent, so that the figures of two builds are
//! comparable.

use halma::game::{Game, Player};
use halma::rules::{BLACK, Play, Position, Rules, WHITE, parse_board};
use halma::support::random::Random;

/// Black to move, with 169 legal plays: ply 48 of a game of the engine against itself.
const MIDGAME: &str = "\
................
................
......B.........
....B.B.........
...B.BBB.B......
.....BBBW.......
....B.B.W.......
....B.BBWB......
.....W.BWW......
......WBWW.W....
.......WW..W..W.
.........WW..W..
.........W..W...
................
................
................
";

/// Ply 24 of that game: both sides still have pieces in their camps and must leave.
const OPENING: &str = "\
B...B...........
..B.B...........
..B.............
.B..B.B.........
.B.B.B..........
.....BBBW.......
....B.B.B.......
......B.........
.......BWW......
........WW......
.........WW.....
.........WW.W..W
.........W.W..W.
.............W.W
...........W.W..
...........W....
";

/// Ply 140 of that game, 25 before its end: a race for the last free squares.
const ENDING: &str = "\
WWWW............
WWW.............
WW.W............
WW..W...........
W.W.............
.W...W..........
................
......W..B......
.............W..
................
...............B
.........B......
...........B..B.
............BBBB
.........B.B.BBB
...........BBBBB
";

/// A race, in which the armies have passed each other. Black needs 10 plays.
const RACE: &str = "\
WWWW.W..........
WWWWW...........
WW..............
..WWWWW.........
.W..............
.........W......
................
................
................
..........B.....
................
........B....B.B
............B.BB
...........B.BBB
.............BBB
..........BB.BBB
";

/// White to move, ahead while the armies still meet: ply 55 of another such game.
const LEAD: &str = "\
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
................
";

/// A position of the middle game.
pub fn midgame() -> Position {
    position(MIDGAME, BLACK, Rules::Addendum)
}

/// Positions of all phases, with either side to move and under either rule set.
pub fn of_all_phases() -> Vec<Position> {
    vec![
        Position::initial(BLACK, Rules::Addendum),
        position(OPENING, BLACK, Rules::Addendum),
        position(OPENING, WHITE, Rules::Original),
        midgame(),
        position(MIDGAME, WHITE, Rules::Original),
        position(LEAD, WHITE, Rules::Addendum),
        position(ENDING, BLACK, Rules::Addendum),
        position(ENDING, WHITE, Rules::Addendum),
        position(RACE, BLACK, Rules::Addendum),
        position(RACE, WHITE, Rules::Addendum),
    ]
}

/// One position of each phase; the first one has the fewest legal plays.
pub fn of_some_phases() -> Vec<Position> {
    vec![
        Position::initial(BLACK, Rules::Addendum),
        position(OPENING, WHITE, Rules::Original),
        midgame(),
        position(LEAD, WHITE, Rules::Addendum),
        position(ENDING, BLACK, Rules::Addendum),
        position(RACE, WHITE, Rules::Addendum),
    ]
}

fn position(board: &str, to_move: Player, rules: Rules) -> Position {
    let pieces = parse_board(board.lines()).expect("sixteen rows of sixteen squares");
    Position::new(pieces, to_move, rules)
}

/// The number of games behind [`from_games`].
const GAMES: u64 = 8;

/// The maximum length of such a game in plies, about the length of a game between good players.
const PLIES: usize = 160;

/// The probability that a play is random.
const RANDOM_PLAYS: f32 = 0.1;

/// About a thousand positions from all phases of games in which both sides usually choose a play with the most progress,
/// and sometimes a random play.
pub fn from_games() -> Vec<Position> {
    let mut positions = Vec::new();
    for seed in 0..GAMES {
        let mut random = Random::new(seed);
        let mut position = Position::initial(Player::BOTH[seed as usize % 2], Rules::Addendum);
        let mut plays = Vec::new();
        for _ in 0..PLIES {
            positions.push(position);
            position.legal_plays(&mut plays);
            let Some(play) = choose(&position, &mut plays, &mut random) else { break };
            position.play(play);
            if position.outcome().is_some() {
                break;
            }
        }
    }
    positions
}

/// Chooses a play. The order of `legal_plays` makes no difference.
fn choose(position: &Position, legal_plays: &mut Vec<Play>, random: &mut Random) -> Option<Play> {
    legal_plays.sort_unstable();
    if !random.happens(RANDOM_PLAYS) {
        let most = legal_plays.iter().map(|&play| position.progress(play)).max();
        legal_plays.retain(|&play| Some(position.progress(play)) == most);
    }
    (!legal_plays.is_empty()).then(|| legal_plays[random.below(legal_plays.len())])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::play::samples::samples;

    /// In games between engines, a position has about 110 legal plays.
    #[test]
    fn positions_from_games_resemble_real_games() {
        let positions = from_games();
        let plays: usize = positions.iter().map(Position::count_plays).sum();
        let mean = plays / positions.len();
        assert!(positions.len() > 1000, "{} positions", positions.len());
        assert!((80..140).contains(&mean), "{mean} plays a position");
    }

    #[test]
    fn no_fixed_position_is_finished() {
        assert_eq!(midgame().count_plays(), 169);
        for position in of_all_phases().into_iter().chain(samples().map(|sample| sample.position)) {
            assert!(position.outcome().is_none() && position.count_plays() > 1, "\n{position}");
        }
    }
}
