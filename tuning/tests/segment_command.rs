//! `lab segment`: which agent continues recorded games better.

use crate::support::Folder;

const SEGMENT: &str = "run --evaluator-iterations 2000 --positions 12 --from 30 --plies";

/// The advantages that `lab segment` prints, each with the lower end of its interval.
fn advantages(folder: &Folder, agents: &str, rest: &str) -> Vec<(f64, f64)> {
    let printed = folder.succeeds(&format!("segment {agents} {SEGMENT} {rest}"));
    let lines = printed.lines().filter_map(|line| line.strip_prefix("advantage"));
    let numbers = lines.map(|line| {
        let mut words = line.split_whitespace().map(|word| word.trim_start_matches('('));
        let mut number = || words.next().and_then(|word| word.parse().ok()).expect("a number");
        (number(), number())
    });
    numbers.collect()
}

#[test]
fn the_better_agent_gains_and_equal_ones_do_not() {
    let folder = Folder::small_match();
    let better = advantages(&folder, "mcts random", "20 --iterations 50");
    assert_eq!(better.len(), 2, "two evaluators by default");
    assert!(better.iter().all(|&(_, lowest)| lowest > 0.0), "{better:?}");
    // The stronger agent has the advantage, and so has the one with more iterations.
    for (agents, counts, sign) in
        [("random mcts", "50", -1.0), ("mcts mcts", "600,20", 1.0), ("mcts mcts", "20,600", -1.0)]
    {
        let found = advantages(&folder, agents, &format!("20 --iterations {counts}"));
        assert!(found.iter().all(|&(mean, _)| sign * mean > 0.0), "{agents} {counts}: {found:?}");
    }
    // Alpha-beta is deterministic: with sides swapped it plays the same game.
    let equal = advantages(&folder, "alphabeta alphabeta", "8 --iterations 500 --evaluator mcts");
    assert_eq!(equal, [(0.0, 0.0)]);
}

#[test]
fn the_number_of_threads_makes_no_difference_and_the_seed_does() {
    let folder = Folder::small_match();
    let with = |more: &str| {
        let fixed = "run --from 24 --plies 10 --evaluator-iterations 500 --iterations 30 --positions 3";
        folder.succeeds(&format!("segment 'mcts(race=off)' greedy {fixed} {more}"))
    };
    let one = with("--jobs 1");
    assert_eq!(one, with("--jobs 2"));
    assert_ne!(one, with("--seed 2"));
}

#[test]
fn bad_arguments_are_refused() {
    Folder::small_match().refuses(
        "segment greedy --plies 2",
        &[
            ("best run --from 30 --iterations 10", "there is no agent 'best'"),
            ("mcts run --from 4000 --iterations 10", "these folders contain no position after 4000 plies"),
            ("mcts run --from 30", "--iterations"),
            ("mcts run --from 30 --iterations 1,2,3", "one number for both agents, or two"),
            ("mcts run --from 30 --iterations 10 --evaluator jury", "there is no agent 'jury'"),
            ("mcts run --from 30 --iterations 10 --positions 0", "--positions"),
            ("mcts /no/such --from 3 --iterations 1", "can't read /no/such"),
        ],
    );
}
