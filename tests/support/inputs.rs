//! A valid `input.txt` for Halma, and broken ones.

/// White wins with 4,3 to 3,2 and with no other play.
pub const VALID: &str = "\
SINGLE
WHITE
100.0
WWWWW...........
WWWWW...........
WWW.............
WWW.W...........
WW..............
................
................
................
................
................
................
..........B...BB
.............BBB
.............BBB
...........BBBBB
...........BBBBB
";

/// `file` with line `number` (from 1) replaced by `text`.
pub fn replace_line(file: &str, number: usize, text: &str) -> String {
    let mut lines: Vec<&str> = file.lines().collect();
    lines[number - 1] = text;
    lines.join("\n") + "\n"
}

/// The valid file with line `number` (from 1) replaced.
pub fn with_line(number: usize, text: &str) -> String {
    replace_line(VALID, number, text)
}

/// The valid file without line `number` (from 1).
fn without_line(number: usize) -> String {
    let lines = VALID.lines().enumerate().filter(|(at, _)| at + 1 != number);
    lines.map(|(_, line)| format!("{line}\n")).collect()
}

/// The first `lines` lines of the valid file.
fn cut_after(lines: usize) -> String {
    VALID.split_inclusive('\n').take(lines).collect()
}

/// Broken files: the text, the line and column of the fault, and a part of the message.
pub fn broken() -> Vec<(String, usize, usize, &'static str)> {
    const NUMBER: &str = "expected the CPU seconds left, such as 300, 6.6 or 1e-3";
    const SQUARE: &str = "expected 'B', 'W' or '.' on the board";
    let board = |row: usize, text: &str| with_line(row + 3, text);
    vec![
        // The first line.
        (String::new(), 1, 1, "expected SINGLE or GAME, found the end of the file"),
        ("\n".into(), 1, 1, "expected SINGLE or GAME, found \"\""),
        ("S".into(), 1, 2, "expected SINGLE or GAME, found \"S\""),
        (with_line(1, ""), 1, 1, "expected SINGLE or GAME"),
        (with_line(1, "single"), 1, 1, "expected SINGLE or GAME, found \"single\""),
        (with_line(1, "Game"), 1, 2, "found \"Game\""),
        (with_line(1, "SINGEL"), 1, 5, "found \"SINGEL\""),
        (with_line(1, "SINGLES"), 1, 7, "found \"SINGLES\""),
        (with_line(1, "GAM"), 1, 4, "found \"GAM\""),
        (with_line(1, " SINGLE"), 1, 1, "found \" SINGLE\""),
        (with_line(1, "SINGLE WHITE"), 1, 7, "found \"SINGLE WHITE\""),
        (with_line(1, "Star"), 1, 2, "expected SINGLE or GAME"),
        (with_line(1, "\u{feff}\u{feff}SINGLE"), 1, 1, "expected SINGLE or GAME"),
        (with_line(1, "\u{feff}SINGEL"), 1, 5, "found \"SINGEL\""),
        (with_line(2, "\u{feff}WHITE"), 2, 1, "expected BLACK or WHITE"),
        (with_line(1, "SING\0LE"), 1, 5, "\\0"),
        (format!("\n{VALID}"), 1, 1, "expected SINGLE or GAME, found \"\""),
        (without_line(1), 1, 1, "expected SINGLE or GAME, found \"WHITE\""),
        ("GAME GAME GAME GAME GAME GAME".into(), 1, 5, "found \"GAME GAME GAME GAME …\""),
        // The side.
        (cut_after(1), 2, 1, "expected BLACK or WHITE, found the end of the file"),
        ("GAME".into(), 2, 1, "expected BLACK or WHITE, found the end of the file"),
        (with_line(2, ""), 2, 1, "expected BLACK or WHITE, found \"\""),
        (with_line(2, "white"), 2, 1, "found \"white\""),
        (with_line(2, "WHIT"), 2, 5, "found \"WHIT\""),
        (with_line(2, "BLUE"), 2, 3, "found \"BLUE\""),
        (with_line(2, "W"), 2, 2, "found \"W\""),
        (with_line(2, "\tWHITE"), 2, 1, "found \"\\tWHITE\""),
        (without_line(2), 2, 1, "expected BLACK or WHITE, found \"100.0\""),
        // The time left.
        (cut_after(2), 3, 1, "1e-3, found the end of the file"),
        (with_line(3, ""), 3, 1, "found the end of the line"),
        (with_line(3, "   "), 3, 1, "found the end of the line"),
        (with_line(3, "."), 3, 2, "found the end of the line"),
        (with_line(3, "1e"), 3, 3, "found the end of the line"),
        (with_line(3, "1e-"), 3, 4, "found the end of the line"),
        (with_line(3, "x"), 3, 1, NUMBER),
        (with_line(3, " 10"), 3, 1, "found ' '"),
        (with_line(3, "-5"), 3, 1, "found '-'"),
        (with_line(3, "+5"), 3, 1, "found '+'"),
        (with_line(3, "nan"), 3, 1, "found 'n'"),
        (with_line(3, "NaN"), 3, 1, NUMBER),
        (with_line(3, "inf"), 3, 1, "found 'i'"),
        (with_line(3, "infinity"), 3, 1, NUMBER),
        (with_line(3, "0x10"), 3, 2, "found 'x'"),
        (with_line(3, "1_000"), 3, 2, "found '_'"),
        (with_line(3, "1,5"), 3, 2, "found ','"),
        (with_line(3, "1.2.3"), 3, 4, "found '.'"),
        (with_line(3, "100.0s"), 3, 6, "found 's'"),
        (with_line(3, "100.0 s"), 3, 6, "found ' '"),
        (with_line(3, "1e+-3"), 3, 4, "found '-'"),
        (with_line(3, "1e3.5"), 3, 4, "found '.'"),
        (with_line(3, "12½"), 3, 3, "found '½'"),
        (with_line(3, "0"), 3, 1, "must be more than 0"),
        (with_line(3, "0.000"), 3, 1, "must be more than 0"),
        (with_line(3, "0e5"), 3, 1, "must be more than 0"),
        (with_line(3, "1e-400"), 3, 1, "must be more than 0"),
        (with_line(3, "1e400"), 3, 1, "must be finite"),
        (without_line(3), 3, 1, "found 'W'"),
        // The board.
        (cut_after(3), 4, 1, "the board ends after 0 rows; it must have 16"),
        (cut_after(10), 11, 1, "the board ends after 7 rows"),
        (cut_after(18), 19, 1, "the board ends after 15 rows"),
        (without_line(9), 19, 1, "the board ends after 15 rows"),
        (board(1, ""), 4, 1, "has 0 characters; it must have 16"),
        (board(1, "WWWWW.........."), 4, 16, "has 15 characters"),
        (board(16, "...........BBBB"), 19, 16, "has 15 characters"),
        (board(2, "WWWWW............"), 5, 17, "has 17 characters"),
        (board(3, " WWW............"), 6, 1, "found ' '"),
        (board(6, "........ ......."), 9, 9, SQUARE),
        (board(7, "...............x"), 10, 16, "found 'x'"),
        (board(8, "0..............."), 11, 1, "found '0'"),
        (board(9, "..b............."), 12, 3, "found 'b'"),
        (board(10, "w..............."), 13, 1, "found 'w'"),
        (board(10, ". . . . . . . . . . . . . . . ."), 13, 2, "found ' '"),
        (board(11, "......é........."), 14, 7, "found 'é'"),
        (board(11, "......\u{301}........."), 14, 7, SQUARE),
        (board(5, "WW..W..........."), 8, 5, "WHITE has more than 19 pieces"),
        (board(16, "..........BBBBBB"), 19, 16, "BLACK has more than 19 pieces"),
        (VALID.replace('W', ".").replacen(".HITE", "WHITE", 1), 4, 1, "WHITE is to move but has no piece"),
        (VALID.replace('B', ".").replace("WHITE", "BLACK"), 4, 1, "BLACK is to move but has no piece"),
        // After the board.
        (
            format!("{VALID}................\n"),
            20,
            1,
            "expected the end of the file after 16 rows, found '.'",
        ),
        (format!("{VALID}\n \n\t x\n"), 22, 3, "after 16 rows, found 'x'"),
        (format!("{VALID}\u{1a}"), 20, 1, "expected the end of the file after 16 rows"),
        (format!("{VALID}{VALID}"), 20, 1, "after 16 rows, found 'S'"),
        // Wrong line ends.
        (VALID.replace('\n', "\r"), 1, 7, "expected SINGLE or GAME"),
        (VALID.replace('\n', " "), 1, 7, "expected SINGLE or GAME"),
        (VALID.replacen("100.0", "100\r.0", 1), 3, 4, "found '\\r'"),
        // Too long.
        (VALID.to_owned() + &"\n".repeat(70_000), 65_265, 1, "the file continues here"),
        (VALID.to_owned() + &" ".repeat(70_000), 20, 65_246, "the file continues here"),
    ]
}
