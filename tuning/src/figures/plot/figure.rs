//! A drawing that a page shows.

/// A drawing without title and ground, and what is said of it in words.
///
/// The page's style replaces its letters' size and the colours of [`plot`](crate::figures::plot) by its own, light or dark. It
/// leaves room for letters of 14 pixels at its own size.
#[derive(Clone, Debug)]
pub struct Figure {
    /// Its title.
    pub title: String,
    /// What it shows, and how to read it.
    pub about: String,
    /// Its figures in words, for those who can't see it.
    pub told: String,
    /// Its width in pixels.
    pub width: u32,
    /// The drawing.
    pub svg: String,
}

impl Figure {
    /// The usual width, which fits a telephone's screen.
    pub const WIDTH: u32 = 400;
}
