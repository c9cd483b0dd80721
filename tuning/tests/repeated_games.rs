//! Repeated games: from the same opening, deterministic agents play the same game again. The repeats must not make any
//! figure look more certain.

use crate::support::{Folder, list, number, timeless};
use serde_json::Value;

/// Two deterministic agents, with so few iterations that games are fast.
const AGENTS: &str = "'mcts(race=off)' 'mcts(race=off, c=3)' --iterations 4";

/// Three distinct openings, the first of them given twice.
const OPENINGS: &str = "2,0 4,2; 13,15 11,13\n2,0 4,2; 13,15 11,13\n0,4 1,5\n2,0 4,2\n";

fn intervals(result: &Value) -> Vec<f64> {
    ["elo_interval", "normalized_elo_interval"]
        .iter()
        .flat_map(|name| ["from", "to"].map(|end| result[name][end].as_f64().unwrap_or(f64::INFINITY)))
        .collect()
}

/// Everything that is inferred from the pairs of games.
fn inferred(result: &Value) -> Vec<&Value> {
    ["pairs", "score", "elo_interval", "normalized_elo_interval", "los", "first_mover"]
        .iter()
        .map(|name| &result[name])
        .collect()
}

#[test]
fn a_repeated_pair_changes_nothing_but_the_number_of_games() {
    let folder = Folder::with("openings.txt", OPENINGS);
    folder.write("different.txt", OPENINGS.replacen("2,0 4,2; 13,15 11,13\n", "", 1));
    let result = |rest: &str| folder.result(&format!("match {AGENTS} {rest}"));
    let once = result("--games 6 --openings different.txt");
    assert_eq!(once["repeats"], 0);
    let often = result("--games 80 --openings openings.txt");
    assert_eq!((&often["games"], &often["repeats"]), (&80.into(), &37.into()));
    assert_eq!(inferred(&often), inferred(&once));
    assert!(intervals(&once).iter().any(|end| end.is_finite()));

    // Two openings that reach the same position by a different order of plays count as one.
    let (one, other) = ("2,0 4,2; 13,15 11,13; 0,4 1,5", "0,4 1,5; 13,15 11,13; 2,0 4,2");
    folder.write("order.txt", format!("{one}\n{other}\n"));
    assert_eq!(result("--games 4 --openings order.txt")["repeats"], 1);
}

#[test]
fn the_sequential_test_needs_different_games() {
    let folder = Folder::new();
    let tested = format!("match {AGENTS} --games 80 --openings random:0-0 --sprt 0 20");
    folder.succeeds(&format!("{tested} --out run"));
    let result = folder.json("run/result.json");
    assert_eq!(result["sprt"]["verdict"], "undecided");
    assert_eq!(result["games"], 80);
    for shard in ["1/2", "2/2"] {
        folder.succeeds(&format!("{tested} --shard {shard} --out part-{}", &shard[..1]));
    }
    assert_eq!(folder.timeless_result("merge merged part-1 part-2"), timeless(result));
    folder.keep_lines("run/games.jsonl", 31);
    folder.remove("run/result.json");
    folder.succeeds(&format!("{tested} --jobs 1 --out run"));
    assert_eq!(folder.timeless("run"), folder.timeless("merged"));
}

#[test]
fn agents_that_draw_random_numbers_play_other_games_from_the_same_opening() {
    let result =
        Folder::new().result("match random greedy --iterations 1 --games 8 --openings start --max-plies 60");
    assert_eq!(result["repeats"], 0);
    assert_eq!(list(&result["pairs"]).iter().map(number).sum::<f64>(), 4.0);
}

#[test]
fn every_result_and_report_names_the_repeats() {
    let sweep = "agent = 'mcts'\nopponent = 'alphabeta'\nopenings = 'start'\ngames = 8\nmax_plies = 40\n\
                 budgets = [{ iterations = 4 }]\n[grid]\nc = [1, 3]\n";
    let each_other = sweep.replace("opponent = 'alphabeta'", "each_other = true");
    let tournament =
        "tournament mcts 'mcts(c=3)' alphabeta --iterations 4 --games 8 --openings start --max-plies 40";
    for (line, file, words) in [
        (format!("match {AGENTS} --games 8 --openings start"), "", "3 of 4 pairs repeat"),
        (tournament.to_string(), "", "9 of 12 pairs repeat"),
        ("sweep file.toml".to_string(), sweep, "3 of 4 pairs repeat"),
        ("sweep file.toml".to_string(), &each_other, "3 of 4 pairs repeat"),
    ] {
        let folder = Folder::played_with(&line, "file.toml", file);
        let printed = folder.succeeds(&format!("{line} --out run"));
        assert!(printed.contains(words), "{line}: {printed}");
        let notes = folder.notes(&line);
        assert!(
            notes.contains("warning: openings repeat: 4 pairs of games have only 1 distinct opening."),
            "{line}: {notes}"
        );
        folder.succeeds("report run");
        let page = folder.read("run/report.html");
        assert!(page.contains("<b>Repeated games:</b>") && page.contains("3 of 4 pairs repeat"), "{line}");
    }
}
