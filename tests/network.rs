//! The network: its values are those of its formula for any sequence of positions, the half turn changes none,
//! it plays by the weights of its file, and files that hold no usable network are refused.

use crate::support::positions::{for_many_positions, random_source};
use halma::agent::{self, Decision};
use halma::evaluation::{Evaluation, Fitted};
use halma::game::{Game, Player};
use halma::network::policy::PolicyNetwork;
use halma::network::value::{
    FEATURE_SCALE, HIDDEN, JUMP_FEATURES, JUMP_INPUTS, MAX_OUTPUT_WEIGHTS, NetworkEvaluation, SUM_SCALE,
    ValueNetwork, bucket,
};
use halma::network::{FEATURES, Network, NetworkError, NetworkFile, NetworkKind, feature, seen_by};
use halma::rules::{ForwardJumps, PIECES, Position, forward_jumps};
use halma::search::Limits;
use halma::support::clock::FakeClock;
use rand::RngExt;
use std::path::Path;

/// Rows that add up to a sum: of the pieces and of the jumps, and the biases.
const INPUTS: i16 = 2 * PIECES as i16 + JUMP_INPUTS as i16 + 1;

/// A network of random weights, those of the hidden layer from minus `max` to `max`.
fn random_network(seed: u64, max: i16) -> Box<ValueNetwork> {
    let mut rng = random_source(seed);
    let mut network = ValueNetwork::zeros();
    for row in network.feature_weights.iter_mut().chain(&mut network.jump_weights) {
        row.fill_with(|| rng.random_range(-max..=max));
    }
    network.feature_biases.fill_with(|| rng.random_range(-max..=max));
    network.output_weights.as_flattened_mut().fill_with(|| rng.random_range(-127..=127));
    network.output_biases.fill_with(|| rng.random_range(-1_000_000..=1_000_000));
    network
}

fn file(network: Box<ValueNetwork>) -> NetworkFile<ValueNetwork> {
    NetworkFile { provenance: "random, for tests: über alles Mögliche".to_string(), network }
}

fn read(bytes: &[u8]) -> Result<NetworkFile<ValueNetwork>, NetworkError> {
    NetworkFile::from_bytes(bytes)
}

fn evaluation(network: &ValueNetwork) -> NetworkEvaluation {
    NetworkEvaluation::new(Box::new(network.clone())).expect("its weights are in range")
}

/// The inputs for the jumps of both sides, as `view` sees them, by their meaning: how far they go is for other tests.
fn jumps(position: &Position, view: Player) -> Vec<usize> {
    let found = forward_jumps(position);
    let mut inputs = Vec::new();
    for (half, side) in [(0, view), (JUMP_FEATURES / 2, view.opponent())] {
        let ForwardJumps { furthest: jump, others } = found[side.index()];
        inputs.push(half + jump.map_or(0, |jump| jump.diagonals as usize));
        let places = jump.map_or([256; 2], |jump| [jump.from, jump.to].map(|square| seen_by(view, square)));
        inputs.extend([half + 15 + places[0], half + 15 + 257 + places[1]]);
        inputs.extend(others.map(|other| half + 15 + 2 * 257 + usize::from(other)));
    }
    inputs
}

/// The correction for the player to move by the formula, in integers that can't overflow.
fn by_formula(network: &ValueNetwork, position: &Position) -> f32 {
    let mover = position.to_move();
    let weights = &network.output_weights[bucket(position)];
    let mut total = i64::from(network.output_biases[bucket(position)]);
    for (view, weights) in [mover, mover.opponent()].into_iter().zip(weights.chunks(HIDDEN)) {
        let mut sums = network.feature_biases.map(i64::from);
        for side in Player::BOTH {
            for square in position.pieces(side) {
                let row = &network.feature_weights[feature(view, side, square)];
                sums.iter_mut().zip(row).for_each(|(sum, &weight)| *sum += i64::from(weight));
            }
        }
        for input in jumps(position, view) {
            let row = &network.jump_weights[input];
            sums.iter_mut().zip(row).for_each(|(sum, &weight)| *sum += i64::from(weight));
        }
        for (sum, &weight) in sums.into_iter().zip(weights) {
            total += sum.clamp(0, FEATURE_SCALE.into()).pow(2) / 2 * i64::from(weight);
        }
    }
    i32::try_from(total).expect("weights in bounds") as f32 / SUM_SCALE as f32
}

#[test]
fn a_hundred_thousand_positions_have_the_formulas_values() {
    // The second one's sums come near the bounds of its integers.
    let networks = [random_network(1, 300), random_network(2, i16::MAX / INPUTS)];
    for (seed, network) in (1..).zip(networks) {
        let mut kept = evaluation(&network);
        let mut corrections = [0; 2];
        for_many_positions(seed, 50_000, |position| {
            let expected = by_formula(&network, position);
            assert_eq!(kept.correction(position), expected, "{position}");
            corrections[usize::from(expected > 0.0)] += 1;
        });
        assert!(corrections.iter().all(|&count| count > 1000), "of both signs: {corrections:?}");
    }
}

#[test]
fn what_an_evaluation_has_seen_before_changes_nothing() {
    let network = random_network(3, 300);
    let (mut kept, new) = (evaluation(&network), evaluation(&network));
    for_many_positions(3, 5_000, |position| {
        for player in Player::BOTH {
            assert_eq!(kept.score(position, player), new.clone().score(position, player));
        }
    });
}

#[test]
fn the_score_is_the_fitted_one_and_the_correction() {
    let network = random_network(4, 300);
    let mut evaluation = evaluation(&network);
    for_many_positions(4, 2_000, |position| {
        let (mover, correction) = (position.to_move(), by_formula(&network, position));
        assert_eq!(evaluation.score(position, mover), Fitted.score(position, mover) + correction);
        let opponent = mover.opponent();
        assert_eq!(evaluation.score(position, opponent), Fitted.score(position, opponent) - correction);
    });
}

#[test]
fn the_half_turn_is_worth_as_much() {
    let mut evaluation = evaluation(&random_network(5, 300));
    for_many_positions(5, 5_000, |position| {
        let turned = position.half_turn();
        let [here, there] = [position, &turned].map(|position| evaluation.correction(position));
        assert_eq!(here, there, "{position}");
    });
}

#[test]
fn sums_up_to_the_bounds_do_not_overflow() {
    let max = i16::MAX / INPUTS;
    let largest = i32::MAX - MAX_OUTPUT_WEIGHTS as i32 * (FEATURE_SCALE.pow(2) / 2);
    for (sign, bias) in [(1, largest), (-1, -largest)] {
        let units = 2 * HIDDEN as u32;
        let mut weights = [sign * (MAX_OUTPUT_WEIGHTS / units) as i16; 2 * HIDDEN];
        weights[0] += sign * (MAX_OUTPUT_WEIGHTS % units) as i16;
        let mut network = ValueNetwork::zeros();
        network.feature_weights.as_flattened_mut().fill(max);
        network.jump_weights.as_flattened_mut().fill(max);
        network.feature_biases.fill(max);
        network.output_weights.fill(weights);
        network.output_biases.fill(bias);
        let mut evaluation = evaluation(&network);
        for_many_positions(6, 500, |position| {
            assert_eq!(evaluation.correction(position), by_formula(&network, position));
        });
    }
}

/// They are part of a program that is handed in as homework.
#[test]
fn the_networks_that_come_with_the_engine_take_less_than_a_megabyte() {
    let bytes = ValueNetwork::BUILT_IN_FILE.len() + PolicyNetwork::BUILT_IN_FILE.len();
    assert!(bytes < 1_000_000, "{bytes}");
}

#[test]
fn bytes_read_back_the_same() {
    for file in [file(ValueNetwork::zeros()), file(random_network(6, 300)), NetworkFile::built_in()] {
        assert!(read(&file.to_bytes()) == Ok(file));
    }
    assert!(NetworkFile::<ValueNetwork>::built_in().to_bytes() == ValueNetwork::BUILT_IN_FILE);
}

#[test]
fn cut_files_are_refused_wherever_they_end() {
    let bytes = file(random_network(7, 300)).to_bytes();
    for len in (0..200).chain((200..bytes.len()).step_by(1331)).chain(bytes.len() - 50..bytes.len()) {
        let error = read(&bytes[..len]).expect_err("it is cut");
        match error {
            NetworkError::NotANetwork { expected: NetworkKind::Value } => assert_eq!(len, 0),
            NetworkError::Truncated { len: told, .. } => assert_eq!(told, len),
            other => panic!("{len} bytes: {other}"),
        }
    }
    let longer = [&bytes[..], b"more"].concat();
    assert_eq!(read(&longer).err(), Some(NetworkError::TooLong { extra: 4 }));
}

#[test]
fn a_changed_byte_is_found_wherever_it_is() {
    let mut bytes = file(random_network(8, 300)).to_bytes();
    for at in (0..200).chain((200..bytes.len()).step_by(1331)).chain(bytes.len() - 50..bytes.len()) {
        bytes[at] ^= 0x10;
        assert!(read(&bytes).is_err(), "byte {at}");
        bytes[at] ^= 0x10;
    }
}

#[test]
fn only_sums_that_a_position_can_have_count() {
    // A length of jumps may be that of all three parity classes beside the furthest one's.
    let mut thrice = ValueNetwork::zeros();
    thrice.jump_weights[15 + 2 * 257].fill(i16::MAX / 3);
    thrice.check().expect("three times a third");
    thrice.feature_biases[4] = 2;
    assert_eq!(thrice.check(), Err(NetworkError::UnitOverflow { unit: 4, sum: 3 * (32_767 / 3) + 2 }));
    // Weights of the two sides against each other, and more squares than pieces.
    let mut against = ValueNetwork::zeros();
    against.feature_weights[..FEATURES / 2].as_flattened_mut().fill(1700);
    against.feature_weights[FEATURES / 2..].as_flattened_mut().fill(-1700);
    against.check().expect("19 pieces of a side");
    against.feature_weights[9][8] = 32_767 - 18 * 1700;
    against.check().expect("as much as fits");
    against.feature_weights[9][8] += 1;
    assert_eq!(against.check(), Err(NetworkError::UnitOverflow { unit: 8, sum: 32_768 }));
}

#[test]
fn errors_say_what_is_wrong_and_where() {
    let changed = |change: &dyn Fn(&mut ValueNetwork)| {
        let mut network = random_network(9, 300);
        change(&mut network);
        read(&file(network).to_bytes()).expect_err("it is out of range").to_string()
    };
    let row = changed(&|network| network.feature_weights.iter_mut().for_each(|row| row[7] = 900));
    assert!(row.contains("hidden unit 7 can reach 37"), "{row}");
    let smallest = changed(&|network| network.feature_weights[3][5] = i16::MIN);
    assert!(smallest.contains("hidden unit 5"), "{smallest}");
    let jump = changed(&|network| network.jump_weights[700][6] = i16::MAX);
    assert!(jump.contains("hidden unit 6"), "{jump}");
    let weights = changed(&|network| network.output_weights[3] = [-118; 2 * HIDDEN]);
    assert!(
        weights.contains("the total of absolute output weights of bucket 3 is 60416, beyond ±60000"),
        "{weights}"
    );
    let bias = changed(&|network| network.output_biases[6] = i32::MIN);
    assert!(bias.contains("the output bias of bucket 6 is -2147483648, beyond"), "{bias}");
    let cut = &ValueNetwork::BUILT_IN_FILE[..500_000];
    assert_eq!(
        read(cut).expect_err("it is cut").to_string(),
        "a truncated network: it ends at byte 500000, inside the weights"
    );
    let message = |bytes: &[u8]| read(bytes).expect_err("no network").to_string();
    assert!(message(b"SINGLE\nWHITE\n").contains("expected the first line 'halma network 3'"));
    let older = message(b"halma network 2\n");
    assert!(
        older.contains("a network of another version: expected the first line 'halma network 3'"),
        "{older}"
    );
    assert!(
        message(b"halma prior network 0\n").contains("expected one for an evaluation, found one for a prior")
    );
    // A provenance as long as memory.
    assert!(message(b"halma network 3\n\xff\xff\xff\xff").contains("ends at byte 20, inside the provenance"));
    let zeros = |provenance: &str| {
        NetworkFile { provenance: provenance.to_string(), network: ValueNetwork::zeros() }.to_bytes()
    };
    let mut bytes = zeros("a\u{e9}");
    bytes[22] = b'e';
    assert!(message(&bytes).contains("not UTF-8 at byte 21"), "{}", message(&bytes));
    let mut bytes = zeros("");
    bytes[28] = 64;
    assert!(
        message(&bytes).contains("it has 320 hidden units, this program needs 256"),
        "{}",
        message(&bytes)
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

fn write(folder: &Path, name: &str, network: Box<ValueNetwork>) -> String {
    let path = folder.join(name);
    std::fs::write(&path, file(network).to_bytes()).expect("a file in a new folder");
    path.to_str().expect("a path of text").to_string()
}

#[test]
fn agents_play_by_the_weights_of_the_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let zeros = write(folder.path(), "zeros.network", ValueNetwork::zeros());
    let random = write(folder.path(), "random.network", random_network(10, 300));
    for name in ["mcts(playout=static, evaluation=E)", "mcts(evaluation=E)", "alphabeta(evaluation=E)"] {
        let with = |evaluation: &str| decisions(&name.replace('E', evaluation));
        let fitted = with("fitted");
        assert_eq!(with(&format!("network(file={zeros})")), fitted, "{name}");
        assert_ne!(with(&format!("network(file={random})")), fitted, "{name}");
        assert_eq!(with("network"), with("network(file=built-in)"), "{name}");
    }
}

#[test]
fn files_that_are_no_networks_are_refused_by_name() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = folder.path().join("text");
    std::fs::write(&text, "no network\n").expect("a file in a new folder");
    let missing = folder.path().join("missing");
    for (path, expected) in [
        (text.as_path(), "not a network: expected the first line 'halma network 3'"),
        (&missing, "can't be read: No such file"),
        (folder.path(), "can't be read: not a regular file"),
        (Path::new("/dev/zero"), "can't be read: not a regular file"),
    ] {
        for agent in ["mcts", "alphabeta"] {
            let spec = format!("{agent}(evaluation=network(file={}))", path.display());
            let error = agent::parse(&spec, 1).err().expect(&spec).to_string();
            assert!(error.starts_with(&format!("file={}: {expected}", path.display())), "{error}");
        }
    }
}
