//! Decisions of agents.

use halma::agent::{self, Agent, Decision};
use halma::game::Game;
use halma::rules::Position;
use halma::search::Limits;
use halma::support::clock::FakeClock;

/// The agent `spec` with seed 1.
pub fn agent(spec: &str) -> Box<dyn Agent> {
    agent::parse(spec, 1).unwrap_or_else(|error| panic!("{spec}: {error}"))
}

/// The error message for `spec`, which must be refused.
pub fn refusal(spec: &str) -> String {
    agent::parse(spec, 1).err().unwrap_or_else(|| panic!("{spec} is accepted")).to_string()
}

/// The decision of `agent` after `iterations`, on a stopped clock.
pub fn decide(agent: &mut dyn Agent, position: &Position, iterations: u64) -> Decision {
    decide_within(agent, position, &Limits::iterations(iterations))
}

/// The decision of `agent` within `limits`, on a stopped clock.
pub fn decide_within(agent: &mut dyn Agent, position: &Position, limits: &Limits) -> Decision {
    let decision = agent.decide(position, limits, &FakeClock::new(), None).expect("a legal play exists");
    assert!(position.is_legal(decision.play), "{} in\n{position}", decision.play);
    decision
}

/// The decisions of `agent` in the first `plies` plies of a game against itself, at 150 iterations each.
pub fn self_play(agent: &mut dyn Agent, plies: usize) -> Vec<Decision> {
    let mut position = Position::default();
    let decisions = (0..plies).map(|_| {
        let decision = decide(agent, &position, 150);
        position.play(decision.play);
        decision
    });
    decisions.collect()
}
