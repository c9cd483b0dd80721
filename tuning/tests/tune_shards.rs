//! `lab tune` in shards, which read each other's games after each iteration.

use crate::support::Folder;
use std::process::Child;
use std::thread;
use std::time::Duration;

/// Three steps of two parameters, each decided by three pairs of games.
const TUNE: &str = r#"
agent = "mcts(race=off)"
budget = { iterations = 10 }
iterations = 3
pairs = 3
seed = 4
[parameters.c]
from = 0.1
to = 2
step = 0.3
[parameters.final_visits]
step = 0.2
"#;

fn line(index: usize, count: usize) -> String {
    format!("tune tune.toml --shard {index}/{count} --out parts/{index}-of-{count} --jobs 1")
}

fn start(folder: &Folder, count: usize) -> Vec<Child> {
    (1..=count).map(|index| folder.spawn(&line(index, count))).collect()
}

fn end(shards: Vec<Child>) {
    for mut shard in shards {
        assert!(shard.wait().expect("it ends").success());
    }
}

fn merge(count: usize) -> String {
    let parts: Vec<String> = (1..=count).map(|index| format!("parts/{index}-of-{count}")).collect();
    format!("merge merged-{count} {}", parts.join(" "))
}

/// The page of `lab report .` in the folder of a run.
fn report(folder: &Folder, run: &str) -> String {
    let output = folder.lab("report .").current_dir(folder.path(run)).output().expect("lab starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    folder.read(&format!("{run}/report.html"))
}

#[test]
fn any_number_of_shards_takes_the_same_steps() {
    let folder = Folder::with("tune.toml", TUNE);
    folder.succeeds("tune tune.toml --out whole");
    let whole = folder.timeless("whole");
    assert!(whole.contains_key("tune.jsonl") && whole.contains_key("tune.svg"));
    for count in [2, 3] {
        end(start(&folder, count));
        folder.succeeds(&merge(count));
        assert_eq!(folder.timeless(&format!("merged-{count}")), whole, "{count} shards");
        // Each shard has the steps of the whole run, although it has only its own games.
        let part = format!("parts/1-of-{count}");
        assert_eq!(folder.timeless(&part)["tune.jsonl"], whole["tune.jsonl"]);
        let games = if count == 2 { 12 } else { 6 };
        assert_eq!(folder.lines_of_games(&part), games);
        let page = report(&folder, &part);
        assert!(page.contains("3 of 3 iterations") && !page.contains("Not finished"), "{count} shards");
    }
    // While one shard is extended, all of them can still be reported.
    let first = folder.spawn(&format!("{} --steps 4", line(1, 3)));
    while folder.lines_of_games("parts/1-of-3") < 8 {
        thread::sleep(Duration::from_millis(5));
    }
    assert!(report(&folder, "parts/1-of-3").contains("3 of 4 iterations"));
    assert!(report(&folder, "parts/2-of-3").contains("3 of 3 iterations"));
    // A larger `--steps` extends shards just as it extends a whole run.
    folder.succeeds("tune tune.toml --steps 4 --out whole");
    let others = (2..=3).map(|index| folder.spawn(&format!("{} --steps 4", line(index, 3))));
    end([first].into_iter().chain(others).collect());
    folder.succeeds(&merge(3));
    assert_eq!(folder.timeless("merged-3"), folder.timeless("whole"));
}

/// One shard is killed and the others wait for it. Then all are killed, and the same commands continue the run.
#[test]
fn killed_shards_go_on() {
    let folder = Folder::with("tune.toml", TUNE);
    folder.write("tune.toml", TUNE.replace("iterations = 3", "iterations = 6"));
    folder.succeeds("tune tune.toml --out whole");
    let mut shards = start(&folder, 2);
    while folder.lines_of_games("parts/2-of-2") < 5 {
        thread::sleep(Duration::from_millis(1));
    }
    let mut second = shards.pop().expect("two");
    second.kill().expect("it runs");
    second.wait().expect("it ends");
    thread::sleep(Duration::from_millis(300));
    assert!(shards[0].try_wait().expect("its status").is_none(), "the first waits for the second");
    folder.refused(&merge(2), "finish it first");
    shards.push(folder.spawn(&line(2, 2)));
    thread::sleep(Duration::from_millis(50));
    for mut shard in shards {
        shard.kill().expect("it has not been waited for");
        shard.wait().expect("it ends");
    }
    end(start(&folder, 2));
    folder.succeeds(&merge(2));
    assert_eq!(folder.timeless("merged-2"), folder.timeless("whole"));
    folder.succeeds("report merged-2");
    folder.succeeds("report parts/1-of-2");
}

#[test]
fn shards_that_do_not_belong_together_are_refused() {
    let folder = Folder::with("tune.toml", TUNE);
    for out in ["part", "2-of-2"] {
        let line = format!("tune tune.toml --shard 1/2 --out {out}");
        folder.refused(&line, "put this one into a folder called 1-of-2, beside");
        assert!(!folder.exists(out));
    }
    // The only shard of a run may be in any folder.
    folder.succeeds("tune tune.toml --shard 1/1 --steps 1 --out anywhere");
    folder.refused("tune tune.toml --shard 1/4 --out 1-of-4", "there are only 3 pairs of games");
    end(start(&folder, 2));
    // A shard does not wait for the games of a run with another seed.
    folder.copy("parts/2-of-2", "mixed/2-of-2");
    folder.write("other.toml", TUNE.replace("seed = 4", "seed = 5"));
    folder.refused(
        "tune other.toml --shard 1/2 --out mixed/1-of-2",
        "mixed/2-of-2 holds a run of 'lab tune' with other arguments; use another folder: 'seed' was 4 and is \
         now 5.",
    );
    folder.copy("parts/1-of-2", "alone/1-of-2");
    folder
        .refused("report alone/1-of-2", "shard 2/2 lacks games of match 1, from which later matches follow");
    folder.copy("parts/1-of-2", "edited/1-of-99999999999");
    folder.replace("edited/1-of-99999999999/run.json", "\"1/2\"", "\"1/99999999999\"");
    folder.refused("report edited/1-of-99999999999", "there are only 3 pairs of games");
    folder.keep_lines("parts/2-of-2/games.jsonl", 3);
    folder.refused(&merge(2), "parts/2-of-2: shard 2/2 lacks games of match 2");
}
