//! Results for people and for other programs: reports, exports, analyses, and the page of `lab serve`.

pub mod analysis;
pub mod export;
pub mod report;
pub mod serve;
