//! One chart: its axes, and the layers drawn on them.

use super::axis::PlotAxis;
use super::style::{Area, BORDER, Drawing, GRID, INK, anchored, letters, marker};
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, VPos};

/// A point, in the coordinates of the axes.
pub type Point = (f64, f64);

/// Something drawn on the axes.
pub enum Layer {
    /// A line through points.
    Line(Vec<Point>, RGBColor),
    /// A dashed line.
    Dashes(Vec<Point>, RGBColor),
    /// Markers in the shape and colour of the curve with this number.
    Markers(Vec<Point>, usize),
    /// Vertical or horizontal intervals, from one point to another.
    Intervals(Vec<[Point; 2]>, RGBColor),
    /// A filled outline.
    Band(Vec<Point>, RGBColor),
    /// A filled rectangle, `[left, right, bottom, top]`.
    Bar([f64; 4], RGBAColor),
    /// The outline of a rectangle, `[left, right, bottom, top]`.
    Frame([f64; 4]),
    /// Text centred on a point.
    Centred(Point, String, RGBColor),
    /// Text to the right of a point and below it.
    Beside(Point, String, RGBColor),
    /// Text that ends at a point and stands above it.
    Before(Point, String, RGBColor),
}

pub struct Chart {
    pub x: PlotAxis,
    pub y: PlotAxis,
    /// The vertical axis in other units, drawn on the right, and its name.
    pub right: Option<(PlotAxis, &'static str)>,
    /// The names of the horizontal and the vertical axis.
    pub names: (String, String),
    /// The width of the vertical axis's labels, in pixels.
    pub label_width: u32,
    /// Whether a grid is drawn behind the layers.
    pub grid: bool,
    /// The layers, back to front.
    pub layers: Vec<Layer>,
}

type Axes = Cartesian2d<PlotAxis, PlotAxis>;

impl Chart {
    /// A chart with a grid.
    pub fn new(x: PlotAxis, y: PlotAxis, names: (&str, &str), layers: Vec<Layer>) -> Chart {
        let names = (names.0.to_string(), names.1.to_string());
        Chart { x, y, right: None, names, label_width: 66, grid: true, layers }
    }

    pub(super) fn draw(&self, area: &Area<'_>) -> Drawing {
        let mut builder = ChartBuilder::on(area);
        builder.margin(6).margin_right(if self.right.is_some() { 4 } else { 14 });
        builder.x_label_area_size(46).y_label_area_size(self.label_width);
        builder.right_y_label_area_size(if self.right.is_some() { 70 } else { 0 });
        // With a second pair of axes, the labels of the first stay on the left.
        let right = self.right.as_ref().map_or(&self.y, |(axis, _)| axis);
        let chart = builder.build_cartesian_2d(self.x.clone(), self.y.clone())?;
        let mut chart = chart.set_secondary_coord(self.x.clone(), right.clone());
        let mut mesh = chart.configure_mesh();
        mesh.light_line_style(TRANSPARENT).axis_style(BORDER);
        mesh.bold_line_style(if self.grid { GRID.to_rgba() } else { TRANSPARENT });
        mesh.label_style(letters(14, INK)).axis_desc_style(letters(15, INK));
        mesh.x_desc(&self.names.0).y_desc(&self.names.1).draw()?;
        if let Some((_, name)) = self.right {
            let mut axis = chart.configure_secondary_axes();
            axis.axis_style(BORDER).label_style(letters(14, INK)).axis_desc_style(letters(15, INK));
            axis.y_desc(name).draw()?;
        }
        self.layers.iter().try_for_each(|layer| draw_layer(&mut chart, layer))
    }
}

fn draw_layer<'a>(chart: &mut ChartContext<'a, SVGBackend<'a>, Axes>, layer: &Layer) -> Drawing {
    match layer {
        Layer::Line(points, colour) => {
            chart.draw_series(LineSeries::new(points.iter().copied(), colour.stroke_width(2)))?;
        }
        Layer::Dashes(points, colour) => {
            chart.draw_series(DashedLineSeries::new(points.iter().copied(), 6, 4, colour.stroke_width(2)))?;
        }
        Layer::Markers(points, curve) => {
            let colour = super::curve_colour(*curve).filled();
            match marker(*curve) {
                None => chart.draw_series(points.iter().map(|&point| Circle::new(point, 4, colour)))?,
                Some(outline) => chart.draw_series(
                    points
                        .iter()
                        .map(|&point| EmptyElement::at(point) + Polygon::new(outline.clone(), colour)),
                )?,
            };
        }
        Layer::Intervals(intervals, colour) => {
            let style = colour.stroke_width(2);
            for &[from, to] in intervals {
                chart.draw_series([PathElement::new(vec![from, to], style)])?;
                let across = if from.0 == to.0 { (4, 0) } else { (0, 4) };
                let cap = |end| {
                    EmptyElement::at(end) + PathElement::new(vec![(-across.0, -across.1), across], style)
                };
                chart.draw_series([cap(from), cap(to)])?;
            }
        }
        Layer::Band(outline, colour) => {
            chart.draw_series([Polygon::new(outline.clone(), colour.mix(0.16).filled())])?;
        }
        &Layer::Bar([left, right, bottom, top], colour) => {
            chart.draw_series([Rectangle::new([(left, bottom), (right, top)], colour.filled())])?;
        }
        &Layer::Frame([left, right, bottom, top]) => {
            chart.draw_series([Rectangle::new([(left, bottom), (right, top)], INK.stroke_width(2))])?;
        }
        Layer::Centred(point, text, colour) => {
            let style = anchored(letters(14, *colour), HPos::Center, VPos::Center);
            chart.draw_series([EmptyElement::at(*point) + Text::new(text.clone(), (0, 0), style)])?;
        }
        Layer::Beside(point, text, colour) => {
            let style = anchored(letters(14, *colour), HPos::Left, VPos::Top);
            chart.draw_series([EmptyElement::at(*point) + Text::new(text.clone(), (5, 4), style)])?;
        }
        Layer::Before(point, text, colour) => {
            let style = anchored(letters(14, *colour), HPos::Right, VPos::Bottom);
            chart.draw_series([EmptyElement::at(*point) + Text::new(text.clone(), (-4, -4), style)])?;
        }
    }
    Ok(())
}
