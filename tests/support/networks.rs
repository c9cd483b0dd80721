//! Networks with random weights, and the sums of their hidden units by definition.

use super::positions::random_source;
use halma::game::Player;
use halma::network::policy::PolicyNetwork;
use halma::network::value::ValueNetwork;
use halma::network::{FEATURES, Network, feature};
use halma::rules::Position;
use rand::RngExt;
use std::path::Path;

/// A kind of network that tests fill at random.
pub trait RandomNetwork: Network {
    /// A network with random weights, which range from `-max` to `max` in the hidden layer.
    fn random(seed: u64, max: i16) -> Box<Self>;
}

impl RandomNetwork for ValueNetwork {
    fn random(seed: u64, max: i16) -> Box<ValueNetwork> {
        let mut rng = random_source(seed);
        let mut network = ValueNetwork::zeros();
        let mut fill = |weights: &mut [i16], max: i16| weights.fill_with(|| rng.random_range(-max..=max));
        fill(network.feature_weights.as_flattened_mut(), max);
        fill(network.jump_weights.as_flattened_mut(), max);
        fill(&mut network.feature_biases, max);
        fill(network.output_weights.as_flattened_mut(), 127);
        network.output_biases.fill_with(|| rng.random_range(-1_000_000..=1_000_000));
        network
    }
}

impl RandomNetwork for PolicyNetwork {
    fn random(seed: u64, max: i16) -> Box<PolicyNetwork> {
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
}

/// The sums of the hidden units for the pieces of `position` as `view` sees them, in integers that do not overflow.
pub fn piece_sums<const UNITS: usize>(
    position: &Position,
    view: Player,
    weights: &[[i16; UNITS]; FEATURES],
    biases: &[i16; UNITS],
) -> [i64; UNITS] {
    let mut sums = biases.map(i64::from);
    for side in Player::BOTH {
        for square in position.pieces(side) {
            add(&mut sums, &weights[feature(view, side, square)]);
        }
    }
    sums
}

/// Adds a row of weights to `sums`.
pub fn add<const UNITS: usize>(sums: &mut [i64; UNITS], row: &[i16; UNITS]) {
    sums.iter_mut().zip(row).for_each(|(sum, &weight)| *sum += i64::from(weight));
}

/// Writes a file and returns its path.
pub fn write(folder: &Path, name: &str, bytes: &[u8]) -> String {
    let path = folder.join(name);
    std::fs::write(&path, bytes).expect("a file in a new folder");
    path.to_str().expect("a path of text").to_string()
}
