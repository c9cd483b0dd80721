//! The network of priors: its scores are those of its formula for any sequence of positions, the half turn changes
//! none, the search plays by the weights of its file, and files that hold no usable network are refused.

use crate::support::positions::{for_many_positions, random_source};
use halma::agent::{self, Decision};
use halma::game::{Game, Player};
use halma::network::policy::{
    HIDDEN, HIDDEN_SCALE, MAX_PLAY_WEIGHT, NetworkPrior, POINT_BITS, PolicyNetwork,
};
use halma::network::value::ValueNetwork;
use halma::network::{Network, NetworkError, NetworkFile, NetworkKind, feature, seen_by};
use halma::prior::{Features, Prior};
use halma::rules::{PIECES, Play, Position};
use halma::search::Limits;
use halma::support::clock::FakeClock;
use rand::RngExt;
use std::path::Path;

/// A network of random weights, those of the hidden layer from minus `max` to `max`.
fn random_network(seed: u64, max: i16) -> Box<PolicyNetwork> {
    let mut rng = random_source(seed);
    let mut network = PolicyNetwork::zeros();
    let mut fill = |weights: &mut [i16], max: i16| weights.fill_with(|| rng.random_range(-max..=max));
    fill(network.feature_weights.as_flattened_mut(), max);
    fill(&mut network.feature_biases, max);
    fill(network.from_weights.as_flattened_mut(), 1000);
    fill(network.to_weights.as_flattened_mut(), 1000);
    fill(network.kind_weights.as_flattened_mut(), 1000);
    fill(&mut network.play_weights, 5000);
    network
}

fn file(network: Box<PolicyNetwork>) -> NetworkFile<PolicyNetwork> {
    NetworkFile { provenance: "random, for tests: über alles".to_string(), network }
}

fn read(bytes: &[u8]) -> Result<NetworkFile<PolicyNetwork>, NetworkError> {
    NetworkFile::from_bytes(bytes)
}

fn prior(network: &PolicyNetwork) -> NetworkPrior {
    NetworkPrior::new(Box::new(network.clone()), 1.1).expect("its weights are in range")
}

/// The plays of `position` and their scores.
fn scored(prior: &mut NetworkPrior, position: &Position) -> (Vec<Play>, Vec<i8>) {
    let (mut plays, mut scores) = (Vec::new(), vec![1; 3]);
    position.legal_plays(&mut plays);
    prior.scores(position, &plays, &mut scores);
    (plays, scores)
}

/// The scores by the formula, in integers that can't overflow.
fn by_formula(network: &PolicyNetwork, position: &Position, plays: &[Play]) -> Vec<i8> {
    let mover = position.to_move();
    let mut sums = network.feature_biases.map(i64::from);
    for side in Player::BOTH {
        for square in position.pieces(side) {
            let row = &network.feature_weights[feature(mover, side, square)];
            sums.iter_mut().zip(row).for_each(|(sum, &weight)| *sum += i64::from(weight));
        }
    }
    let say = |row: &[i16; HIDDEN]| -> i64 {
        let products = sums.iter().zip(row);
        products.map(|(sum, &weight)| sum.clamp(&0, &HIDDEN_SCALE.into()) * i64::from(weight)).sum()
    };
    let features = Features::new(position);
    let logits: Vec<i64> = plays
        .iter()
        .map(|&play| {
            let of_features: i64 =
                features.of(play).iter().map(|&feature| i64::from(network.play_weights[feature])).sum();
            say(&network.from_weights[seen_by(mover, play.from)])
                + say(&network.to_weights[seen_by(mover, play.to)])
                + say(&network.kind_weights[features.kind(play)])
                + i64::from(HIDDEN_SCALE) * of_features
        })
        .collect();
    let best = logits.iter().max().copied().unwrap_or(0);
    let point = 2f64.powi(POINT_BITS as i32);
    let score = |logit: i64| ((logit - best) as f64 / point + 0.5).floor().max(-128.0) as i8;
    logits.into_iter().map(score).collect()
}

#[test]
fn twenty_thousand_positions_have_the_formulas_scores() {
    // The second one's sums come near the bounds of its integers.
    let networks = [random_network(1, 60), random_network(2, i16::MAX / (2 * PIECES as i16 + 1))];
    for (seed, network) in (1..).zip(networks) {
        let mut kept = prior(&network);
        let mut different = 0;
        for_many_positions(seed, 10_000, |position| {
            let (plays, scores) = scored(&mut kept, position);
            assert_eq!(scores, by_formula(&network, position, &plays), "{position}");
            different += usize::from(scores.iter().any(|&score| score < 0));
        });
        assert!(different > 5_000, "{different} with plays that differ");
    }
}

#[test]
fn the_half_turn_changes_no_score() {
    let mut prior = prior(&random_network(3, 60));
    for_many_positions(3, 3_000, |position| {
        let (plays, scores) = scored(&mut prior, position);
        let (turned, scores_there) = scored(&mut prior, &position.half_turn());
        for (play, score) in plays.iter().zip(scores) {
            let same = Play::new(play.from.half_turn(), play.to.half_turn());
            let place = turned.iter().position(|&other| other == same).expect("the play, turned");
            assert_eq!(scores_there[place], score, "{play} in {position}");
        }
    });
}

#[test]
fn sums_up_to_the_bounds_do_not_overflow() {
    let max = i16::MAX / (2 * PIECES as i16 + 1);
    for sign in [1, -1] {
        let mut network = PolicyNetwork::zeros();
        network.feature_weights.as_flattened_mut().fill(max);
        network.feature_biases.fill(max);
        let PolicyNetwork { from_weights, to_weights, kind_weights, play_weights, .. } = &mut *network;
        for rows in [&mut from_weights[..], to_weights, kind_weights] {
            for (number, row) in rows.iter_mut().enumerate() {
                row.fill(if number.is_multiple_of(2) { sign } else { -sign } * MAX_PLAY_WEIGHT);
            }
        }
        play_weights.fill(i16::MAX * sign);
        let mut prior = prior(&network);
        for_many_positions(4, 500, |position| {
            let (plays, scores) = scored(&mut prior, position);
            assert_eq!(scores, by_formula(&network, position, &plays));
        });
    }
}

#[test]
fn bytes_read_back_the_same() {
    for file in [file(PolicyNetwork::zeros()), file(random_network(5, 60)), NetworkFile::built_in()] {
        assert!(read(&file.to_bytes()) == Ok(file));
    }
    assert!(NetworkFile::<PolicyNetwork>::built_in().to_bytes() == PolicyNetwork::BUILT_IN_FILE);
}

#[test]
fn cut_and_changed_files_are_refused_wherever_it_is() {
    let mut bytes = file(random_network(6, 60)).to_bytes();
    let places = || (0..200).chain((200..bytes.len()).step_by(1331)).chain(bytes.len() - 50..bytes.len());
    for len in places() {
        match read(&bytes[..len]).expect_err("it is cut") {
            NetworkError::NotANetwork { expected: NetworkKind::Policy } => assert_eq!(len, 0),
            NetworkError::Truncated { len: told, .. } => assert_eq!(told, len),
            other => panic!("{len} bytes: {other}"),
        }
    }
    let longer = [&bytes[..], b"more"].concat();
    assert_eq!(read(&longer).err(), Some(NetworkError::TooLong { extra: 4 }));
    for at in places().collect::<Vec<_>>() {
        bytes[at] ^= 0x10;
        assert!(read(&bytes).is_err(), "byte {at}");
        bytes[at] ^= 0x10;
    }
}

#[test]
fn errors_say_what_is_wrong_and_where() {
    let changed = |change: &dyn Fn(&mut PolicyNetwork)| {
        let mut network = random_network(7, 60);
        change(&mut network);
        read(&file(network).to_bytes()).expect_err("it is out of range").to_string()
    };
    let row = changed(&|network| network.feature_weights.iter_mut().for_each(|row| row[7] = 900));
    assert!(row.contains("hidden unit 7 can reach 34"), "{row}");
    let weight = changed(&|network| network.to_weights[3][9] = -8192);
    assert!(weight.contains("the weight of square reached 3 is -8192, beyond ±8191"), "{weight}");
    let smallest = changed(&|network| network.kind_weights[3][9] = i16::MIN);
    assert!(smallest.contains("kind of progress 3 is -32768"), "{smallest}");
    let message = |bytes: &[u8]| read(bytes).expect_err("no network").to_string();
    assert!(message(b"SINGLE\nWHITE\n").contains("expected the first line 'halma prior network 1'"));
    assert_eq!(
        message(ValueNetwork::BUILT_IN_FILE),
        "the wrong kind of network: expected one for a prior, found one for an evaluation"
    );
}

/// What the agent `spec` decides in the first plies of a game against itself.
fn decisions(spec: &str) -> Vec<Decision> {
    let mut agent = agent::parse(spec, 7).unwrap_or_else(|error| panic!("{spec}: {error}"));
    let mut position = Position::default();
    let mut decisions = Vec::new();
    for _ in 0..20 {
        let decision =
            agent.decide(&position, &Limits::iterations(150), &FakeClock::new(), None).expect("a play");
        position.try_play(decision.play).expect("a legal one");
        decisions.push(decision);
    }
    decisions
}

#[test]
fn the_searches_play_by_the_weights_of_the_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, network: Box<PolicyNetwork>| {
        let path = folder.path().join(name);
        std::fs::write(&path, file(network).to_bytes()).expect("a file in a new folder");
        path.to_str().expect("a path of text").to_string()
    };
    let zeros = write("zeros.network", PolicyNetwork::zeros());
    let random = write("random.network", random_network(8, 60));
    for agent in ["mcts", "alphabeta"] {
        let with = |prior: &str| decisions(&format!("{agent}(prior={prior})"));
        let uniform = with("uniform");
        assert_eq!(with(&format!("network(file={zeros})")), uniform);
        assert_ne!(with(&format!("network(file={random})")), uniform);
        assert_eq!(with("network"), with("network(file=built-in, base=1.075)"));
        assert_ne!(with("network"), with("network(base=1.5)"), "the base counts whatever was made before");
    }
}

#[test]
fn files_that_are_no_networks_are_refused_by_name() {
    let folder = tempfile::tempdir().expect("a folder");
    let evaluation = folder.path().join("evaluation");
    std::fs::write(&evaluation, ValueNetwork::BUILT_IN_FILE).expect("a file in a new folder");
    for (path, expected) in [
        (
            evaluation.as_path(),
            "the wrong kind of network: expected one for a prior, found one for an evaluation",
        ),
        (&folder.path().join("missing"), "can't be read: No such file"),
        (Path::new("/dev/zero"), "can't be read: not a regular file"),
    ] {
        let spec = format!("mcts(prior=network(file={}))", path.display());
        let error = agent::parse(&spec, 1).err().expect(&spec).to_string();
        assert!(error.starts_with(&format!("file={}: {expected}", path.display())), "{error}");
    }
}
