//! `lab network` shows a network as text, as JSON or as a picture, and refuses other files.

use crate::support::{Folder, list, number};
use halma::network::policy::PolicyNetwork;
use halma::network::value::{FEATURE_SCALE, HIDDEN, SUM_SCALE, ValueNetwork};
use halma::network::{Network, NetworkFile};

/// A folder with a network in `two.network` that adds 2 to the score of the player to move on any board.
fn folder() -> Folder {
    let mut network = ValueNetwork::zeros();
    network.feature_weights[0][0] = FEATURE_SCALE as i16;
    network.output_biases.fill(2 * SUM_SCALE);
    let file = NetworkFile { provenance: "made by a test\nfor a test\u{7}".to_string(), network };
    Folder::with("two.network", file.to_bytes())
}

#[test]
fn it_shows_provenance_weights_and_opinions() {
    let folder = folder();
    let text = folder.succeeds("network two.network");
    assert!(text.starts_with("file         two.network\nprovenance   made by a test\n"), "{text}");
    assert!(text.contains("             for a test\u{fffd}\n"), "no bell rings: {text}");
    assert!(text.lines().any(|line| line.starts_with("9 . . . .")), "{text}");
    let boards: Vec<&str> = text.lines().filter(|line| line.contains(".input.txt")).collect();
    assert_eq!(boards.len(), 6);
    assert!(boards.iter().all(|line| line.contains("+2.000")), "{text}");

    let json = folder.result("network two.network");
    assert_eq!(json["provenance"], "made by a test\nfor a test\u{7}");
    let weight = number(&json["own"][0][0]);
    assert!((weight - (1.0 / HIDDEN as f64).sqrt()).abs() < 1e-9, "{weight}");
    for (board, name) in list(&json["boards"]).iter().zip(1..) {
        assert_eq!(board["board"], format!("{name}.input.txt"));
        assert_eq!(board["correction"], 2.0);
        assert!(number(&board["value"]) > number(&board["fitted"]), "{board}");
    }
}

#[test]
fn without_a_file_it_shows_the_built_in_network() {
    let json = Folder::new().result("network");
    assert_eq!(
        (&json["file"], &json["provenance"]),
        (&"built-in".into(), &NetworkFile::<ValueNetwork>::built_in().provenance.into())
    );
    assert_eq!((&json["shape"]["features"], &json["shape"]["jump_features"]), (&512.into(), &1088.into()));
    let json = Folder::new().result("network --prior");
    assert_eq!(json["provenance"], NetworkFile::<PolicyNetwork>::built_in().provenance.as_str());
}

#[test]
fn the_network_of_a_prior_is_shown_as_such() {
    let file = NetworkFile { provenance: "made by a test".to_string(), network: PolicyNetwork::zeros() };
    let folder = Folder::with("prior.network", file.to_bytes());
    let text = folder.succeeds("network prior.network");
    assert!(text.contains("kind         a prior"), "{text}");
    assert!(text.contains("provenance   made by a test\n"), "{text}");
    for board in list(&folder.result("network prior.network")["boards"]) {
        let chance = number(&board["likeliest"][0]["network"]);
        assert!((chance - 1.0 / number(&board["legal"])).abs() < 1e-9, "all plays are alike: {board}");
    }
    folder.refused("network prior.network --svg any.svg", "--svg draws evaluation networks only");
    folder.write("prior.network", &file.to_bytes()[..1000]);
    let why = "prior.network: a truncated network: it ends at byte 1000, inside the";
    folder.refused("network prior.network", why);
}

#[test]
fn the_picture_is_written_whole_or_not_at_all() {
    let folder = folder();
    let line = "network two.network --svg network.svg";
    folder.succeeds(line);
    let picture = folder.read("network.svg");
    assert!(picture.starts_with("<svg") && picture.trim_end().ends_with("</svg>"), "{picture}");
    assert!(picture.contains(">unit 255<"));
    // XML forbids most control characters.
    folder.write("a\u{1}<b.network", std::fs::read(folder.path("two.network")).expect("the file"));
    folder.succeeds("network 'a\u{1}<b.network' --svg odd.svg");
    assert!(folder.read("odd.svg").contains("a\u{fffd}&#60;b.network"));
    let message = folder.refused_on_full_disk(line, 512);
    assert!(message.contains("network.svg"), "{message}");
    assert_eq!(folder.read("network.svg"), picture);
}

#[test]
fn other_files_are_refused() {
    let folder = folder();
    let mut damaged = std::fs::read(folder.path("two.network")).expect("the file");
    damaged[1000] ^= 1;
    for (bytes, why) in [
        (&damaged[..], "two.network: a damaged network: its checksum is "),
        (&damaged[..1000], "two.network: a truncated network: it ends at byte 1000, inside the weights"),
        (&[b'x'; 3 << 20], "two.network: not a network: larger than 2097152 bytes"),
    ] {
        folder.write("two.network", bytes);
        folder.refused("network two.network", why);
    }
    folder.refused("network .", "can't be read: not a regular file");
    let spec = "'mcts(evaluation=network(file=two.network))'";
    folder.refused(&format!("match mcts {spec} --games 2 --iterations 5"), "two.network: not a network");
}
