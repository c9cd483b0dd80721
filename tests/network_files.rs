//! Network files: written files can be read back, damaged and foreign files are refused, and agents play by the weights
//! in their file.

use crate::support::agents::{agent, refusal, self_play};
use crate::support::networks::{RandomNetwork, write};
use halma::agent::Registry;
use halma::network::policy::PolicyNetwork;
use halma::network::value::{HIDDEN, ValueNetwork};
use halma::network::{FEATURES, Network, NetworkError, NetworkFile};
use std::fmt::Debug;

fn file<N>(network: Box<N>) -> NetworkFile<N> {
    NetworkFile { provenance: "random, for tests: über alles Mögliche".to_string(), network }
}

fn read<N: Network>(bytes: &[u8]) -> Result<NetworkFile<N>, NetworkError> {
    NetworkFile::from_bytes(bytes)
}

/// The message with which `bytes` are refused.
fn fault<N: Network + Debug>(bytes: &[u8]) -> String {
    read::<N>(bytes).expect_err("an unusable file").to_string()
}

/// The built-in networks are part of the program that is handed in.
#[test]
fn the_built_in_networks_take_less_than_a_megabyte() {
    let bytes = ValueNetwork::BUILT_IN_FILE.len() + PolicyNetwork::BUILT_IN_FILE.len();
    assert!(bytes < 1_000_000, "{bytes}");
}

#[test]
fn written_files_read_back_and_damaged_ones_are_refused() {
    fn check<N: RandomNetwork>() {
        for file in [file(N::zeros()), file(N::random(6, 300)), NetworkFile::built_in()] {
            assert!(read(&file.to_bytes()) == Ok(file));
        }
        assert!(NetworkFile::<N>::built_in().to_bytes() == N::BUILT_IN_FILE);
        let mut bytes = file(N::random(7, 300)).to_bytes();
        let length = bytes.len();
        let places = || (0..200).chain((200..length).step_by(1331)).chain(length - 50..length);
        for cut in places() {
            let message = read::<N>(&bytes[..cut]).err().expect("a refusal").to_string();
            let expected = match cut {
                0 => "not a network: ".to_string(),
                _ => format!("a truncated network: it ends at byte {cut}, inside the "),
            };
            assert!(message.starts_with(&expected), "cut after {cut} bytes: {message}");
        }
        for at in places() {
            bytes[at] ^= 0x10;
            assert!(read::<N>(&bytes).is_err(), "byte {at}");
            bytes[at] ^= 0x10;
        }
        bytes.extend(b"more");
        let message = read::<N>(&bytes).err().expect("a refusal").to_string();
        assert_eq!(message, "not a network: 4 bytes follow its checksum");
    }
    check::<ValueNetwork>();
    check::<PolicyNetwork>();
}

/// A change that makes a network unusable, and a part of the message about it.
type Damage<N> = (fn(&mut N), &'static str);

#[test]
fn weights_out_of_range_are_refused_by_name() {
    fn check<N: RandomNetwork + Debug>(cases: &[Damage<N>]) {
        for (change, expected) in cases {
            let mut network = N::random(9, 300);
            change(&mut network);
            let message = fault::<N>(&file(network).to_bytes());
            assert!(message.contains(expected), "{expected}: {message}");
        }
    }
    check::<ValueNetwork>(&[
        (|n| n.feature_weights.iter_mut().for_each(|row| row[7] = 900), "hidden unit 7 can reach 37"),
        (|n| n.feature_weights[3][5] = i16::MIN, "hidden unit 5"),
        (|n| n.jump_weights[700][6] = i16::MAX, "hidden unit 6"),
        (
            |n| n.output_weights[3] = [-118; 2 * HIDDEN],
            "the total of absolute output weights of bucket 3 is 60416, beyond 60000",
        ),
        (|n| n.output_biases[6] = i32::MIN, "the output bias of bucket 6 is -2147483648, beyond -"),
    ]);
    check::<PolicyNetwork>(&[
        (|n| n.feature_weights.iter_mut().for_each(|row| row[7] = 900), "hidden unit 7 can reach 34"),
        (|n| n.to_weights[3][9] = -8192, "the weight of target square 3 is -8192, beyond -8191"),
        (|n| n.kind_weights[3][9] = i16::MIN, "kind of progress 3 is -32768"),
    ]);
}

#[test]
fn only_sums_that_a_position_can_reach_count() {
    // Besides the furthest jump, three more parity classes may have jumps. If these have the same length, one row
    // counts three times.
    let mut thrice = ValueNetwork::zeros();
    thrice.jump_weights[15 + 2 * 257].fill(i16::MAX / 3);
    thrice.check().expect("three times a third");
    thrice.feature_biases[4] = 2;
    assert_eq!(thrice.check(), Err(NetworkError::UnitOverflow { unit: 4, sum: 3 * (32_767 / 3) + 2 }));
    // The weights of the two sides cancel out, and a side has fewer pieces than there are squares.
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
fn foreign_and_damaged_headers_are_refused_by_name() {
    let with_provenance = |provenance: &str| {
        NetworkFile { provenance: provenance.to_string(), network: ValueNetwork::zeros() }.to_bytes()
    };
    let changed = |mut bytes: Vec<u8>, at: usize, byte: u8| {
        bytes[at] = byte;
        bytes
    };
    for (bytes, expected) in [
        (b"SINGLE\nWHITE\n".to_vec(), "expected the first line 'halma network 3'"),
        (
            b"halma network 2\n".to_vec(),
            "a network of another version: expected the first line 'halma network 3'",
        ),
        (b"halma prior network 0\n".to_vec(), "expected one for an evaluation, found one for a prior"),
        // A provenance of 4 GiB.
        (b"halma network 3\n\xff\xff\xff\xff".to_vec(), "ends at byte 20, inside the provenance"),
        (changed(with_provenance("a\u{e9}"), 22, b'e'), "not UTF-8 at byte 21"),
        (changed(with_provenance(""), 28, 64), "it has 320 hidden units, but this program needs 256"),
        (
            ValueNetwork::BUILT_IN_FILE[..500_000].to_vec(),
            "a truncated network: it ends at byte 500000, inside the weights",
        ),
    ] {
        let message = fault::<ValueNetwork>(&bytes);
        assert!(message.contains(expected), "{expected}: {message}");
    }
    let message = fault::<PolicyNetwork>(b"SINGLE\nWHITE\n");
    assert!(message.contains("expected the first line 'halma prior network 1'"), "{message}");
}

#[test]
fn two_paths_of_a_file_name_one_agent() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = write(folder.path(), "own.network", &file(ValueNetwork::zeros()).to_bytes());
    let other = format!("{}/./own.network", folder.path().display());
    let complete = |path: &str| {
        let spec = format!("mcts(evaluation=network(file={path}))").parse().expect("a spec");
        Registry::default().complete(&spec).expect("an agent")
    };
    assert_eq!(complete(&path), complete(&other));
    assert_ne!(complete(&other), complete("built-in"));
}

#[test]
fn agents_play_by_the_weights_of_the_file() {
    fn check<N: RandomNetwork>(plain: &str, default: &str, specs: &[&str]) {
        let folder = tempfile::tempdir().expect("a folder");
        let zeros = write(folder.path(), "zeros.network", &file(N::zeros()).to_bytes());
        let random = write(folder.path(), "random.network", &file(N::random(10, 300)).to_bytes());
        for spec in specs {
            let with = |part: &str| self_play(agent(&spec.replace("PART", part)).as_mut(), 20);
            let without = with(plain);
            assert_eq!(with(&format!("network(file={zeros})")), without, "{spec}");
            assert_ne!(with(&format!("network(file={random})")), without, "{spec}");
            assert_eq!(with("network"), with(default), "{spec}");
        }
    }
    check::<ValueNetwork>(
        "fitted",
        "network(file=built-in)",
        &["mcts(playout=static, evaluation=PART)", "mcts(evaluation=PART)", "alphabeta(evaluation=PART)"],
    );
    let priors = ["mcts(prior=PART)", "alphabeta(prior=PART)"];
    check::<PolicyNetwork>("uniform", "network(file=built-in, base=1.075)", &priors);
    // Agents made earlier do not affect the base.
    for spec in priors {
        let with = |part: &str| self_play(agent(&spec.replace("PART", part)).as_mut(), 20);
        assert_ne!(with("network"), with("network(base=1.5)"), "{spec}");
    }
}

#[test]
fn specs_with_unusable_files_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = write(folder.path(), "text", b"no network\n");
    let value = write(folder.path(), "value", ValueNetwork::BUILT_IN_FILE);
    let missing = folder.path().join("missing");
    let missing = missing.to_str().expect("a path of text");
    let directory = folder.path().to_str().expect("a path of text");
    const EVALUATIONS: [&str; 2] = ["mcts(evaluation=PART)", "alphabeta(evaluation=PART)"];
    const PRIORS: [&str; 2] = ["mcts(prior=PART)", "alphabeta(prior=PART)"];
    const WRONG_KIND: &str =
        "the wrong kind of network: expected one for a prior, found one for an evaluation";
    for (specs, path, expected) in [
        (EVALUATIONS, text.as_str(), "not a network: expected the first line 'halma network 3'"),
        (EVALUATIONS, missing, "can't be read: No such file"),
        (EVALUATIONS, directory, "can't be read: not a regular file"),
        (EVALUATIONS, "/dev/zero", "can't be read: not a regular file"),
        (PRIORS, &value, WRONG_KIND),
        (PRIORS, missing, "can't be read: No such file"),
        (PRIORS, "/dev/zero", "can't be read: not a regular file"),
    ] {
        for spec in specs {
            let error = refusal(&spec.replace("PART", &format!("network(file={path})")));
            assert!(error.starts_with(&format!("file={path}: {expected}")), "{error}");
        }
    }
}
