//! Results shown to people and to other programs: reports, exports, and the page of `lab serve`.

pub mod analysis;
pub mod export;
pub mod report;
pub mod serve;
