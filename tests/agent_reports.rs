//! Agents' reports: those sent to an observer during a search, and the one returned with the decision, which gives its
//! reason.

use crate::support::agents::{agent, decide, decide_within};
use crate::support::endings::endings;
use crate::support::positions::{ONE_PLAY, cornered, finished, midgame, position};
use crate::support::samples::Sample;
use halma::agent::{Decision, NoLegalPlay};
use halma::game::{Game, Outcome};
use halma::rules::{BLACK, Play, Position, Rules};
use halma::search::{Certainty, DecidedBy, Limits, Observer, Report};
use halma::support::clock::FakeClock;

/// The decision of the agent `spec`, limited to one second on a fake clock that advances with each reading, and its
/// reports to an observer.
fn observe(spec: &str, position: &Position) -> (Decision, Vec<Report<Play>>) {
    observe_within(spec, position, &Limits::cpu(1.0))
}

/// [`observe`] with any limits.
fn observe_within(spec: &str, position: &Position, limits: &Limits) -> (Decision, Vec<Report<Play>>) {
    let mut reports = Vec::new();
    let mut tell = |report| reports.push(report);
    let observer = Observer { every: 0.1, tell: &mut tell };
    let clock = FakeClock::ticking(1e-3);
    let decision = agent(spec).decide(position, limits, &clock, Some(observer));
    (decision.expect("a legal play"), reports)
}

#[test]
fn an_observer_receives_reports_and_changes_no_decision() {
    let start = Position::default();
    for spec in ["mcts", "mcts(playout=static, transpositions=off)", "alphabeta(depth=4)"] {
        let (decision, reports) = observe(spec, &start);
        let alone = agent(spec).decide(&start, &Limits::cpu(1.0), &FakeClock::ticking(1e-3), None);
        assert_eq!(decision.play, alone.expect("a legal play").play, "{spec}");
        assert!(!reports.is_empty(), "{spec}");
        let work = |report: &Report<Play>| report.iterations + report.visited;
        assert!(reports.windows(2).all(|two| work(&two[0]) < work(&two[1])), "{spec}");
        assert!(reports.iter().all(|report| work(report) <= work(&decision.report)), "{spec}");
        assert!(reports.iter().all(|report| !report.principal_variation.is_empty()), "{spec}");
        if spec.starts_with("mcts") {
            assert!((7..=10).contains(&reports.len()), "{spec}: {} reports in ten intervals", reports.len());
        }
    }
}

#[test]
fn a_race_is_reported_at_once_and_the_tree_is_searched_beside_it() {
    let (decision, reports) = observe("mcts", &Sample::read(3).position);
    assert_eq!(decision.report.decided_by, DecidedBy::Race);
    assert!(reports[0].race.is_some() && reports[0].iterations == 0);
    let last = reports.last().expect("some reports");
    assert!(reports.len() > 2 && last.iterations > 0 && !last.candidates.is_empty());
    assert!(reports.iter().all(|report| report.principal_variation[0] == decision.play));
}

#[test]
fn a_long_race_is_reported_after_one_interval() {
    let longest = endings().into_iter().max_by_key(|ending| ending.fewest).expect("endings").position;
    let planned = Limits { planned: Some(1.0), ..Limits::cpu(2.0) };
    for limits in [Limits::cpu(1.0), planned] {
        let (_, reports) = observe_within("mcts", &longest, &limits);
        let race = reports[0].race.as_ref().expect("a race");
        assert_eq!(race.own.certainty, Certainty::Found, "the search had no time to finish");
        assert!(reports[0].seconds <= 0.1, "{limits:?}: {} s", reports[0].seconds);
    }
}

#[test]
fn an_agent_without_a_search_reports_nothing_before_its_decision() {
    let (decision, reports) = observe("greedy", &Position::default());
    assert!(reports.is_empty());
    assert_eq!(decision.report.decided_by, DecidedBy::Rule);
}

#[test]
fn the_most_visited_play_is_chosen_or_the_best_of_those_with_enough_visits() {
    let (mut by_visits, mut by_value) = (0, 0);
    let mut position = midgame();
    // The spec names no network, so a new generation of networks changes nothing here.
    let spec = "mcts(evaluation=fitted, prior=fitted, final_visits=0.25, race=off)";
    for _ in 0..60 {
        let Decision { play, report } = decide(agent(spec).as_mut(), &position, 400);
        let best = report.best().expect("a play");
        let most = report.candidates.iter().map(|one| one.visits).max().expect("candidates");
        match report.decided_by {
            DecidedBy::Visits => {
                assert_eq!((best.play, best.visits), (play, most));
                by_visits += 1;
            }
            DecidedBy::Value { min_visits } => {
                assert!(best.visits < most && best.visits >= min_visits, "{report:?}");
                assert_eq!(min_visits, most.div_ceil(4));
                let mut rivals = report.candidates.iter().filter(|one| one.visits >= min_visits);
                assert!(rivals.all(|one| one.value.get() <= best.value.get()), "{report:?}");
                by_value += 1;
            }
            other => panic!("{other:?}"),
        }
        position.play(play);
    }
    assert!(by_visits > 3 && by_value > 3, "{by_visits} {by_value}");
}

#[test]
fn every_decision_gives_its_reason() {
    let forced = cornered(ONE_PLAY);
    let won = Sample::read(1).position;
    let midgame = midgame();
    // The addendum makes the piece at home leave, which it can do in one way. The agent keeps to it under both rule sets.
    let white = "3,0 4,0 5,0 6,0 2,1 3,1 5,1 6,1 3,2 4,2 2,3 4,3 6,3";
    let bound_by_the_addendum = position(BLACK, Rules::Original, "4,1 10,8 8,9 9,11", white);
    for (spec, position, iterations, expected) in [
        ("mcts", &forced, 100, DecidedBy::OnlyPlay),
        ("alphabeta", &forced, 100, DecidedBy::OnlyPlay),
        ("mcts", &won, 100, DecidedBy::Proof),
        ("alphabeta", &won, 100, DecidedBy::Proof),
        ("minimax", &won, 100, DecidedBy::Proof),
        ("mcts", &bound_by_the_addendum, 100, DecidedBy::Rule),
        ("mcts", &midgame, 0, DecidedBy::Prior),
        ("alphabeta", &midgame, 100, DecidedBy::Depth),
        ("minimax(depth=1)", &midgame, 100, DecidedBy::Depth),
        ("greedy", &midgame, 100, DecidedBy::Rule),
        ("random", &won, 100, DecidedBy::Rule),
    ] {
        let report = decide(agent(spec).as_mut(), position, iterations).report;
        assert_eq!(report.decided_by, expected, "{spec}");
        assert_eq!(report.race, None, "{spec}");
    }
}

/// The winner may be the side that has just moved or, on a board from a file, the side to move.
#[test]
fn a_finished_game_is_won_by_the_side_that_filled_its_goal() {
    for (position, winner) in finished() {
        assert_eq!(position.winner(), Some(winner), "{position}");
        let outcome = Outcome::Win(winner);
        for spec in
            ["mcts", "mcts(race=off)", "alphabeta", "minimax", "greedy", "random", "homebody", "shuffler"]
        {
            let decision = agent(spec).decide(&position, &Limits::iterations(100), &FakeClock::new(), None);
            if position.count_plays() == 0 {
                assert_eq!(decision, Err(NoLegalPlay), "{spec}:\n{position}");
                continue;
            }
            let Decision { play, report } = decision.expect("a legal play");
            assert!(position.is_legal(play), "{spec} plays {play} in\n{position}");
            assert_eq!(
                (report.proof, report.decided_by),
                (Some(outcome), DecidedBy::Proof),
                "{spec}:\n{position}"
            );
            assert_eq!(report.value, outcome.value_for(position.to_move()), "{spec}:\n{position}");
            assert_eq!((report.iterations, report.visited), (0, 0), "{spec}:\n{position}");
        }
    }
}

/// In sample 3 Black needs five plays, and White is far behind.
#[test]
fn the_race_player_counts_plays_and_boards_and_makes_no_iterations() {
    let position = Sample::read(3).position;
    let Decision { play, report } = decide(agent("mcts").as_mut(), &position, 1000);
    assert_eq!(report.decided_by, DecidedBy::Race);
    assert_eq!((report.iterations, report.visited, report.candidates.len()), (0, 0, 0));
    let race = report.race.expect("a race");
    assert_eq!((race.own.plays, race.opponent.certainty), (5.0, Certainty::Estimated));
    assert!(race.boards > 0 && race.line[0] == play);

    // With a time limit a tree is searched as well. Its candidates keep their own order, values and priors.
    let limits = Limits { iterations: Some(1000), ..Limits::cpu(1.0) };
    let report = decide_within(agent("mcts").as_mut(), &position, &limits).report;
    assert_eq!((report.decided_by, report.iterations), (DecidedBy::Race, 1000));
    assert_eq!(report.value, report.race.expect("a race").value);
    let visits = report.candidates.iter().map(|one| u64::from(one.visits)).sum::<u64>();
    assert!((999..=1000).contains(&visits), "{visits}");
    assert!(report.candidates.is_sorted_by(|one, next| one.visits >= next.visits || one.value > next.value));
    assert!(report.candidates.iter().all(|one| one.prior.is_some_and(|prior| prior < 0.9)));
}
