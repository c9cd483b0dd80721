//! Colours, letters and markers.

use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

/// The result of drawing.
pub(super) type Drawing = Result<(), DrawingAreaErrorKind<std::io::Error>>;

/// An area that a plot is drawn on.
pub(super) type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

/// The colour-blind-safe palette of Okabe & Ito 2008, "Color universal design", without its yellow, which is faint on
/// white, and with grey in place of black. The page's style (`show/report/page/plots.css`) overrides some of them by
/// their hexadecimal values.
pub const COLOURS: [RGBColor; 7] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(86, 180, 233),
    RGBColor(230, 159, 0),
    RGBColor(90, 90, 90),
];
/// Text and main lines.
pub const INK: RGBColor = RGBColor(40, 40, 40);
/// Explanations.
pub const QUIET: RGBColor = RGBColor(110, 110, 110);
/// Axes and reference lines.
pub const BORDER: RGBColor = RGBColor(170, 170, 170);
/// The grid.
pub(super) const GRID: RGBColor = RGBColor(232, 232, 232);

/// The colour of curve number `curve`.
pub fn curve_colour(curve: usize) -> RGBColor {
    COLOURS[curve % COLOURS.len()]
}

/// The colour of a score from 0 to 1: transparent at ½, bluer towards 1, redder towards 0.
pub fn shade(score: f64) -> RGBAColor {
    let colour = if score > 0.5 { COLOURS[0] } else { COLOURS[1] };
    colour.mix(((score - 0.5).abs() * 2.0).min(1.0) * 0.85)
}

/// The outline of a curve's marker in pixels around its centre, so that curves differ in more than colour; `None` is a
/// disc.
pub(super) fn marker(curve: usize) -> Option<Vec<(i32, i32)>> {
    match curve % 4 {
        0 => None,
        1 => Some(vec![(-4, -4), (4, -4), (4, 4), (-4, 4)]),
        2 => Some(vec![(0, -6), (5, 4), (-5, 4)]),
        _ => Some(vec![(0, -6), (6, 0), (0, 6), (-6, 0)]),
    }
}

/// Letters of `size` pixels.
pub(super) fn letters(size: u32, colour: RGBColor) -> TextStyle<'static> {
    ("sans-serif", size).into_font().color(&colour)
}

/// `style`, with the alignment of text relative to its point.
pub(super) fn anchored(style: TextStyle<'static>, horizontal: HPos, vertical: VPos) -> TextStyle<'static> {
    style.pos(Pos::new(horizontal, vertical))
}
