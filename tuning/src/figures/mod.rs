//! Boards and plots as pictures.

pub mod diagram;
pub mod drawing;
pub mod plot;

/// `svg` without the characters that XML forbids, which a name or a title may contain.
pub fn valid_xml(svg: &str) -> String {
    let is_forbidden =
        |letter| matches!(letter, '\0'..'\t' | '\u{b}' | '\u{c}' | '\u{e}'..' ' | '\u{fffe}' | '\u{ffff}');
    svg.replace(is_forbidden, "\u{fffd}")
}
