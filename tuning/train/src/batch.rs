//! Samples as tensors.

use crate::samples::Sample;
use candle_core::{Device, Result, Tensor};
use halma::evaluation::network::{FEATURES, feature};
use halma::game::Player;
use halma::random::{Random, mix};
use halma::rules::{BLACK, Square};

/// Some samples, a row for each.
pub struct Batch {
    /// Which features are there, 1 or 0, in the view of the mover and of the opponent: rows × [`FEATURES`] each.
    pub views: [Tensor; 2],
    /// The output that speaks, rows × 1.
    pub buckets: Tensor,
    /// The fitted scores.
    pub scores: Tensor,
    /// What they should be worth, −1…+1.
    pub targets: Tensor,
    /// How much they count.
    pub weights: Tensor,
    /// The sum of the weights.
    pub weight: f64,
}

impl Batch {
    /// The samples as they are.
    pub fn of(samples: &[&Sample]) -> Result<Batch> {
        Batch::mirrored(samples, |_| false)
    }

    /// The samples, each mirrored at the diagonal between the camps or not, as `random` says: the rules know no
    /// difference.
    pub fn mirrored_at_random(samples: &[&Sample], random: &mut Random) -> Result<Batch> {
        let seed = random.bits();
        Batch::mirrored(samples, |row| mix(seed ^ row as u64) & 1 == 1)
    }

    fn mirrored(samples: &[&Sample], mirrored: impl Fn(usize) -> bool) -> Result<Batch> {
        let rows = samples.len();
        let column = |get: fn(&Sample) -> f32| {
            Tensor::from_vec(samples.iter().map(|sample| get(sample)).collect(), rows, &Device::Cpu)
        };
        let view = |view: Player| {
            let mut cells = vec![0f32; rows * FEATURES];
            for (row, (sample, cells)) in samples.iter().zip(cells.chunks_exact_mut(FEATURES)).enumerate() {
                for (side, numbers) in [BLACK, BLACK.opponent()].into_iter().zip(&sample.squares) {
                    for &number in numbers {
                        let square = Square::from_number(number);
                        let square = if mirrored(row) { Square::new(square.y(), square.x()) } else { square };
                        cells[feature(view, side, square)] = 1.0;
                    }
                }
            }
            Tensor::from_vec(cells, (rows, FEATURES), &Device::Cpu)
        };
        let buckets = samples.iter().map(|sample| u32::from(sample.bucket)).collect();
        Ok(Batch {
            views: [view(BLACK)?, view(BLACK.opponent())?],
            buckets: Tensor::from_vec(buckets, (rows, 1), &Device::Cpu)?,
            scores: column(|sample| sample.score)?,
            targets: column(|sample| sample.target)?,
            weights: column(|sample| sample.weight)?,
            weight: samples.iter().map(|sample| f64::from(sample.weight)).sum(),
        })
    }
}
