//! Boards and plots as pictures.

pub mod diagram;
pub mod drawing;
pub mod plot;

/// `svg` with U+FFFD for each character that XML forbids; a name or a title may contain some.
pub fn valid_xml(svg: &str) -> String {
    let is_forbidden =
        |letter| matches!(letter, '\0'..'\t' | '\u{b}' | '\u{c}' | '\u{e}'..' ' | '\u{fffe}' | '\u{ffff}');
    svg.replace(is_forbidden, "\u{fffd}")
}
