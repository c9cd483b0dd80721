//! The example of a policy outside the engine is short and plays as MAST does.

use halma::agent::{Agent, Registry};
use halma::game::Game;
use halma::rules::{BLACK, Position, Rules};
use halma::search::Limits;
use halma::support::clock::FakeClock;
use own_policy::Own;

#[allow(dead_code)]
#[path = "../examples/own_policy.rs"]
mod own_policy;

#[test]
fn the_example_plays_the_same_games_as_mast() {
    let registry = Registry::default().playout::<Own>();
    let agent = |playout: &str, settings: &str| -> Box<dyn Agent> {
        let spec = format!("mcts(playout={playout}, {settings})");
        registry.make_agent(&spec.parse().expect("a spec"), 7).expect("an agent")
    };
    for (own, mast) in [
        ("own", "mast"),
        (
            "own(cap=6, epsilon=0.1, unknown=-0.5, decay=0.9)",
            "mast(inner=uniform(cap=6), epsilon=0.1, unknown=-0.5, decay=0.9)",
        ),
    ] {
        // Without the race solver, every play is searched.
        let mut agents = [own, mast].map(|playout| agent(playout, "leaf_batch=2, race=off"));
        for rules in [Rules::Addendum, Rules::Original] {
            agents.iter_mut().for_each(|agent| agent.new_game());
            let mut position = Position::initial(BLACK, rules);
            for ply in 0..12 {
                let [first, second] = agents.each_mut().map(|agent| {
                    agent.decide(&position, &Limits::iterations(60), &FakeClock::new(), None).expect("a play")
                });
                assert_eq!(first.play, second.play, "{own}, ply {ply}");
                assert_eq!(first.report.candidates, second.report.candidates, "{own}, ply {ply}");
                position.play(first.play);
            }
        }
    }
}

#[test]
fn the_example_is_short_and_the_guide_shows_it() {
    let example = include_str!("../examples/own_policy.rs");
    let policy = example.split("halma::parameters!").nth(1).and_then(|rest| rest.split("\nfn main").next());
    let lines = policy.expect("the parameters, and then the program").lines().map(str::trim_start);
    let code = lines.filter(|line| !line.is_empty() && !line.starts_with("//")).count();
    assert!(code <= 60, "{code} lines");
    let guide = include_str!("../README.md");
    let excerpt = guide.split("```rust\n").nth(1).and_then(|rest| rest.split("```").next()).expect("Rust");
    for method in excerpt.split("    // …\n").map(str::trim_end) {
        assert!(example.contains(method), "own_policy.rs, shown in tuning/README.md, has no\n{method}");
    }
}
