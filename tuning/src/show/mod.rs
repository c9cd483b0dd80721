//! Results for people and for other programs: reports, exports, analyses, and the page of `lab serve`.

pub(crate) mod analysis;
pub(crate) mod export;
pub(crate) mod report;
pub(crate) mod serve;

pub use analysis::{analysis_of, picture_of};
pub use export::{Column, Table, tables};
