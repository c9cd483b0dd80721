//! Shared by the laboratory's plots: axes with chosen ticks, colours, letters, and pictures as SVG text.
//! Nothing here needs a font or a screen.

mod axis;
mod figure;
mod style;

pub use axis::{PlotAxis, round_ticks};
pub use figure::Figure;
pub use style::{
    Area, BORDER, COLOURS, Drawing, FAINT, INK, MARGIN, Marker, QUIET, frame, legend, letters, middle,
    picture, plain, shade,
};
