//! Plots as data: a [`Chart`] has axes and layers, a [`Plot`] is one or more charts with a title. Both become SVG text
//! here, in one set of colours; drawing them needs neither a font nor a screen.

mod axis;
mod chart;
mod figure;
mod style;

pub use axis::PlotAxis;
pub use chart::{Chart, Layer, Point};
pub use figure::{Figure, Panel, Plot};
pub use style::{BORDER, COLOURS, INK, QUIET, curve_colour, shade};
