//! Games: who plays ([`entrants`]), from where ([`openings`]), many of them ([`mod@matches`]), under a referee
//! who trusts nobody ([`referee`]), and graded as the course does ([`grade`]).

pub mod agents;
pub mod entrants;
pub mod grade;
pub mod matches;
pub mod openings;
pub(crate) mod play_text;
pub mod referee;
pub mod rules_name;
pub mod whole_number;
