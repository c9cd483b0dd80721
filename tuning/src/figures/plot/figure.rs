//! Charts as SVG text: as a picture file, or as figures in a page.

use super::super::valid_xml;
use super::chart::Chart;
use super::style::{Area, INK, QUIET, anchored, curve_colour, letters, marker};
use anyhow::{Result, anyhow};
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, VPos};
use std::fmt::Display;

/// The margin around a picture, in pixels.
const MARGIN: i32 = 16;
/// The height of a line of the legend, in pixels.
const LEGEND_LINE: i32 = 26;
/// The height of a panel's title in a picture, in pixels.
const TITLE_LINE: u32 = 28;
/// The minimum width of a picture in pixels, to fit its title.
const MIN_WIDTH: u32 = 720;

/// A drawing for a page, without title and background, and a description of it.
///
/// The page's style sets the size of the letters and replaces the colours, for light and dark. The drawing leaves room
/// for letters of 14 pixels.
#[derive(Clone, Debug)]
pub struct Figure {
    pub title: String,
    /// Explains what the figure shows and how to read it.
    pub caption: String,
    /// The values in words, for screen readers.
    pub description: String,
    pub width: u32,
    pub svg: String,
}

impl Figure {
    /// The usual width, which fits a phone's screen.
    pub const WIDTH: u32 = 400;

    /// Draws `chart`, `size` pixels wide and high, below a legend of `curves`.
    pub fn of(
        chart: &Chart,
        size: (u32, u32),
        curves: &[String],
        [title, caption, description]: [String; 3],
    ) -> Result<Figure> {
        let size = (size.0, size.1 + LEGEND_LINE as u32 * curves.len() as u32);
        let draw = |area: &Area<'_>| {
            let below = if curves.is_empty() { area.clone() } else { legend(area, curves)? };
            chart.draw(&below).map_err(cant_draw)
        };
        let svg = svg(size, draw)?;
        Ok(Figure { title, caption, description, width: size.0, svg })
    }
}

/// A chart of a [`Plot`].
pub struct Panel {
    /// The title; empty if this is the plot's only panel.
    pub title: String,
    /// The values in words, for screen readers.
    pub description: String,
    pub chart: Chart,
}

/// A plot of one or more panels of the same size.
pub struct Plot {
    pub title: String,
    /// Explains what the plot shows and how to read it.
    pub subtitle: String,
    /// The names of the curves, for the legend.
    pub curves: Vec<String>,
    /// The width and height of a panel in a picture, in pixels.
    pub panel: (u32, u32),
    /// The width and height of a panel in a page.
    pub figure: (u32, u32),
    /// The maximum number of panels side by side.
    pub columns: usize,
    pub panels: Vec<Panel>,
}

impl Plot {
    /// The plot as an SVG file: all panels, with title and legend, on white.
    pub fn picture(&self) -> Result<String> {
        let columns = self.columns.clamp(1, self.panels.len().max(1));
        let rows = self.panels.len().div_ceil(columns).max(1);
        let legend_height = LEGEND_LINE as u32 * self.curves.len() as u32;
        let panel = (self.panel.0, self.panel.1 + TITLE_LINE);
        let size = ((panel.0 * columns as u32).max(MIN_WIDTH), panel.1 * rows as u32 + legend_height);
        let size = (size.0 + 2 * MARGIN as u32, size.1 + 90);
        svg(size, |root| {
            root.fill(&WHITE).map_err(cant_draw)?;
            let bold = ("sans-serif", 22, FontStyle::Bold).into_font().color(&INK);
            root.draw_text(&self.title, &bold, (MARGIN, MARGIN)).map_err(cant_draw)?;
            root.draw_text(&self.subtitle, &letters(14, QUIET), (MARGIN, MARGIN + 30)).map_err(cant_draw)?;
            let below = root.margin(MARGIN + 54, MARGIN, MARGIN, MARGIN);
            let below = if self.curves.is_empty() { below } else { legend(&below, &self.curves)? };
            for (number, one) in self.panels.iter().enumerate() {
                let corner = (number % columns * panel.0 as usize, number / columns * panel.1 as usize);
                let corner = (corner.0 as i32, corner.1 as i32);
                let area = below.clone().shrink(corner, (panel.0 as i32, panel.1 as i32));
                let area = area.titled(&one.title, letters(17, INK)).map_err(cant_draw)?;
                one.chart.draw(&area).map_err(cant_draw)?;
            }
            Ok(())
        })
    }

    /// Each panel as a figure of its own.
    pub fn figures(&self) -> Result<Vec<Figure>> {
        let figure = |one: &Panel| {
            let title = if one.title.is_empty() { &self.title } else { &one.title };
            let words = [title, &self.subtitle, &one.description].map(String::clone);
            Figure::of(&one.chart, self.figure, &self.curves, words)
        };
        self.panels.iter().map(figure).collect()
    }
}

fn cant_draw(error: impl Display) -> anyhow::Error {
    anyhow!("can't draw a plot: {error}")
}

/// The SVG text of a drawing of `size` pixels.
fn svg(size: (u32, u32), draw: impl FnOnce(&Area<'_>) -> Result<()>) -> Result<String> {
    let mut text = String::new();
    {
        let root = SVGBackend::with_string(&mut text, size).into_drawing_area();
        draw(&root)?;
        root.present().map_err(cant_draw)?;
    }
    Ok(valid_xml(&text))
}

/// Draws the markers and names of curves at the top of `area`, in as many lines as they need, and returns the area
/// below.
fn legend<'a>(area: &Area<'a>, names: &[String]) -> Result<Area<'a>> {
    let width = area.dim_in_pixel().0 as i32;
    let (mut x, mut y) = (4, 9);
    for (curve, name) in names.iter().enumerate() {
        // Letters 15 pixels high are about 6.5 pixels wide.
        let needed = 32 + 13 * name.chars().count() as i32 / 2;
        if x > 4 && x + needed > width {
            (x, y) = (4, y + LEGEND_LINE);
        }
        let colour = curve_colour(curve);
        area.draw(&PathElement::new(vec![(x, y), (x + 24, y)], colour.stroke_width(2))).map_err(cant_draw)?;
        match marker(curve) {
            None => area.draw(&Circle::new((x + 12, y), 5, colour.filled())),
            Some(outline) => {
                area.draw(&(EmptyElement::at((x + 12, y)) + Polygon::new(outline, colour.filled())))
            }
        }
        .map_err(cant_draw)?;
        let beside = anchored(letters(15, INK), HPos::Left, VPos::Center);
        area.draw_text(name, &beside, (x + 32, y)).map_err(cant_draw)?;
        x += needed + 26;
    }
    Ok(area.split_vertically(y + LEGEND_LINE - 9).1)
}
