//! The policy network: its scores equal those of its formula for any sequence of positions, and a half turn changes none.

use crate::support::networks::{RandomNetwork, piece_sums};
use crate::support::plays::legal_plays;
use crate::support::positions::for_many_positions;
use halma::game::Game;
use halma::network::policy::{
    HIDDEN, HIDDEN_SCALE, MAX_PLAY_WEIGHT, NetworkPrior, POINT_BITS, PolicyNetwork,
};
use halma::network::{Network, seen_by};
use halma::prior::{Features, Prior};
use halma::rules::{PIECES, Play, Position};

fn prior(network: &PolicyNetwork) -> NetworkPrior {
    NetworkPrior::new(Box::new(network.clone()), 1.1).expect("its weights are in range")
}

/// The plays of `position` and their scores.
fn scored(prior: &mut NetworkPrior, position: &Position) -> (Vec<Play>, Vec<i8>) {
    let (plays, mut scores) = (legal_plays(position), vec![1; 3]);
    prior.scores(position, &plays, &mut scores);
    (plays, scores)
}

/// The scores, computed by the formula in integers that do not overflow.
fn by_formula(network: &PolicyNetwork, position: &Position, plays: &[Play]) -> Vec<i8> {
    let mover = position.to_move();
    let sums = piece_sums(position, mover, &network.feature_weights, &network.feature_biases);
    let product = |row: &[i16; HIDDEN]| -> i64 {
        let products = sums.iter().zip(row);
        products.map(|(sum, &weight)| sum.clamp(&0, &HIDDEN_SCALE.into()) * i64::from(weight)).sum()
    };
    let features = Features::new(position);
    let logits: Vec<i64> = plays
        .iter()
        .map(|&play| {
            let of_features: i64 =
                features.of(play).iter().map(|&feature| i64::from(network.play_weights[feature])).sum();
            product(&network.from_weights[seen_by(mover, play.from)])
                + product(&network.to_weights[seen_by(mover, play.to)])
                + product(&network.kind_weights[features.kind(play)])
                + i64::from(HIDDEN_SCALE) * of_features
        })
        .collect();
    let best = logits.iter().max().copied().unwrap_or(0);
    let point = 2f64.powi(POINT_BITS as i32);
    let score = |logit: i64| ((logit - best) as f64 / point + 0.5).floor().max(-128.0) as i8;
    logits.into_iter().map(score).collect()
}

#[test]
fn scores_equal_the_formula_in_twenty_thousand_positions() {
    // The second network's sums come near the limits of its integers.
    let networks =
        [PolicyNetwork::random(1, 60), PolicyNetwork::random(2, i16::MAX / (2 * PIECES as i16 + 1))];
    for (seed, network) in (1..).zip(networks) {
        let mut kept = prior(&network);
        let mut different = 0;
        for_many_positions(seed, 10_000, &mut |position| {
            let (plays, scores) = scored(&mut kept, position);
            assert_eq!(scores, by_formula(&network, position, &plays), "{position}");
            different += usize::from(scores.iter().any(|&score| score < 0));
        });
        assert!(different > 5_000, "only {different} positions have different scores");
    }
}

#[test]
fn a_half_turn_changes_no_score() {
    let mut prior = prior(&PolicyNetwork::random(3, 60));
    for_many_positions(3, 3_000, &mut |position| {
        let (plays, scores) = scored(&mut prior, position);
        let (turned, turned_scores) = scored(&mut prior, &position.half_turn());
        for (play, score) in plays.iter().zip(scores) {
            let place = turned.iter().position(|&other| other == play.half_turn()).expect("the turned play");
            assert_eq!(turned_scores[place], score, "{play} in {position}");
        }
    });
}

#[test]
fn sums_at_their_limits_do_not_overflow() {
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
        for_many_positions(4, 500, &mut |position| {
            let (plays, scores) = scored(&mut prior, position);
            assert_eq!(scores, by_formula(&network, position, &plays));
        });
    }
}
