//! The board as a picture: SVG that needs nothing from outside, light or dark as its reader prefers.
//!
//! A page has the same board, empty, and the script `board.js`, which draws pieces and arrows as this module does.

mod arrow;

pub use arrow::Arrow;

use askama::Template;
use halma::game::{Game, Player};
use halma::rules::{BLACK, BOARD_SIZE, Play, Position, Square, WHITE, camp, chain, colour};

/// The style of the board, its pieces and arrows, for a page that contains a board.
pub const STYLE: &str = include_str!("board.css");

/// The script that puts pieces, arrows and the last play on such a board: its class `Board`.
pub const SCRIPT: &str = include_str!("board.js");

/// The width of a square, in units of the picture.
const SIDE: f32 = 40.0;
/// The width of the frame with the coordinates.
const MARGIN: f32 = 26.0;

/// The middle of the square in column or row `place`.
fn middle(place: u8) -> f32 {
    MARGIN + SIDE * (f32::from(place) + 0.5)
}

/// A square of the board, or what stands on it.
struct Mark {
    class: &'static str,
    name: String,
    x: f32,
    y: f32,
}

impl Mark {
    fn new(square: Square, class: &'static str) -> Mark {
        Mark { class, name: square.to_string(), x: middle(square.x()), y: middle(square.y()) }
    }
}

/// The picture's template.
#[derive(Template)]
#[template(path = "board.svg", escape = "html")]
struct Picture<'a> {
    title: &'a str,
    style: Option<&'static str>,
    /// Whether it has the gradients that pieces are painted with.
    gradients: bool,
    numbers: Vec<(u8, f32)>,
    squares: Vec<Mark>,
    pieces: Vec<Mark>,
    arrows: &'a [Arrow],
}

impl Picture<'_> {
    fn of<'a>(title: &'a str, position: Option<&Position>, arrows: &'a [Arrow]) -> Picture<'a> {
        let pieces = |side: Player| {
            let own = position.map(|position| position.pieces(side)).into_iter().flatten();
            own.map(move |square| Mark::new(square, if side == BLACK { "black" } else { "white" }))
        };
        Picture {
            title,
            style: position.map(|_| STYLE),
            gradients: true,
            numbers: (0..BOARD_SIZE).map(|place| (place, middle(place))).collect(),
            squares: Square::all().map(|square| Mark::new(square, ground(square))).collect(),
            pieces: pieces(BLACK).chain(pieces(WHITE)).collect(),
            arrows,
        }
    }
}

/// What kind of square it is.
fn ground(square: Square) -> &'static str {
    let odd = (square.x() + square.y()) % 2 == 1;
    match (camp(BLACK).contains(square), camp(WHITE).contains(square), odd) {
        (true, _, false) => "black-camp",
        (true, _, true) => "black-camp odd",
        (_, true, false) => "white-camp",
        (_, true, true) => "white-camp odd",
        (_, _, false) => "field",
        (_, _, true) => "field odd",
    }
}

/// A picture of `position` with `arrows`, the best play's first, as a file of its own.
///
/// # Errors
/// None that a string could give.
pub fn picture(position: &Position, arrows: &[Arrow]) -> askama::Result<String> {
    let title = format!("A board of Halma, {} to move", colour(position.to_move()));
    Picture::of(&title, Some(position), arrows).render()
}

/// The empty board, to be put into a page that has [`STYLE`] and puts pieces on it.
///
/// # Errors
/// None that a string could give.
pub fn empty() -> askama::Result<String> {
    Picture::of("The board", None, &[]).render()
}

/// The same for a page that has [`gradients`] of its own.
///
/// # Errors
/// None that a string could give.
pub fn empty_without_gradients() -> askama::Result<String> {
    Picture { gradients: false, ..Picture::of("The board", None, &[]) }.render()
}

/// What pieces are painted with, for a page with several boards, of which some may be hidden.
///
/// # Errors
/// None that a string could give.
pub fn gradients() -> askama::Result<String> {
    Gradients.render()
}

/// The template of the gradients.
#[derive(Template)]
#[template(path = "gradients.svg", escape = "html")]
struct Gradients;

/// The squares of both camps, as the script names them: where pieces start.
pub fn camps() -> [Vec<String>; 2] {
    [BLACK, WHITE].map(|side| camp(side).into_iter().map(|square| digits(&square)).collect())
}

/// All the squares that the piece of `play` touches, as the script reads a play: `204264`. `None` if no piece can
/// get there.
pub fn hops(position: &Position, play: Play) -> Option<String> {
    chain(position, play).map(|chain| chain.iter().map(digits).collect())
}

/// A square as the script names it: two hexadecimal digits, x and y.
fn digits(square: &Square) -> String {
    format!("{:x}{:x}", square.x(), square.y())
}

#[cfg(test)]
mod tests {
    use super::*;
    use halma::rules::Rules;

    #[test]
    fn every_piece_is_drawn_where_it_stands() {
        let mut position = Position::initial(BLACK, Rules::Addendum);
        position.play("2,0 4,2".parse().unwrap());
        let svg = picture(&position, &[]).unwrap();
        for square in Square::all() {
            let side = position.at(square).map(|side| if side == BLACK { "black" } else { "white" });
            for colour in ["black", "white"] {
                let piece = format!(r#"class="piece {colour}" data-square="{square}""#);
                assert_eq!(svg.contains(&piece), side == Some(colour), "{square}");
            }
        }
        assert!(svg.contains("WHITE to move") && svg.contains("<style>"));
        assert!(!empty().unwrap().contains("class=\"piece "));
    }

    #[test]
    fn arrows_follow_the_chain_and_show_their_share() {
        let mut position = Position::initial(BLACK, Rules::Addendum);
        for play in ["2,0 4,2", "13,15 11,13", "4,2 5,3", "11,13 10,12"] {
            position.play(play.parse().unwrap());
        }
        let chain = chain(&position, "0,0 2,0".parse().unwrap()).unwrap();
        let svg = picture(&position, &[Arrow::new(&chain, 0.456, 0)]).unwrap();
        assert!(svg.contains("46 %") && svg.contains("M46.0 46.0"), "{svg}");
    }
}
