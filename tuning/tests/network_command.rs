//! `lab network`: what is in a network, as text, as JSON and as a picture; and what is none is refused.

use crate::support::{refused, refused_on_full_disk, succeeds, text};
use halma::network::policy::PolicyNetwork;
use halma::network::value::{FEATURE_SCALE, HIDDEN, Network, SUM_SCALE};
use serde_json::Value;
use std::fs;
use std::path::PathBuf;
use tempfile::TempDir;

/// A file in `folder` with a network that adds 2 to the score of the player to move, whatever the board.
fn write(folder: &TempDir) -> PathBuf {
    let mut network = Network::built_in();
    network.provenance = "made by a test\nfor a test\u{7}".to_string();
    network.feature_weights.iter_mut().for_each(|row| row.fill(0));
    network.feature_weights[0][0] = FEATURE_SCALE as i16;
    network.output_weights.iter_mut().for_each(|weights| weights.fill(0));
    network.output_biases.fill(2 * SUM_SCALE);
    let path = folder.path().join("two.network");
    fs::write(&path, network.to_bytes()).expect("a file in a new folder");
    path
}

#[test]
fn it_tells_provenance_weights_and_opinions() {
    let folder = TempDir::new().expect("a folder");
    let path = write(&folder);
    let said = succeeds(&["network", text(&path)]);
    assert!(said.starts_with(&format!("file         {}\nprovenance   made by a test\n", path.display())));
    assert!(said.contains("             for a test\u{fffd}\n"), "no bell rings: {said}");
    assert!(said.lines().any(|line| line.starts_with("9 . . . .")), "{said}");
    let boards: Vec<&str> = said.lines().filter(|line| line.contains(".input.txt")).collect();
    assert_eq!(boards.len(), 6);
    assert!(boards.iter().all(|line| line.contains("+2.000")), "{said}");

    let json: Value = serde_json::from_str(&succeeds(&["network", text(&path), "--json"])).expect("JSON");
    assert_eq!(json["provenance"], "made by a test\nfor a test\u{7}");
    let weight = json["own"][0][0].as_f64().expect("a number");
    assert!((weight - (1.0 / HIDDEN as f64).sqrt()).abs() < 1e-9, "{weight}");
    for (board, number) in json["boards"].as_array().expect("a list").iter().zip(1..) {
        assert_eq!(board["board"], format!("{number}.input.txt"));
        assert_eq!(board["correction"], 2.0);
        assert!(board["value"].as_f64() > board["fitted"].as_f64(), "{board}");
    }
}

#[test]
fn without_a_file_it_shows_the_engines_own() {
    let json: Value = serde_json::from_str(&succeeds(&["network", "--json"])).expect("JSON");
    assert_eq!(json["file"], "built-in");
    assert_eq!(json["provenance"], Network::built_in().provenance.as_str());
    assert_eq!((&json["shape"]["features"], &json["shape"]["jump_features"]), (&512.into(), &1088.into()));
}

#[test]
fn a_prior_s_network_is_shown_as_one() {
    let folder = TempDir::new().expect("a folder");
    let path = folder.path().join("prior.network");
    let network = PolicyNetwork { provenance: "made by a test".to_string(), ..PolicyNetwork::zeros() };
    fs::write(&path, network.to_bytes()).expect("a file in a new folder");
    let said = succeeds(&["network", text(&path)]);
    assert!(said.contains("kind         a prior"), "{said}");
    assert!(said.contains("provenance   made by a test\n"), "{said}");
    let json: Value = serde_json::from_str(&succeeds(&["network", text(&path), "--json"])).expect("JSON");
    for board in json["boards"].as_array().expect("a list") {
        let legal = board["legal"].as_f64().expect("a number");
        let chance = board["likeliest"][0]["network"].as_f64().expect("a number");
        assert!((chance - 1.0 / legal).abs() < 1e-9, "all alike: {board}");
    }
    refused(&["network", text(&path), "--svg", "any.svg"], "--svg draws networks of evaluations only");
    let json: Value = serde_json::from_str(&succeeds(&["network", "--prior", "--json"])).expect("JSON");
    assert_eq!(json["provenance"], PolicyNetwork::built_in().provenance.as_str());
    let mut bytes = network.to_bytes();
    bytes.truncate(1000);
    fs::write(&path, bytes).expect("a cut file");
    refused(
        &["network", text(&path)],
        "prior.network: a network cut short: it ends at byte 1000, within the",
    );
}

#[test]
fn the_picture_is_written_whole_or_not_at_all() {
    let folder = TempDir::new().expect("a folder");
    let (path, svg) = (write(&folder), folder.path().join("network.svg"));
    succeeds(&["network", text(&path), "--svg", text(&svg)]);
    let picture = fs::read_to_string(&svg).expect("a picture");
    assert!(picture.starts_with("<svg") && picture.trim_end().ends_with("</svg>"), "{picture}");
    assert!(picture.contains(">unit 255<"));
    let said = refused_on_full_disk(&["network", text(&path), "--svg", text(&svg)], 512);
    assert!(said.contains("network.svg"), "{said}");
    assert_eq!(fs::read_to_string(&svg).expect("the old picture"), picture);
}

#[test]
fn what_is_no_network_is_refused() {
    let folder = TempDir::new().expect("a folder");
    let path = write(&folder);
    let mut bytes = fs::read(&path).expect("the file");
    bytes[1000] ^= 1;
    fs::write(&path, &bytes).expect("a changed file");
    refused(&["network", text(&path)], "two.network: a damaged network: its checksum is ");
    fs::write(&path, &bytes[..1000]).expect("a cut file");
    refused(
        &["network", text(&path)],
        "two.network: a network cut short: it ends at byte 1000, within the feature",
    );
    fs::write(&path, vec![b'x'; 3 << 20]).expect("a large file");
    refused(&["network", text(&path)], "two.network: not a network: it has more than 2097152 bytes");
    refused(&["network", text(folder.path())], "can't be read: it is not a plain file");
    let spec = format!("mcts(evaluation=network(file={}))", path.display());
    refused(&["match", "mcts", &spec, "--games", "2", "--iterations", "5"], "two.network: not a network");
}
