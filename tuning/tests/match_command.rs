//! `lab match`: its games and openings, the trees that it records, its sequential test, and bad arguments.

use crate::support::{Folder, list, positions, string};
use halma::game::{Game, Outcome};
use halma::rules::BLACK;
use halma_lab::learn::games::each;
use serde_json::{Value, json};

#[test]
fn tree_nodes_are_recorded_on_request() {
    let line = "match 'mcts(race=off)' 'mcts(race=off, c=0.7)' --games 15 --iterations 40 --seed 7";
    let (plain, noted) = (Folder::played(line), Folder::played(&format!("{line} --tree-nodes 12")));
    let [expected, found] = [&plain, &noted].map(|folder| folder.timeless("run")["result.json"].clone());
    assert_eq!(found, expected, "the games are the same");
    for (plain, noted) in plain.games("run").iter().zip(noted.games("run")) {
        let (plays, trees) = (list(&noted["plays"]), list(&noted["trees"]));
        assert_eq!(plain["plays"], noted["plays"]);
        assert!(plain.get("trees").is_none() && trees.len() == plays.len());
        assert!(trees.iter().all(|tree| list(tree).len() <= 12));
        for ((tree, next), answer) in trees.iter().zip(&trees[1..]).zip(&plays[1..]) {
            if list(next).is_empty() {
                continue;
            }
            let mut first_level = list(tree).iter().filter(|node| node[0] == 1);
            assert!(first_level.all(|node| node[1] != *answer), "the opponent's search knows more of it");
        }
        assert!(trees.iter().any(|tree| tree[0][2].as_u64() > Some(1)), "visits");
    }
    let games = noted.games("run");
    let first = list(&games[0]["trees"]).iter().position(|tree| tree[0][0] == 1).expect("a tree");
    noted.write("run/games.jsonl", noted.read("run/games.jsonl").replace("[[1,", "[[3,"));
    let error = format!("{:#}", each(&[noted.path("run")], |_| ()).expect_err("depth 3 after the root"));
    let expected = format!("game 0: decision {first}: a tree node has depth 3");
    assert!(error.contains(&expected), "{error}");
}

#[test]
fn the_sequential_test_ends_the_match_at_the_same_pair() {
    let run = |jobs| {
        let line = "match greedy random --iterations 1 --max-plies 900 --sprt -20 20 --games 500";
        Folder::new().timeless_result(&format!("{line} --jobs {jobs}"))
    };
    let one = run(1);
    assert_eq!(one["sprt"]["verdict"], "h1");
    assert!(one["games"].as_u64() < Some(200), "{}", one["games"]);
    assert_eq!(run(2), one);
    assert_eq!(run(5), one);
}

#[test]
fn games_on_disk_can_be_replayed_and_pairs_share_their_opening() {
    let folder = Folder::played("match 'mcts(race=off)' greedy --games 15 --iterations 40 --seed 7");
    let games = folder.games("run");
    assert_eq!(games.len(), 16, "games are rounded up to pairs");
    for pair in games.chunks(2) {
        assert_eq!(pair[0]["opening"], pair[1]["opening"]);
        assert_eq!((&pair[0]["black"], &pair[1]["black"]), (&"A".into(), &"B".into()));
    }
    for game in &games {
        match positions(game).last().and_then(Game::outcome) {
            Some(Outcome::Win(winner)) => {
                assert_eq!(game["reason"], "goal-filled");
                assert_eq!(game["winner"] == game["black"], winner == BLACK);
            }
            _ => assert_eq!((&game["reason"], &game["winner"]), (&"ply-limit".into(), &Value::Null)),
        }
        for name in ["values", "iterations", "reused"] {
            assert_eq!(list(&game[name]).len(), list(&game["plays"]).len());
        }
    }
    let different = |name: &str| games.iter().step_by(2).any(|game| game[name] != games[0][name]);
    assert!(different("opening") && different("seed"));
}

#[test]
fn openings_from_a_file_are_played_in_turn() {
    let folder = Folder::with(
        "openings.txt",
        "\u{feff}# two openings\r\n2,0 4,2; 13,15 11,13\n\n0,4 1,5 # one play\n",
    );
    folder.succeeds("match greedy random --games 6 --iterations 1 --openings openings.txt --out run");
    let games = folder.games("run");
    assert_eq!(games[0]["opening"], json!(["2,0 4,2", "13,15 11,13"]));
    assert_eq!(games[3]["opening"], json!(["0,4 1,5"]));
    assert_eq!(games[4]["opening"], games[0]["opening"]);
    folder.write("openings.txt", "2,0 4,2\n0,0 1,1\n");
    let again = "match greedy random --iterations 1 --openings openings.txt --max-plies 1000";
    folder.refused(again, "opening 2: 0,0 1,1");
    folder.write("openings.txt", "2,0 4,2\n\n2,0 4,2; 13,15\n");
    folder.refused(again, "openings.txt: line 3: '13,15': expected plays such as");
    folder.refused("match greedy random --iterations 1 --openings /dev/zero", "larger than 64 MiB");
    // Neither a whole game nor a game with a play after its end is a valid opening.
    let game = &Folder::small_match().games("run")[0];
    let plays = list(&game["opening"]).iter().chain(list(&game["plays"])).map(string);
    let plays: Vec<&str> = plays.collect();
    let whole = plays.join("; ");
    for over in [whole.clone(), format!("{whole}; {}", plays[0])] {
        folder.write("openings.txt", format!("2,0 4,2\n{over}\n"));
        folder.refused(again, &format!("opening 2: the game is over after {}", plays[plays.len() - 1]));
    }
}

#[test]
fn bad_arguments_are_refused() {
    let folder = Folder::new();
    folder.refuses(
        "match",
        &[
            ("greedy random", "no limit given: use --cpu, --iterations or --game-time"),
            ("greedy randm --iterations 1", "second agent, 'randm': there is no agent"),
            ("mcts(c=x) random --iterations 1", "first agent, 'mcts(c=x)': c=x"),
            ("greedy random --iterations 0", "--iterations <N>': expected 1 or more"),
            ("greedy random --cpu 0", "expected a number of seconds above 0"),
            ("greedy random --cpu inf", "expected a number of seconds above 0"),
        ],
    );
    folder.refuses(
        "match greedy random --iterations 1",
        &[
            ("--cpu 1", "cannot be used with"),
            ("--games 0", "--games 0"),
            ("--jobs 0", "--jobs"),
            ("--sprt 0", "--sprt"),
            ("--sprt 5 0", "the lower one first"),
            ("--sprt 0 nan", "the lower one first"),
            ("--openings random:9-1", "random:MIN-MAX"),
            ("--openings balanced:9-1", "balanced:MIN-MAX"),
            ("--openings 'no such file'", "the openings in no such file"),
            ("--out /proc/nowhere", "can't create the folder /proc/nowhere"),
        ],
    );
}
