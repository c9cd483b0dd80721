//! The calls that a playout policy gets from a search, and their order.

use crate::support::connect_four::{ConnectFour, Drop};
use crate::support::searches::{FORMULAS, iterate, params, search_with};
use halma::Agent;
use halma::agent::{MctsAgent, MctsParameters};
use halma::game::{Game, Player, Value};
use halma::playout::{Move, Playout, Simulation, ToTheEnd};
use halma::prior::Progress;
use halma::rules::{Play, Position};
use halma::search::Limits;
use halma::search::mcts::{Params, Selection};
use halma::support::clock::FakeClock;
use std::sync::{Arc, Mutex};

/// A call of a policy's hooks.
#[derive(Clone, Debug, PartialEq)]
enum Event<G: Game> {
    NewGame,
    /// The key of the root.
    NewSearch(u64),
    /// The moves in the tree, the moves of the playout, and the value for player one.
    Learn(Vec<Move<G::Play>>, Vec<Move<G::Play>>, Value),
}

/// Plays at random to the end, if it plays at all, and records the calls of its hooks.
struct Witness<G: Game> {
    playout: Option<ToTheEnd>,
    learns: bool,
    /// Whether the moves of its playouts should be recorded.
    records: bool,
    events: Arc<Mutex<Vec<Event<G>>>>,
}

impl<G: Game> Playout<G> for Witness<G> {
    fn choose(&mut self, position: &G, simulation: &mut Simulation<G::Play>) -> Option<G::Play> {
        assert_eq!(simulation.is_recording(), self.records);
        self.playout.as_mut()?.choose(position, simulation)
    }

    fn evaluate(&mut self, end: &G, simulation: &mut Simulation<G::Play>) -> Value {
        self.playout.as_mut().map_or(Value::DRAW, |playout| playout.evaluate(end, simulation))
    }

    fn learns(&mut self) -> bool {
        self.learns
    }

    fn learn(&mut self, simulation: &Simulation<G::Play>) {
        let (tree, playout) = (simulation.tree_moves().to_vec(), simulation.playout_moves().to_vec());
        self.note(Event::Learn(tree, playout, simulation.value_for(Player::One)));
    }

    fn new_search(&mut self, root: &G) {
        self.note(Event::NewSearch(root.key()));
    }

    fn new_game(&mut self) {
        self.note(Event::NewGame);
    }
}

impl<G: Game> Witness<G> {
    fn note(&self, event: Event<G>) {
        self.events.lock().unwrap().push(event);
    }
}

/// Makes `moves`, each by the player whose turn it is.
fn replay<G: Game>(position: &mut G, moves: &[Move<G::Play>]) {
    let mut plays = Vec::new();
    for &Move { player, play } in moves {
        assert_eq!(player, position.to_move());
        position.legal_plays(&mut plays);
        assert!(plays.contains(&play), "{play}");
        position.play(play);
    }
}

#[test]
fn each_simulation_is_learned_from_with_its_moves_and_its_value() {
    // The second position has threats, so simulations end with proofs and outcomes, too.
    for columns in [&[][..], &[3, 3, 2, 2, 0, 6]] {
        for (select, leaf_batch) in FORMULAS.into_iter().flat_map(|select| [(select, 1), (select, 8)]) {
            let (root, events) = (ConnectFour::after(columns), Arc::default());
            let witness =
                Witness { playout: Some(ToTheEnd), learns: true, records: true, events: Arc::clone(&events) };
            let settings = Params { leaf_batch, ..params(select) };
            let report = iterate(&mut search_with(&root, settings, witness, 1), 1500);
            let events = events.lock().unwrap();
            assert_eq!(events[0], Event::NewSearch(root.key()));
            assert_eq!(events.len() as u64 - 1, report.iterations);
            let mut values = [const { Vec::new() }; 7];
            for event in &events[1..] {
                let Event::Learn(tree, playout, value) = event else { panic!("{event:?}") };
                let mut position = root;
                replay(&mut position, tree);
                let at_leaf = position.outcome();
                assert!(at_leaf.is_none() || playout.is_empty());
                replay(&mut position, playout);
                match position.outcome() {
                    Some(outcome) => assert_eq!(outcome.value_for(Player::One), *value),
                    // The simulation ended with a proof.
                    None => assert!(playout.is_empty() && [Value::WIN, Value::LOSS].contains(value)),
                }
                if let Some(Move { play: Drop(column), .. }) = tree.first() {
                    values[*column as usize].push(value.for_player_one(root.to_move()));
                }
            }
            let unproved = report.candidates.iter().filter(|candidate| candidate.proof.is_none());
            for candidate in unproved.filter(|candidate| candidate.visits > 0) {
                let values = &values[candidate.play.0 as usize];
                assert_eq!(values.len() as u32, candidate.visits);
                if leaf_batch == 1 {
                    let mean = values.iter().sum::<f32>() / values.len() as f32;
                    assert!((mean - candidate.value.get()).abs() < 1e-3, "{mean}, {candidate:?}");
                }
            }
        }
    }
}

#[test]
fn a_policy_that_does_not_learn_hears_of_no_simulation() {
    for select in FORMULAS {
        let (root, events) = (ConnectFour::default(), Arc::default());
        // For formulas that may learn, moves are recorded even if the policy does not learn.
        let records = ![Selection::Puct, Selection::Uct].contains(&select);
        let playout = Some(ToTheEnd);
        let witness = Witness { playout, learns: false, records, events: Arc::clone(&events) };
        iterate(&mut search_with(&root, params(select), witness, 1), 300);
        assert_eq!(*events.lock().unwrap(), [Event::NewSearch(root.key())]);
    }
}

#[test]
fn a_policy_hears_of_each_search_and_each_game() {
    let events: Arc<Mutex<Vec<Event<Position>>>> = Arc::default();
    let witness = Witness { playout: None, learns: false, records: false, events: Arc::clone(&events) };
    let mut agent =
        MctsAgent::new(MctsParameters::default(), Box::new(witness), Box::new(Progress::default()), 1);
    let mut expected = Vec::new();
    for game in 0..2 {
        if game > 0 {
            agent.new_game();
            expected.push(Event::NewGame);
        }
        let mut position = Position::default();
        for _ in 0..2 {
            let limits = Limits::iterations(200);
            let decision = agent.decide(&position, &limits, &FakeClock::new(), None).unwrap();
            expected.push(Event::NewSearch(position.key()));
            position.play(decision.play);
            let reply: Play = decision.report.principal_variation[1];
            position.play(reply);
        }
    }
    assert_eq!(*events.lock().unwrap(), expected);
}

/// Drops into column 0 forever.
struct Stubborn;

impl Playout<ConnectFour> for Stubborn {
    fn choose(&mut self, _: &ConnectFour, _: &mut Simulation<Drop>) -> Option<Drop> {
        Some(Drop(0))
    }

    fn evaluate(&mut self, _: &ConnectFour, _: &mut Simulation<Drop>) -> Value {
        Value::DRAW
    }
}

#[test]
#[cfg(debug_assertions)]
#[should_panic(expected = "the playout policy chose 1, which is not a legal play")]
fn a_debug_build_stops_at_an_illegal_play() {
    Stubborn.value(&ConnectFour::default(), &mut Simulation::new(1));
}
