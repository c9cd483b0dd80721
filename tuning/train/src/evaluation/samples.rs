//! Positions of recorded games, with what searches found them to be worth.

use crate::samples::{self, PROVED, Sample, Squares};
use halma::evaluation::{Evaluation, Fitted};
use halma::game::Game;
use halma::network::value::bucket;
use halma::rules::{ForwardJumps, Position, forward_jumps};
use halma_lab::learn::games::{Drawn, InTree};
use halma_lab::play::record::NotedPlay;
use halma_lab::play::whole_number::whole;
use serde::Serialize;
use std::hash::{Hash, Hasher};

/// What samples are made of.
#[derive(clap::Args, Clone, Copy, Debug, Serialize)]
pub struct Choice {
    /// How much a position counts that a search looked into but the game did not go to, for one of the game; runs hold
    /// the value that the search found it to have. 0 leaves them out, those of trees too.
    #[arg(long, default_value_t = 0.3, value_name = "WEIGHT", value_parser = share)]
    sidelines: f32,
    /// Of the trees that runs with '--tree-nodes' hold, only nodes with this many visits or more; games of few
    /// iterations need less.
    #[arg(long, default_value_t = 64, value_name = "VISITS", value_parser = whole::<u32>)]
    least_visits: u32,
    /// How much of what a decision's position should be worth is the result of the game, 0…1; the rest, and all of it
    /// for positions beside the game, is the search's value.
    #[arg(long, default_value_t = 0.0, value_name = "SHARE", value_parser = share)]
    results: f32,
}

fn share(text: &str) -> Result<f32, String> {
    match text.parse() {
        Ok(share) if (0.0..=1.0).contains(&share) => Ok(share),
        _ => Err("expected a number from 0 to 1".to_string()),
    }
}

/// A position and what it is worth to the player to move.
#[derive(Clone, Copy, Debug)]
pub struct ValueSample {
    /// Where the pieces stand.
    pub squares: Squares,
    /// How far each side can jump.
    pub jumps: [ForwardJumps; 2],
    /// The phase of the game: which output of the network speaks.
    pub bucket: u8,
    /// The fitted score, which the network adds to.
    pub score: f32,
    /// What the network should learn, −1…+1.
    pub target: f32,
    /// How much it counts.
    pub weight: f32,
}

impl ValueSample {
    /// The position seen by its player to move.
    pub fn of(position: &Position, target: f32, weight: f32) -> ValueSample {
        let score = Fitted.score(position, position.to_move());
        let squares = samples::squares(position);
        let jumps = forward_jumps(&samples::position(&squares));
        ValueSample { squares, jumps, bucket: bucket(position) as u8, score, target, weight }
    }
}

impl Hash for ValueSample {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        // The squares say what there is to be jumped.
        let ValueSample { squares, jumps: _, bucket, score, target, weight } = self;
        (squares, bucket, [score, target, weight].map(|number| number.to_bits())).hash(hasher);
    }
}

impl Sample for ValueSample {
    type Choice = Choice;

    fn add(drawn: &Drawn<'_>, choice: &Choice, samples: &mut Vec<ValueSample>) {
        let Drawn { record, decision, position, .. } = *drawn;
        let (value, candidates) = (record.values[decision], &record.candidates[decision]);
        let result = if record.winner == Some(record.decider(decision)) { 1.0 } else { -1.0 };
        samples.push(ValueSample::of(&position, value + choice.results * (result - value), 1.0));
        for &NotedPlay(play, _, value) in candidates {
            let mut after = position;
            after.play(play);
            let aside = choice.sidelines > 0.0 && play != record.plays[decision];
            if aside && value.abs() <= PROVED && after.outcome().is_none() {
                samples.push(ValueSample::of(&after, -value, choice.sidelines));
            }
        }
        for &InTree { position: after, visits, value } in drawn.tree {
            let counts = choice.sidelines > 0.0 && visits >= choice.least_visits;
            if counts && value.abs() <= PROVED && after.outcome().is_none() {
                let to_mover = if after.to_move() == position.to_move() { value } else { -value };
                samples.push(ValueSample::of(&after, to_mover, choice.sidelines));
            }
        }
    }

    /// No sidelines, and values of searches alone: so errors can be compared whatever the [`Choice`].
    fn add_test(drawn: &Drawn<'_>, choice: &Choice, samples: &mut Vec<ValueSample>) {
        Self::add(drawn, &Choice { sidelines: 0.0, results: 0.0, ..*choice }, samples);
    }

    fn squares(&self) -> &Squares {
        &self.squares
    }

    fn weight(&self) -> f32 {
        self.weight
    }
}
