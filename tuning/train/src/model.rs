//! The network in real numbers, while it learns.

use crate::batch::Batch;
use candle_core::{D, Device, Result, Tensor, Var};
use halma::evaluation::network::{
    BUCKETS, FEATURE_SCALE, FEATURES, HIDDEN, MOST_OUTPUT_WEIGHT, Network, OUTPUT_SCALE,
};
use halma::random::Random;
use std::array;
use std::collections::HashMap;

/// The first weights are from minus this to this.
const FIRST_WEIGHTS: f32 = 0.1;
/// The first biases of hidden units: inside the range in which they learn.
const FIRST_BIASES: f32 = 0.2;

/// The weights, by the names they have in a [checkpoint](crate::checkpoint).
pub struct Model {
    /// [`FEATURES`] × [`HIDDEN`].
    feature_weights: Var,
    /// [`HIDDEN`].
    feature_biases: Var,
    /// 2·[`HIDDEN`] × [`BUCKETS`].
    output_weights: Var,
    /// [`BUCKETS`].
    output_biases: Var,
}

impl Model {
    /// A network that knows nothing yet.
    pub fn new(seed: u64) -> Result<Model> {
        let mut random = Random::new(seed);
        let mut first = |rows: usize, columns: usize| {
            let numbers = (0..rows * columns).map(|_| {
                let share = (random.bits() >> 40) as f32 / (1u32 << 24) as f32;
                FIRST_WEIGHTS * (2.0 * share - 1.0)
            });
            Var::from_tensor(&Tensor::from_vec(numbers.collect(), (rows, columns), &Device::Cpu)?)
        };
        Ok(Model {
            feature_weights: first(FEATURES, HIDDEN)?,
            output_weights: first(2 * HIDDEN, BUCKETS)?,
            feature_biases: Var::from_vec(vec![FIRST_BIASES; HIDDEN], HIDDEN, &Device::Cpu)?,
            output_biases: Var::from_vec(vec![0f32; BUCKETS], BUCKETS, &Device::Cpu)?,
        })
    }

    /// Takes the weights of `network`, to learn on from there.
    ///
    /// # Errors
    /// Candle's, none of which is expected.
    pub fn begin_from(&self, network: &Network) -> Result<()> {
        let set = |variable: &Var, numbers: Vec<f32>, scale: i32| {
            let numbers = numbers.into_iter().map(|number| number / scale as f32).collect();
            variable.set(&Tensor::from_vec(numbers, variable.shape(), &Device::Cpu)?)
        };
        let rows = network.feature_weights.iter().flatten();
        set(&self.feature_weights, rows.copied().map(f32::from).collect(), FEATURE_SCALE)?;
        let biases = network.feature_biases.map(f32::from);
        set(&self.feature_biases, biases.to_vec(), FEATURE_SCALE)?;
        let outputs =
            (0..2 * HIDDEN).flat_map(|unit| network.output_weights.map(|weights| weights[unit].into()));
        set(&self.output_weights, outputs.collect(), OUTPUT_SCALE)?;
        let biases = network.output_biases.map(|bias| bias as f32);
        set(&self.output_biases, biases.to_vec(), FEATURE_SCALE * FEATURE_SCALE * OUTPUT_SCALE)
    }

    /// All weights by name.
    fn named(&self) -> [(&'static str, &Var); 4] {
        [
            ("feature_weights", &self.feature_weights),
            ("feature_biases", &self.feature_biases),
            ("output_weights", &self.output_weights),
            ("output_biases", &self.output_biases),
        ]
    }

    /// All weights, for an optimiser.
    pub fn variables(&self) -> Vec<Var> {
        self.named().into_iter().map(|(_, variable)| variable.clone()).collect()
    }

    /// Copies of all weights by name.
    pub fn tensors(&self) -> Result<HashMap<String, Tensor>> {
        self.named().into_iter().map(|(name, variable)| Ok((name.to_string(), variable.copy()?))).collect()
    }

    /// Takes its weights from `tensors`.
    ///
    /// # Errors
    /// One is missing, or has another shape.
    pub fn take(&self, tensors: &HashMap<String, Tensor>) -> Result<()> {
        self.named().into_iter().try_for_each(|(name, variable)| match tensors.get(name) {
            Some(tensor) => variable.set(tensor),
            None => Err(candle_core::Error::Msg(format!("there are no {name}"))),
        })
    }

    /// The weighted mean of the squared differences between the network's values and the targets, for a batch of
    /// which `weight` in all counts as 1.
    pub fn loss(&self, batch: &Batch) -> Result<Tensor> {
        let [mover, opponent] = &batch.views;
        let hidden = Tensor::cat(&[self.hidden(mover)?, self.hidden(opponent)?], D::Minus1)?;
        let outputs = hidden.matmul(&self.output_weights)?.broadcast_add(&self.output_biases)?;
        let correction = outputs.gather(&batch.buckets, D::Minus1)?.squeeze(D::Minus1)?;
        let score = (&batch.scores + correction)?;
        // The engine's sigmoid: evaluation::squash.
        let value = score.div(&score.sqr()?.affine(1.0, 1.0)?.sqrt()?)?;
        let errors = (value - &batch.targets)?.sqr()?;
        (errors * &batch.weights)?.sum_all()? / batch.weight
    }

    /// The hidden units: squared clipped sums.
    fn hidden(&self, view: &Tensor) -> Result<Tensor> {
        view.matmul(&self.feature_weights)?.broadcast_add(&self.feature_biases)?.clamp(0f32, 1f32)?.sqr()
    }

    /// Brings output weights back to what the engine's integers hold.
    pub fn clip(&self) -> Result<()> {
        let clipped =
            self.output_weights.as_detached_tensor().clamp(-MOST_OUTPUT_WEIGHT, MOST_OUTPUT_WEIGHT)?;
        self.output_weights.set(&clipped)
    }

    /// The network in the engine's integers. What an integer can't hold is cut off; the engine refuses a network
    /// whose sums could overflow.
    pub fn rounded(&self, provenance: String) -> Result<Network> {
        let rows = rounded(&self.feature_weights, FEATURE_SCALE)?;
        let biases = rounded(&self.feature_biases, FEATURE_SCALE)?;
        let outputs = rounded(&self.output_weights, OUTPUT_SCALE)?;
        let output_biases = rounded(&self.output_biases, FEATURE_SCALE * FEATURE_SCALE * OUTPUT_SCALE)?;
        let short = |number: i32| number.clamp(i16::MIN.into(), i16::MAX.into()) as i16;
        Ok(Network {
            provenance,
            feature_weights: rows
                .chunks_exact(HIDDEN)
                .map(|row| array::from_fn(|unit| short(row[unit])))
                .collect(),
            feature_biases: array::from_fn(|unit| short(biases[unit])),
            output_weights: array::from_fn(|bucket| {
                array::from_fn(|unit| short(outputs[unit * BUCKETS + bucket]))
            }),
            output_biases: array::from_fn(|bucket| output_biases[bucket]),
        })
    }
}

/// The numbers of `variable`, row by row, in units of 1/`scale`.
fn rounded(variable: &Var, scale: i32) -> Result<Vec<i32>> {
    let numbers = variable.flatten_all()?.to_vec1::<f32>()?;
    Ok(numbers.into_iter().map(|number| (number * scale as f32).round() as i32).collect())
}
