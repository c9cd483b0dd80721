//! The board as an SVG picture, light or dark as the reader prefers.
//!
//! Web pages contain the same board without pieces, and the script `board.js` draws pieces and arrows on it as this
//! module does, except that it looks for free places for labels.

mod arrow;

pub use arrow::Arrow;

use askama::Template;
use halma::game::{Game, Player};
use halma::rules::{BLACK, BOARD_SIZE, Play, Position, Square, WHITE, camp, chain, colour};

/// The style of the board, its pieces and arrows.
pub const STYLE: &str = include_str!("board.css");

/// The script with the class `Board`, which draws pieces, arrows and the last play on a board in a page.
pub const SCRIPT: &str = include_str!("board.js");

/// The width of a square, in the picture's units.
const SIDE: f32 = 40.0;
/// The width of the frame, which holds the coordinates.
const MARGIN: f32 = 26.0;

/// The middle of column or row number `place`, in the picture's units.
fn middle(place: u8) -> f32 {
    MARGIN + SIDE * (f32::from(place) + 0.5)
}

/// A square or a piece in the picture.
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

#[derive(Template)]
#[template(path = "board.svg", escape = "html")]
struct Picture<'a> {
    title: &'a str,
    style: Option<&'static str>,
    /// Whether the picture contains the gradients that fill the pieces.
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

/// The CSS classes of a square.
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

/// A picture of `position` with `arrows`, the best play's first, as the text of an SVG file.
pub fn picture(position: &Position, arrows: &[Arrow]) -> askama::Result<String> {
    let title = format!("A Halma board, {} to move", colour(position.to_move()));
    Picture::of(&title, Some(position), arrows).render()
}

/// The board without pieces, for a page with [`STYLE`] and [`SCRIPT`].
pub fn empty() -> askama::Result<String> {
    Picture::of("The board", None, &[]).render()
}

/// Like [`empty`], for a page that contains the [`gradients`] itself.
pub fn empty_without_gradients() -> askama::Result<String> {
    Picture { gradients: false, ..Picture::of("The board", None, &[]) }.render()
}

/// The gradients that fill the pieces, for a page with several boards: gradients inside a hidden board have no
/// effect.
pub fn gradients() -> askama::Result<String> {
    Gradients.render()
}

#[derive(Template)]
#[template(path = "gradients.svg", escape = "html")]
struct Gradients;

/// The squares of both camps, where the pieces start.
pub fn camps() -> [Vec<String>; 2] {
    [BLACK, WHITE].map(|side| camp(side).into_iter().map(|square| square.to_string()).collect())
}

/// The squares on the piece's path in `play`, in the notation that the pages' scripts use: `2,0 4,2 6,4`. `None` if the
/// piece can't reach the destination.
pub fn chain_text(position: &Position, play: Play) -> Option<String> {
    let squares: Vec<String> = chain(position, play)?.iter().map(Square::to_string).collect();
    Some(squares.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use halma::rules::Rules;

    #[test]
    fn every_piece_is_drawn_on_its_square() {
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
