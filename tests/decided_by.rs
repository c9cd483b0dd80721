//! A report says what made the decision, and the reason it gives is the true one.

use crate::agent::{cornered, middle_game};
use crate::support::samples::Sample;
use halma::agent::{Decision, parse};
use halma::game::Game;
use halma::rules::Position;
use halma::search::{Certainty, DecidedBy, Limits};
use halma::support::clock::FakeClock;

fn decide(spec: &str, position: &Position, iterations: u64) -> Decision {
    let mut agent = parse(spec, 1).expect(spec);
    agent.decide(position, &Limits::iterations(iterations), &FakeClock::new(), None).expect("a play")
}

#[test]
fn the_most_visits_or_the_highest_value_of_those_with_enough() {
    let (mut by_visits, mut by_value) = (0, 0);
    let mut position = middle_game();
    // Without networks, which every generation of them changes.
    let spec = "mcts(evaluation=fitted, prior=fitted, final_visits=0.25, race=off)";
    for _ in 0..60 {
        let Decision { play, report } = decide(spec, &position, 400);
        let best = report.best().expect("a play");
        let most = report.candidates.iter().map(|one| one.visits).max().expect("plays");
        match report.decided_by {
            DecidedBy::Visits => {
                assert_eq!((best.play, best.visits), (play, most));
                by_visits += 1;
            }
            DecidedBy::Value { least_visits } => {
                assert!(best.visits < most && best.visits >= least_visits, "{report:?}");
                assert_eq!(least_visits, most.div_ceil(4));
                let rivals = report.candidates.iter().filter(|one| one.visits >= least_visits);
                assert!(rivals.into_iter().all(|one| one.value.get() <= best.value.get()), "{report:?}");
                by_value += 1;
            }
            other => panic!("{other:?}"),
        }
        position.play(play);
    }
    assert!(by_visits > 3 && by_value > 3, "{by_visits} {by_value}");
}

#[test]
fn every_kind_of_decision_has_its_name() {
    let forced = cornered("BWW/W../W..");
    let won = Sample::read(1).position;
    let start = middle_game();
    for (spec, position, iterations, expected) in [
        ("mcts", &forced, 100, DecidedBy::OnlyPlay),
        ("alphabeta", &forced, 100, DecidedBy::OnlyPlay),
        ("mcts", &won, 100, DecidedBy::Proof),
        ("alphabeta", &won, 100, DecidedBy::Proof),
        ("minimax", &won, 100, DecidedBy::Proof),
        ("mcts", &start, 0, DecidedBy::Prior),
        ("alphabeta", &start, 100, DecidedBy::Depth),
        ("minimax(depth=1)", &start, 100, DecidedBy::Depth),
        ("greedy", &start, 100, DecidedBy::Rule),
        ("random", &won, 100, DecidedBy::Rule),
    ] {
        let report = decide(spec, position, iterations).report;
        assert_eq!(report.decided_by, expected, "{spec}");
        assert_eq!(report.race, None, "{spec}");
    }
}

/// Sample 3 is all but a race: Black needs five plays, and White is far behind.
#[test]
fn the_race_player_counts_plays_and_boards_and_makes_no_iterations() {
    let position = Sample::read(3).position;
    let alone = decide("mcts", &position, 1000);
    assert_eq!(alone.report.decided_by, DecidedBy::Race);
    assert_eq!((alone.report.iterations, alone.report.visited, alone.report.candidates.len()), (0, 0, 0));
    let race = alone.report.race.expect("a race");
    assert_eq!((race.own.plays, race.opponent.certainty), (5.0, Certainty::Estimated));
    assert!(race.boards > 0 && race.line[0] == alone.play);

    // With time there is a tree besides, which keeps its own order, values and priors.
    let mut agent = parse("mcts", 1).expect("an agent");
    let limits = Limits { iterations: Some(1000), ..Limits::cpu(1.0) };
    let both = agent.decide(&position, &limits, &FakeClock::new(), None).expect("a play");
    assert_eq!((both.report.decided_by, both.report.iterations), (DecidedBy::Race, 1000));
    assert_eq!(both.report.value, both.report.race.expect("a race").value);
    let visits = both.report.candidates.iter().map(|one| u64::from(one.visits)).sum::<u64>();
    assert!((999..=1000).contains(&visits), "{visits}");
    assert!(
        both.report.candidates.is_sorted_by(|one, next| one.visits >= next.visits || one.value > next.value)
    );
    assert!(both.report.candidates.iter().all(|one| one.prior.is_some_and(|prior| prior < 0.9)));
}
