//! A board as text, with coordinates and a marked play.

use halma::rules::{BOARD_SIZE, Play, Position, Square, chain, letter};
use std::fmt::{self, Display, Formatter};

/// The board of `position`. A `play` is marked on it: `(B)` is the piece that moves, `[.]` its destination, and `+`
/// each square it lands on along the way. After the play, `(.)` is where the piece was, and `[B]` where it is.
pub struct Diagram<'a> {
    pub position: &'a Position,
    /// The play to mark: a legal one, or the last one.
    pub play: Option<Play>,
}

impl Diagram<'_> {
    /// The contents of `square`, three characters wide.
    fn mark(&self, square: Square, way: &[Square]) -> String {
        let mark = self.position.at(square).map_or('.', letter);
        match self.play {
            Some(play) if play.from == square => format!("({mark})"),
            Some(play) if play.to == square => format!("[{mark}]"),
            Some(_) if way.contains(&square) => " + ".to_string(),
            _ => format!(" {mark} "),
        }
    }
}

impl Display for Diagram<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let way = self.play.and_then(|play| chain(self.position, play)).unwrap_or_default();
        let numbers: String = (0..BOARD_SIZE).map(|x| format!("{x:>2} ")).collect();
        writeln!(f, "   {}", numbers.trim_end())?;
        for y in 0..BOARD_SIZE {
            let row: String = (0..BOARD_SIZE).map(|x| self.mark(Square::new(x, y), &way)).collect();
            writeln!(f, "{y:>2} {}", row.trim_end())?;
        }
        Ok(())
    }
}
