//! Star and Circle's input: accepted variants, and the line and column in errors. `homework_text.rs` gives the same reader
//! damaged files and arbitrary bytes.

use crate::support::inputs::replace_line;
use halma::homework::star_circle::Problem;
use halma::support::text::TextError;

const VALID: &str = "Circle
ALPHABETA
4
0,S2,0,C1,0,0,0,0
S1,0,0,0,0,0,C1,0
0,0,0,0,0,0,0,C1
0,0,C1,0,0,0,S1,0
0,0,0,0,0,S1,0,0
0,0,0,0,0,0,0,0
0,S1,0,0,0,0,0,0
C12,0,S1,0,0,0,0,0
10,20,30,40,50,60,70,80
";

/// The valid input with line `number` (from 1) replaced.
fn with_line(number: usize, text: &str) -> String {
    replace_line(VALID, number, text)
}

fn error(input: &str) -> TextError {
    Problem::parse(input).expect_err(input)
}

#[test]
fn line_ends_and_trailing_blanks_do_not_matter() {
    let problem = Problem::parse(VALID).unwrap();
    let answer = problem.answer().to_string();
    assert_eq!(answer.lines().count(), 4);
    assert!(!answer.ends_with('\n'));
    for input in [
        VALID.trim_end().to_string(),
        VALID.replace('\n', "\r\n"),
        VALID.trim_end().replace('\n', "\r\n"),
        VALID.replace('\n', "  \n"),
        VALID.replace('\n', " \t\r\n"),
        format!("{VALID}\n\n"),
        format!("{VALID}  \r\n\t\n "),
        VALID.replace('\n', "\r\n") + "\r\n\r\n",
    ] {
        assert_eq!(Problem::parse(&input), Ok(problem), "{input:?}");
    }
}

#[test]
fn numbers_of_32_bits_are_read_and_summed() {
    let input = "Star\nMINIMAX\n1\n\
        S4294967295,S4294967295,S4294967295,S4294967295,S4294967295,S4294967295,S4294967295,S4294967295\n\
        0,0,0,0,0,0,0,0\n0,0,0,0,0,0,0,0\n0,0,0,0,0,0,0,0\n0,0,0,0,0,0,0,0\n0,0,0,0,0,0,0,0\n\
        0,0,0,0,0,0,C1,0\n0,0,0,0,0,0,0,0\n-2147483648,007,-0,1,2,3,4,4294967295";
    let utility = 8 * 4_294_967_295_i128 * 4_294_967_295 - 4;
    let answer = Problem::parse(input).unwrap().answer();
    assert_eq!(answer.to_string(), format!("pass\n{utility}\n{utility}\n2"));
}

#[test]
fn depth_0_answers_the_first_play_without_a_search() {
    let answer = Problem::parse(&with_line(3, "0")).unwrap().answer();
    assert_eq!(answer.play.to_string(), "H4-G3");
    // The farsighted value is the root's own; the step gains a row.
    assert_eq!(answer.myopic, answer.farsighted + 10);
    assert_eq!(answer.nodes, 1);
}

#[test]
fn errors_name_the_place_of_the_fault() {
    let row = "0,0,0,0,0,0,0,0";
    for (input, line, column) in [
        (String::new(), 1, 1),
        ("\n".into(), 1, 1),
        ("\u{feff}".to_string() + VALID, 1, 1),
        ("\n".to_string() + VALID, 1, 1),
        (with_line(1, "star"), 1, 1),
        (with_line(1, " Star"), 1, 1),
        (with_line(1, "Star Circle"), 1, 1),
        (with_line(1, "SINGLE"), 1, 1),
        ("Star".into(), 2, 1),
        (with_line(2, "minimax"), 2, 1),
        (with_line(2, "ALPHA-BETA"), 2, 1),
        (with_line(2, ""), 2, 1),
        ("Star\nMINIMAX\n".into(), 3, 1),
        (with_line(3, "11"), 3, 1),
        (with_line(3, "-1"), 3, 1),
        (with_line(3, "+1"), 3, 1),
        (with_line(3, "2.0"), 3, 1),
        (with_line(3, "99999999999999999999999"), 3, 1),
        (with_line(3, "٣"), 3, 1),
        ("Star\nMINIMAX\n2\n".into(), 4, 1),
        (with_line(4, "0,0,0,0,0,0,0"), 4, 14),
        (with_line(4, "0,0,0,0,0,0,0,0,0"), 4, 17),
        (with_line(4, "0,0,0,0,0,0,0,0,"), 4, 17),
        (with_line(4, "0,0,0,0,0,0,0,"), 4, 15),
        (with_line(4, ",0,0,0,0,0,0,0"), 4, 1),
        (with_line(4, "00000000"), 4, 1),
        (with_line(4, "0"), 4, 2),
        (with_line(5, ""), 5, 1),
        (with_line(5, "0,s1,0,0,0,0,0,0"), 5, 3),
        (with_line(5, "0,X1,0,0,0,0,0,0"), 5, 3),
        (with_line(5, "0,0, S1,0,0,0,0,0"), 5, 5),
        (with_line(5, "0,0,S1 ,0,0,0,0,0"), 5, 5),
        (with_line(5, "0,0,S,0,0,0,0,0"), 5, 5),
        (with_line(5, "0,0,S-1,0,0,0,0,0"), 5, 5),
        (with_line(5, "0,0,S1C1,0,0,0,0,0"), 5, 5),
        (with_line(5, "0,0,1,0,0,0,0,0"), 5, 5),
        (with_line(5, "0,é,ß,0,0,0,0,0"), 5, 3),
        (with_line(5, "0,0,Sé,0,0,0,0,0"), 5, 5),
        (with_line(5, "0,0,S0,0,0,0,0,0"), 5, 6),
        (with_line(4, "0,0,S4294967296,0,0,0,0,0"), 4, 6),
        (with_line(4, "0,0,0,0,0,0,0,C2"), 4, 16),
        (with_line(5, "0,0,S2,0,0,0,0,0"), 5, 6),
        (with_line(10, "0,C3,0,0,0,0,0,0"), 10, 4),
        (with_line(11, "0,S2,0,0,0,0,0,0"), 11, 4),
        (with_line(11, "10,20,30,40,50,60,70,80"), 11, 1),
        (VALID.lines().take(11).collect::<Vec<_>>().join("\n"), 12, 1),
        (with_line(12, row) + "10,20,30,40,50,60,70,80", 13, 1),
        (with_line(12, "10,20,30,40,50,60,70"), 12, 21),
        (with_line(12, "10,20,30,40,50,60,70,80,90"), 12, 25),
        (with_line(12, "10,20,thirty,40,50,60,70,80"), 12, 7),
        (with_line(12, "10,20,3.5,40,50,60,70,80"), 12, 7),
        (with_line(12, "10,20,,40,50,60,70,80"), 12, 7),
        (with_line(12, "10,20,-,40,50,60,70,80"), 12, 7),
        (with_line(12, "10,20,+30,40,50,60,70,80"), 12, 7),
        (with_line(12, "10,20, 30,40,50,60,70,80"), 12, 7),
        (with_line(12, "10,20,30,40,50,60,70,4294967296"), 12, 22),
        (with_line(12, "-2147483649,20,30,40,50,60,70,80"), 12, 1),
        (with_line(12, "1e3,20,30,40,50,60,70,80"), 12, 1),
        (VALID.to_string() + "\n  more", 14, 3),
        (VALID.to_string() + VALID, 13, 1),
        (VALID.replace('\n', "\r"), 1, 1),
        (VALID.replace("ALPHABETA\n", ""), 2, 1),
    ] {
        let error = error(&input);
        assert_eq!((error.line, error.column), (line, column), "{error}\n{input:?}");
    }
}

#[test]
fn errors_say_what_was_expected() {
    for (input, message) in [
        (with_line(1, "Square"), "found \"Square\"; the player must be Star or Circle"),
        (with_line(2, ""), "found nothing; the algorithm must be MINIMAX or ALPHABETA"),
        (with_line(3, "11"), "found \"11\"; the depth limit must be a whole number from 0 to 10"),
        (
            with_line(4, "x,0,0,0,0,0,0,0"),
            "found \"x\"; a square must be 0, S1 or C1; S2 or more only in row H, C2 or more only in row A",
        ),
        (with_line(4, "S0,0,0,0,0,0,0,0"), "found \"0\"; a count of pieces must be from 1 to 4294967295"),
        (
            with_line(5, "S2,0,0,0,0,0,0,0"),
            "found \"2\"; only Star in row H and Circle in row A may share a square",
        ),
        (with_line(6, "0,0"), "found nothing; the line must have 8 entries with commas between them"),
        (with_line(6, "0,0,0,0,0,0,0,0,0"), "found \"0\"; the line must end after its 8th entry"),
        (with_line(12, "1,2,x,4,5,6,7,8"), "found \"x\"; a row value must be a whole number"),
        (
            with_line(12, "1,2,9999999999,4,5,6,7,8"),
            "found \"9999999999\"; a row value must be from -2147483648 to 4294967295",
        ),
        (VALID.to_string() + "x", "found \"x\"; nothing but blank lines may follow the row values"),
    ] {
        assert_eq!(error(&input).message, message);
    }
    let long = error(&"x".repeat(1 << 20));
    assert!(long.message.ends_with("; the player must be Star or Circle"), "{long}");
    assert!(long.to_string().len() < 100);
}
