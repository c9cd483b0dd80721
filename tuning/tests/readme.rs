//! The laboratory's README says what the formulas say.

use halma_lab::statistics::score_of_elo;

/// The quantiles of the normal distribution that leave 2.5 % and 20 % above them.
const Z_95: f64 = 1.959_964;
const Z_80: f64 = 0.841_621;

/// A number with commas between thousands.
fn written(number: f64) -> String {
    let number = number.round() as u64;
    if number < 1000 { number.to_string() } else { format!("{},{:03}", number / 1000, number % 1000) }
}

#[test]
fn the_table_of_games_is_that_of_the_formula() {
    let readme = include_str!("../README.md");
    for elo in [100.0, 50.0, 30.0, 20.0, 10.0, 5.0] {
        let score = score_of_elo(elo);
        let games = |quantile: f64| written((quantile * 0.5 / (score - 0.5)).powi(2));
        let percent = 100.0 * score;
        let line = format!("| {elo} | {percent:.1} % | {} | {} |\n", games(Z_95), games(Z_95 + Z_80));
        assert!(readme.contains(&line), "put this line into README.md: {line}");
    }
}
