//! What the laboratory's plots have in common: axes whose ticks are where they are wanted, colours,
//! letters, and a picture as SVG text. Nothing here needs a font or a screen.

mod axis;
mod style;

pub use axis::{PlotAxis, round_ticks};
pub use style::{
    Area, BORDER, COLOURS, Drawing, FAINT, INK, MARGIN, Marker, QUIET, frame, legend, letters, middle,
    picture, shade,
};
