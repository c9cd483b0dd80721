//! Searches that are watched: what an observer is told, and that being watched changes nothing.

use crate::support::samples::Sample;
use halma::agent::{Decision, parse};
use halma::rules::{BLACK, Play, Position, Rules};
use halma::search::{DecidedBy, Limits, Observer, Report};
use halma::support::clock::FakeClock;

/// What `agent` decides in `position` within a second of a clock that ticks, and what it told meanwhile.
fn observe(agent: &str, position: &Position) -> (Decision, Vec<Report<Play>>) {
    let mut reports = Vec::new();
    let mut tell = |report| reports.push(report);
    let observer = Observer { every: 0.1, tell: &mut tell };
    let mut agent = parse(agent, 1).expect("a spec");
    let decided = agent.decide(position, &Limits::cpu(1.0), &FakeClock::ticking(1e-3), Some(observer));
    (decided.expect("a legal play"), reports)
}

#[test]
fn an_observer_changes_no_decision_and_hears_of_it_in_the_making() {
    let start = Position::initial(BLACK, Rules::Addendum);
    for spec in ["mcts", "mcts(playout=static, transpositions=off)", "alphabeta(depth=4)"] {
        let (decision, reports) = observe(spec, &start);
        let mut alone = parse(spec, 1).expect("a spec");
        let alone =
            alone.decide(&start, &Limits::cpu(1.0), &FakeClock::ticking(1e-3), None).expect("a legal play");
        assert_eq!(decision.play, alone.play, "{spec}");
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
fn a_race_is_told_at_once_and_the_tree_is_searched_beside_it() {
    let position = Sample::read(3).position;
    let (decision, reports) = observe("mcts", &position);
    assert_eq!(decision.report.decided_by, DecidedBy::Race);
    assert!(reports[0].race.is_some() && reports[0].iterations == 0);
    let last = reports.last().expect("some");
    assert!(reports.len() > 2 && last.iterations > 0 && !last.candidates.is_empty());
    assert!(reports.iter().all(|report| report.principal_variation[0] == decision.play));
}

#[test]
fn an_agent_that_cannot_tell_says_nothing_before_the_end() {
    let (decision, reports) = observe("greedy", &Position::initial(BLACK, Rules::Addendum));
    assert!(reports.is_empty());
    assert_eq!(decision.report.decided_by, DecidedBy::Rule);
}
