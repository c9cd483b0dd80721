//! The promises of playout policies, checked for every policy of the registry, and which policies can be built on
//! others.

use crate::support::agents::{agent, decide, refusal};
use crate::support::connect_four::{ConnectFour, Drop};
use crate::support::plays::{after, legal_plays, wander};
use crate::support::positions::{midgame, play_game, position, random_source, scattered};
use crate::support::searches::{FORMULAS, iterate, params, search_with};
use halma::agent::{Registry, Spec};
use halma::game::{Game, Value};
use halma::playout::{
    BoxedPlayout, Decisive, Lgrf, LgrfParameters, MAX_CAP, Mast, MastParameters, Mixed, Mixture, Move, Nst,
    NstParameters, Parts, Playout, Ppa, PpaParameters, Simulation, ToTheEnd,
};
use halma::rules::{BLACK, Position, Rules, WHITE};
use halma::support::parameters::{Part, Range};
use halma::support::random::Random;

/// `policy` with this cap, for itself and for the policies that it is built on.
fn with_cap(policy: Spec, cap: u64) -> Spec {
    let mut agent = Spec::of("mcts");
    agent.set("playout", policy);
    let mut agent = Registry::default().complete(&agent).expect("an agent");
    agent.replace("cap", &Spec::of(cap.to_string()));
    agent.get("playout").expect("a policy").clone()
}

/// All policies of the registry for Halma, with this cap.
fn specs(cap: u64) -> Vec<Spec> {
    let kinds = Registry::default().parts(Part::Playout);
    kinds.into_iter().map(|kind| with_cap(Spec::of(kind.name), cap)).collect()
}

fn make(spec: &Spec) -> BoxedPlayout {
    let parts = Parts::new(Registry::default(), Spec::of("fitted"), Spec::of("fitted"));
    Registry::default().make_playout(spec, parts).unwrap_or_else(|error| panic!("{spec}: {error}"))
}

/// Positions of a game and scattered pieces under both rule sets, none of them finished.
fn positions(scattered_ones: usize) -> Vec<Position> {
    let mut rng = random_source(11);
    let mut positions = Vec::new();
    play_game(Position::default(), 150, 0.1, &mut rng.clone(), &mut |position, _| positions.push(*position));
    let mut positions: Vec<Position> = positions.into_iter().step_by(10).collect();
    positions.extend((0..scattered_ones).map(|_| scattered(&mut rng)));
    let both = positions
        .iter()
        .flat_map(|position| [Rules::Addendum, Rules::Original].map(|rules| position.with_rules(rules)));
    both.filter(|position| position.outcome().is_none()).collect()
}

/// Plays out from `start` and asserts that each play is legal and that the playout ends within `max` plies and has a
/// valid value. Returns the position at its end.
fn assert_legal<G: Game>(name: &str, policy: &mut dyn Playout<G>, start: &G, seed: u64, max: u64) -> G {
    let (mut position, mut simulation) = (start.clone(), Simulation::new(seed));
    if policy.learns() {
        simulation = simulation.recording();
    }
    simulation.begin([]);
    policy.new_search(start);
    while position.outcome().is_none() {
        let plays = legal_plays(&position);
        let Some(play) = policy.choose(&position, &mut simulation) else { break };
        assert!(plays.contains(&play), "{name}: {play}");
        simulation.play(&mut position, play);
    }
    assert!(simulation.plies() <= max, "{name}: {} plies", simulation.plies());
    let value = policy.value(start, &mut simulation);
    assert!((-1.0..=1.0).contains(&value.get()));
    if simulation.is_recording() {
        simulation.end(value, start.to_move());
        policy.learn(&simulation);
    }
    position
}

#[test]
fn every_policy_makes_legal_plays_up_to_its_cap() {
    let positions = positions(60);
    for spec in specs(10) {
        let (name, mut policy) = (spec.to_string(), make(&spec));
        for (seed, position) in (0..).zip(&positions) {
            // A side that must leave its camp gets 4 more plies, and a winning play may add another.
            assert_legal(&name, &mut policy, position, seed, 15);
        }
    }
}

#[test]
fn jumps_play_every_game_to_its_end() {
    let starts = (0..500).map(|seed| Position::initial([BLACK, WHITE][seed % 2], Rules::Addendum));
    let mut starts: Vec<Position> = starts.collect();
    for rules in [Rules::Addendum, Rules::Original] {
        let from = Position::initial(BLACK, rules);
        starts.extend((0..20).map(|plies| wander(from, plies, &mut random_source(plies as u64))));
    }
    for name in ["forward-jump", "sampled-jump(sample=1)", "sampled-jump"] {
        let mut spec: Spec = name.parse().expect("a spec");
        spec.set("cap", Spec::of(MAX_CAP.to_string()));
        spec.set("leaving", Spec::of("0"));
        let mut policy = make(&spec);
        for (seed, start) in (0..).zip(&starts) {
            let end = assert_legal(name, &mut policy, start, seed, MAX_CAP);
            assert!(end.outcome().is_some(), "{name}, seed {seed}: no end\n{end}");
        }
    }
}

/// How often each position is valued; once is not enough, because a policy may draw random numbers.
const SEEDS: u64 = 40;

#[test]
fn a_half_turn_of_the_board_changes_no_value() {
    let positions = positions(20);
    for spec in specs(6) {
        let mut policy = make(&spec);
        // These policies choose among equal plays by the order of squares, which has no effect on average.
        let by_order = ["forward-jump", "likeliest"].iter().any(|name| spec.to_string().contains(name));
        let (mut sum, mut squares) = (0.0, 0.0);
        for position in &positions {
            let mut difference = 0.0;
            for seed in 0..SEEDS {
                let mut simulations = [seed, seed + SEEDS].map(Simulation::new);
                let [one, other] = &mut simulations;
                let values = [policy.value(position, one), policy.value(&position.half_turn(), other)];
                let [one, other] = values.map(|value| f64::from(value.get()));
                difference += (one - other) / SEEDS as f64;
                let drew = [
                    simulations[0].random != Random::new(seed),
                    simulations[1].random != Random::new(seed + SEEDS),
                ];
                assert!(
                    drew != [false; 2] || by_order || one == other,
                    "{spec}: {one}, {other} in\n{position}"
                );
                // Without random numbers, the other seeds give the same values.
                if seed == 0 && drew == [false; 2] {
                    difference = one - other;
                    break;
                }
            }
            sum += difference;
            squares += difference * difference;
        }
        assert!(f64::abs(sum) <= 4.0 * f64::sqrt(squares), "{spec}: {sum} of {squares}");
    }
}

#[test]
fn a_side_far_ahead_has_a_high_value_whoever_is_to_move() {
    let ahead = "15,15 14,15 15,14 14,14 13,15 15,13 13,14 14,13 12,15 15,12 12,14 11,11";
    for rules in [Rules::Addendum, Rules::Original] {
        let ahead = position(BLACK, rules, ahead, "12,1 13,2 14,3 13,5 12,6 13,7 9,2 9,3 9,5");
        for spec in specs(6) {
            let mut policy = make(&spec);
            for (position, sign) in [(ahead, 1.0), (ahead.pass(), -1.0)] {
                for position in [position, position.half_turn()] {
                    let value = policy.value(&position, &mut Simulation::new(1)).get();
                    assert!(sign * value > 0.5, "{spec}: {value} in\n{position}");
                }
            }
        }
    }
}

#[test]
fn the_same_seed_builds_the_same_tree() {
    for spec in specs(6) {
        let spec = format!("mcts(playout={spec}, prior=fitted, evaluation=fitted)");
        let mut agents = [agent(&spec), agent(&spec)];
        let mut position = midgame();
        for _ in 0..2 {
            let [one, other] = agents.each_mut().map(|agent| decide(agent.as_mut(), &position, 150));
            assert_eq!(one, other, "{spec}");
            position = after(&position, &one.report.principal_variation[..2]);
        }
    }
}

#[test]
fn a_policy_that_has_learned_nothing_values_a_leaf_by_its_seed_alone() {
    let positions = positions(20);
    for spec in specs(6) {
        let mut policy = make(&spec);
        let mut value = |seed| policy.value(&positions[seed], &mut Simulation::new(seed as u64));
        let values: Vec<Value> = (0..positions.len()).map(&mut value).collect();
        let mut again: Vec<Value> = (0..positions.len()).rev().map(&mut value).collect();
        again.reverse();
        assert_eq!(values, again, "{spec}");
    }
}

#[test]
fn what_is_learned_changes_the_plays_also_within_other_policies() {
    let start = Position::default();
    let made = Move { player: BLACK, play: legal_plays(&start)[0] };
    let position = after(&start, &[made.play]);
    let replies = legal_plays(&position);
    let best = *replies.iter().max_by_key(|&&reply| position.progress(reply)).expect("a reply");
    let mut learners = 0;
    for kind in Registry::default().parts(Part::Playout) {
        // By itself, quality learns how clear wins are, but learns nothing about plays.
        let learns_plays = kind.name != "quality" && make(&Spec::of(kind.name)).learns();
        let mut spec = Spec::of(kind.name);
        for parameter in kind.parameters {
            if parameter.range == Range::Part(Part::Playout) {
                spec.set(parameter.name, Spec::of(if learns_plays { "uniform" } else { "mast" }));
            }
        }
        let (is_composed, spec) = (!spec.settings.is_empty(), with_cap(spec, 6));
        let mut policy = make(&spec);
        assert_eq!(policy.learns(), is_composed, "{spec}");
        if !is_composed {
            continue;
        }
        policy.new_search(&start);
        let count = |policy: &mut BoxedPlayout| {
            let chosen = (0..200).filter(|&seed| {
                let mut simulation = Simulation::new(seed).recording();
                simulation.begin([made]);
                policy.choose(&position, &mut simulation) == Some(best)
            });
            chosen.count()
        };
        let before = count(&mut policy);
        for &play in replies.iter().cycle().take(40 * replies.len()) {
            let mut simulation = Simulation::new(1).recording();
            simulation.begin([made, Move { player: WHITE, play }]);
            simulation.end(if play == best { Value::WIN } else { Value::LOSS }, WHITE);
            policy.learn(&simulation);
        }
        let then = count(&mut policy);
        assert!(then > before + 80, "{spec}: {before}, then {then} of 200");
        learners += 1;
    }
    assert!(learners >= 10, "{learners}");
}

/// The policies for any game, built on random plays to the end.
fn for_any_game() -> Vec<(&'static str, BoxedPlayout<ConnectFour>)> {
    let random = || -> BoxedPlayout<ConnectFour> { Box::new(ToTheEnd) };
    vec![
        ("mast", Box::new(Mast::new(MastParameters::default(), random()))),
        ("nst", Box::new(Nst::new(NstParameters::default(), random()))),
        ("lgrf", Box::new(Lgrf::new(LgrfParameters::default(), random()))),
        ("ppa", Box::new(Ppa::new(PpaParameters::default(), random()))),
        ("decisive", Box::new(Decisive::new(random()))),
        ("mixed", Box::new(Mixed::new(3, random(), Box::new(Decisive::new(random()))))),
        ("mixture", Box::new(Mixture::new(0.5, random(), Box::new(Decisive::new(random()))))),
    ]
}

#[test]
fn policies_for_any_game_play_connect_four() {
    for ((name, mut policy), (_, other)) in for_any_game().into_iter().zip(for_any_game()) {
        for seed in 0..100 {
            assert_legal(name, &mut policy, &ConnectFour::after(&[3, 3, 2]), seed, 42);
        }
        let root = ConnectFour::after(&[3, 0, 3, 0, 3]);
        policy.new_game();
        let reports = [policy, other]
            .map(|policy| iterate(&mut search_with(&root, params(FORMULAS[1]), policy, 1), 500));
        assert_eq!(reports[0], reports[1], "{name}");
        // Only a stone on column 3 prevents a win there.
        assert_eq!(reports[0].best().map(|best| best.play), Some(Drop(3)), "{name}");
    }
}

#[test]
fn compositions_that_make_no_sense_are_refused() {
    for (spec, expected) in [
        (
            "cutoff(inner=static)",
            "cutoff needs a policy that plays on, but static makes no plays: name another",
        ),
        (
            "mast(inner=uniform(cap=0))",
            "mast needs a policy that plays on, but uniform(cap=0) makes no plays",
        ),
        ("mixed(then=static)", "mixed needs a policy that plays on, but static"),
        ("mast(inner=mast)", "mast is inside itself: name another policy in its place"),
        ("corrective(inner=mixed)", "corrective is inside itself: "),
        ("decisive(inner=cutoff(inner=decisive))", "decisive is inside itself: "),
        (
            "cutoff(inner=mixed-leaf)",
            "mixed-leaf has no effect inside cutoff, which uses only the plays of its inner ",
        ),
        (
            "decisive(inner=unifrom)",
            "there is no playout policy 'unifrom'; did you mean uniform? Choose from static, ",
        ),
        ("decisive(inner=nts)", "there is no playout policy 'nts'; choose from static, "),
        ("mixtrue", "there is no playout policy 'mixtrue'; did you mean mixture? Choose from static, "),
        ("decisive(iner=mast)", "decisive has no parameter 'iner'; did you mean inner? It has inner"),
        ("cutoff(inner=uniform(cpa=1))", "uniform has no parameter 'cpa'; it has cap"),
        ("cutoff(threshold=0)", "threshold=0: expected a number from 0.01 to 1"),
        ("cutoff(every=0)", "every=0: expected a whole number from 1 to 100"),
        ("mixed-leaf(lambda=1.5)", "lambda=1.5: expected a number from 0 to 1"),
        ("decisive(inner=quality)", "quality has no effect inside decisive, "),
        ("quality(weight=2)", "weight=2: expected a number from 0 to 1"),
        ("mixture(chance=often)", "chance=often: expected a number from 0 to 1"),
        ("playout-search(width=101)", "width=101: expected a whole number from 1 to 100"),
        ("greedy-evaluation(width=0)", "width=0: expected a whole number from 1 to 1000"),
        ("epsilon-jump(temperature=0)", "temperature=0: expected a number from 0.1 to 1000"),
    ] {
        let message = refusal(&format!("mcts(playout={spec})"));
        assert!(message.starts_with(expected), "{spec}: {message}");
    }
    // A policy may occur twice, but not inside itself.
    agent("mcts(playout=mixture(inner=cutoff(inner=mast(inner=decisive)), other=cutoff))");
    // This one uses the values of its inner policy.
    agent("mcts(playout=mixed-leaf(inner=quality))");
}
