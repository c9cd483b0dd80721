//! Fixed positions to measure on. They must not depend on how well anything plays, or figures of
//! two versions could not be compared.

use halma::game::{Game, Player};
use halma::homework::input::parse_input;
use halma::rules::{BLACK, Play, Position, Rules, WHITE, parse_board};
use halma::support::random::Random;

/// Black to move, with 169 plays: the 48th ply of a game of the engine against itself.
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

/// The 24th ply of that game: both sides have pieces at home and must leave.
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

/// The 140th ply of that game, 25 before its end: a race into the last holes.
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

/// A race: the armies have passed each other; Black needs 10 plays.
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

/// The position of the middle game.
pub fn midgame() -> Position {
    position(MIDGAME, BLACK, Rules::Addendum)
}

/// Positions of all phases, both sides and both rule sets.
pub fn of_all_phases() -> Vec<Position> {
    vec![
        Position::initial(BLACK, Rules::Addendum),
        position(OPENING, BLACK, Rules::Addendum),
        position(OPENING, WHITE, Rules::Original),
        midgame(),
        position(MIDGAME, WHITE, Rules::Original),
        position(ENDING, BLACK, Rules::Addendum),
        position(ENDING, WHITE, Rules::Addendum),
        position(RACE, BLACK, Rules::Addendum),
        position(RACE, WHITE, Rules::Addendum),
    ]
}

/// One position of each phase, the one with the fewest plays first.
pub fn of_some_phases() -> Vec<Position> {
    vec![
        Position::initial(BLACK, Rules::Addendum),
        position(OPENING, WHITE, Rules::Original),
        midgame(),
        position(ENDING, BLACK, Rules::Addendum),
        position(RACE, WHITE, Rules::Addendum),
    ]
}

/// The course's six sample boards, by the names of their files.
pub fn samples() -> [(&'static str, Position); 6] {
    macro_rules! sample {
        ($name:literal) => {
            ($name, include_bytes!(concat!("../../../tests/data/halma/", $name)).as_slice())
        };
    }
    let files = [
        sample!("1.input.txt"),
        sample!("2.input.txt"),
        sample!("3.input.txt"),
        sample!("4.input.txt"),
        sample!("5.input.txt"),
        sample!("6.input.txt"),
    ];
    files.map(|(name, bytes)| (name, parse_input(bytes).expect("a sound sample").position))
}

fn position(board: &str, to_move: Player, rules: Rules) -> Position {
    let pieces = parse_board(board.lines()).expect("a constant with sixteen rows of sixteen squares");
    Position::new(pieces, to_move, rules)
}

/// How many games [`from_games`] is made of.
const GAMES: u64 = 8;

/// The length of such a game in plies, if nobody wins before: as long as games of good players.
const PLIES: usize = 160;

/// The chance of a play that is not chosen for its progress.
const RANDOM_PLAYS: f32 = 0.1;

/// About a thousand positions from the first to the last ply of games between players that make
/// the play of most progress, now and then any play.
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

/// One of the `plays` of `position`; in which order they are listed makes no difference.
fn choose(position: &Position, plays: &mut Vec<Play>, random: &mut Random) -> Option<Play> {
    plays.sort_unstable();
    if !random.happens(RANDOM_PLAYS) {
        let most = plays.iter().map(|&play| position.progress(play)).max();
        plays.retain(|&play| Some(position.progress(play)) == most);
    }
    (!plays.is_empty()).then(|| plays[random.below(plays.len())])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Engines' games have about 110 plays a position.
    #[test]
    fn positions_from_games_are_like_those_of_real_ones() {
        let positions = from_games();
        let plays: usize = positions.iter().map(Position::count_plays).sum();
        let mean = plays / positions.len();
        assert!(positions.len() > 1000, "{} positions", positions.len());
        assert!((80..140).contains(&mean), "{mean} plays a position");
    }

    #[test]
    fn no_fixed_position_is_over() {
        assert_eq!(midgame().count_plays(), 169);
        for position in of_all_phases().into_iter().chain(samples().map(|(_, position)| position)) {
            assert!(position.outcome().is_none() && position.count_plays() > 1, "\n{position}");
        }
    }
}
