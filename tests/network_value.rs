//! The value network: its values equal those of its formula for any sequence of positions, and a half turn changes none.

use crate::support::networks::{RandomNetwork, add, piece_sums};
use crate::support::positions::for_many_positions;
use halma::evaluation::{Evaluation, Fitted};
use halma::game::{Game, Player};
use halma::network::value::{
    FEATURE_SCALE, HIDDEN, JUMP_FEATURES, JUMP_INPUTS, MAX_OUTPUT_WEIGHTS, NetworkEvaluation, SUM_SCALE,
    ValueNetwork, bucket,
};
use halma::network::{Network, seen_by};
use halma::rules::{ForwardJumps, PIECES, Position, forward_jumps};

/// The maximum number of rows in a sum: pieces, jumps and biases.
const INPUTS: i16 = 2 * PIECES as i16 + JUMP_INPUTS as i16 + 1;

fn evaluation(network: &ValueNetwork) -> NetworkEvaluation {
    NetworkEvaluation::new(Box::new(network.clone())).expect("its weights are in range")
}

/// The inputs for the jumps of both sides as `view` sees them, by definition. Other tests check the jumps themselves.
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

/// The correction for the player to move, computed by the formula in integers that do not overflow.
fn by_formula(network: &ValueNetwork, position: &Position) -> f32 {
    let mover = position.to_move();
    let weights = &network.output_weights[bucket(position)];
    let mut total = i64::from(network.output_biases[bucket(position)]);
    for (view, weights) in [mover, mover.opponent()].into_iter().zip(weights.chunks(HIDDEN)) {
        let mut sums = piece_sums(position, view, &network.feature_weights, &network.feature_biases);
        jumps(position, view).into_iter().for_each(|input| add(&mut sums, &network.jump_weights[input]));
        for (sum, &weight) in sums.into_iter().zip(weights) {
            total += sum.clamp(0, FEATURE_SCALE.into()).pow(2) / 2 * i64::from(weight);
        }
    }
    i32::try_from(total).expect("weights in range") as f32 / SUM_SCALE as f32
}

#[test]
fn values_equal_the_formula_in_twenty_thousand_positions() {
    // The second network's sums come near the limits of its integers.
    let networks = [ValueNetwork::random(1, 300), ValueNetwork::random(2, i16::MAX / INPUTS)];
    for (seed, network) in (1..).zip(networks) {
        let mut kept = evaluation(&network);
        let mut corrections = [0; 2];
        for_many_positions(seed, 10_000, &mut |position| {
            let expected = by_formula(&network, position);
            assert_eq!(kept.correction(position), expected, "{position}");
            corrections[usize::from(expected > 0.0)] += 1;
        });
        assert!(corrections.iter().all(|&count| count > 200), "too few of one sign: {corrections:?}");
    }
}

#[test]
fn the_score_is_the_fitted_score_plus_the_correction() {
    let network = ValueNetwork::random(4, 300);
    let mut evaluation = evaluation(&network);
    for_many_positions(4, 2_000, &mut |position| {
        let (mover, correction) = (position.to_move(), by_formula(&network, position));
        assert_eq!(evaluation.score(position, mover), Fitted.score(position, mover) + correction);
        let opponent = mover.opponent();
        assert_eq!(evaluation.score(position, opponent), Fitted.score(position, opponent) - correction);
    });
}

#[test]
fn a_half_turn_changes_no_value() {
    let mut evaluation = evaluation(&ValueNetwork::random(5, 300));
    for_many_positions(5, 5_000, &mut |position| {
        let turned = position.half_turn();
        let [here, there] = [position, &turned].map(|position| evaluation.correction(position));
        assert_eq!(here, there, "{position}");
    });
}

#[test]
fn sums_at_their_limits_do_not_overflow() {
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
        for_many_positions(6, 500, &mut |position| {
            assert_eq!(evaluation.correction(position), by_formula(&network, position));
        });
    }
}
