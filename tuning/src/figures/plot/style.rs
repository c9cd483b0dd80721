//! Colours, letters and marks.

use super::axis::PlotAxis;
use anyhow::{Result, anyhow};
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

/// The result of drawing.
pub type Drawing = Result<(), DrawingAreaErrorKind<std::io::Error>>;

/// Where a plot is drawn.
pub type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

/// Colours that people who see few colours can tell apart: Okabe & Ito 2008, "Color universal
/// design", without the yellow, which is faint on white.
pub const COLOURS: [RGBColor; 7] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(86, 180, 233),
    RGBColor(230, 159, 0),
    RGBColor(90, 90, 90),
];
/// Text and axes.
pub const INK: RGBColor = RGBColor(40, 40, 40);
/// Explanations.
pub const QUIET: RGBColor = RGBColor(110, 110, 110);
/// Lines behind the data.
pub const FAINT: RGBColor = RGBColor(232, 232, 232);
/// Lines behind the data that mean something.
pub const BORDER: RGBColor = RGBColor(170, 170, 170);
/// Pixels from one line of a legend to the next.
const LEGEND_LINE: i32 = 26;
/// Pixels around everything.
pub const MARGIN: i32 = 16;

/// The shape of a mark, so that curves differ in more than colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Marker {
    /// A disc.
    Disc,
    /// A square.
    Square,
    /// A triangle.
    Triangle,
    /// A square on its corner.
    Diamond,
}

impl Marker {
    /// The mark of curve number `curve`.
    pub fn of(curve: usize) -> Marker {
        [Marker::Disc, Marker::Square, Marker::Triangle, Marker::Diamond][curve % 4]
    }

    /// Its corners in pixels around its middle; a disc has none.
    pub fn corners(self) -> Option<Vec<(i32, i32)>> {
        match self {
            Marker::Disc => None,
            Marker::Square => Some(vec![(-4, -4), (4, -4), (4, 4), (-4, 4)]),
            Marker::Triangle => Some(vec![(0, -6), (5, 4), (-5, 4)]),
            Marker::Diamond => Some(vec![(0, -6), (6, 0), (0, 6), (-6, 0)]),
        }
    }
}

/// Letters of `size` pixels.
pub fn letters(size: u32, colour: RGBColor) -> TextStyle<'static> {
    ("sans-serif", size).into_font().color(&colour)
}

/// Letters in the middle of where they are put.
pub fn middle(style: TextStyle<'static>) -> TextStyle<'static> {
    style.pos(Pos::new(HPos::Center, VPos::Center))
}

/// A picture of `size` pixels on white, as SVG: `title` and `subtitle` above what `draw` draws.
///
/// # Errors
/// Those of `draw`.
pub fn picture(
    size: (u32, u32),
    title: &str,
    subtitle: &str,
    draw: impl FnOnce(&Area<'_>) -> Result<()>,
) -> Result<String> {
    let mut text = String::new();
    {
        let root = SVGBackend::with_string(&mut text, size).into_drawing_area();
        let cant_draw = |error| anyhow!("can't draw '{title}': {error}");
        root.fill(&WHITE).map_err(cant_draw)?;
        let bold = ("sans-serif", 22, FontStyle::Bold).into_font().color(&INK);
        root.draw_text(title, &bold, (MARGIN, MARGIN)).map_err(cant_draw)?;
        root.draw_text(subtitle, &letters(14, QUIET), (MARGIN, MARGIN + 30)).map_err(cant_draw)?;
        draw(&root.margin(MARGIN + 54, MARGIN, MARGIN, MARGIN))?;
        root.present().map_err(cant_draw)?;
    }
    Ok(text)
}

/// A drawing of `size` pixels without ground and title, as SVG, for a page that has both.
///
/// # Errors
/// Those of `draw`.
pub fn plain(size: (u32, u32), draw: impl FnOnce(&Area<'_>) -> Result<()>) -> Result<String> {
    let mut text = String::new();
    {
        let root = SVGBackend::with_string(&mut text, size).into_drawing_area();
        draw(&root)?;
        root.present().map_err(|error| anyhow!("a plot can't be drawn: {error}"))?;
    }
    Ok(text)
}

/// Draws marks with their names at the top of `area`, in as many lines as they need, and returns the area
/// below.
///
/// # Errors
/// It can't be drawn.
pub fn legend<'a>(area: &Area<'a>, names: &[String]) -> Result<Area<'a>> {
    let width = area.dim_in_pixel().0 as i32;
    let (mut x, mut y) = (4, 9);
    for (curve, name) in names.iter().enumerate() {
        // Letters of 15 pixels are some 6.5 wide.
        let needed = 32 + 13 * name.chars().count() as i32 / 2;
        if x > 4 && x + needed > width {
            (x, y) = (4, y + LEGEND_LINE);
        }
        let colour = COLOURS[curve % COLOURS.len()];
        let cant_draw = |error| anyhow!("can't draw the legend: {error}");
        area.draw(&PathElement::new(vec![(x, y), (x + 24, y)], colour.stroke_width(2))).map_err(cant_draw)?;
        match Marker::of(curve).corners() {
            None => area.draw(&Circle::new((x + 12, y), 5, colour.filled())),
            Some(corners) => {
                area.draw(&(EmptyElement::at((x + 12, y)) + Polygon::new(corners, colour.filled())))
            }
        }
        .map_err(cant_draw)?;
        let beside = letters(15, INK).pos(Pos::new(HPos::Left, VPos::Center));
        area.draw_text(name, &beside, (x + 32, y)).map_err(cant_draw)?;
        x += needed + 26;
    }
    Ok(area.split_vertically(y + LEGEND_LINE - 9).1)
}

/// Draws the axes of a plot with their names, and lines behind it.
///
/// # Errors
/// It can't be drawn.
pub fn frame<'a>(
    chart: &mut ChartContext<'a, SVGBackend<'a>, Cartesian2d<PlotAxis, PlotAxis>>,
    (x_name, y_name): (&str, &str),
    lines: impl Into<ShapeStyle>,
) -> Drawing {
    chart
        .configure_mesh()
        .light_line_style(TRANSPARENT)
        .bold_line_style(lines)
        .axis_style(BORDER)
        .x_desc(x_name)
        .y_desc(y_name)
        .label_style(letters(14, INK))
        .axis_desc_style(letters(15, INK))
        .draw()
}

/// The colour of a score, 0…1: none where it is even, the bluer the better, the redder the worse. It lets the
/// ground shine through, be that light or dark.
pub fn shade(score: f64) -> RGBAColor {
    let colour = if score > 0.5 { COLOURS[0] } else { COLOURS[1] };
    colour.mix(((score - 0.5).abs() * 2.0).min(1.0) * 0.85)
}
