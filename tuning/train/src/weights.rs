//! The weights of a network in training, as floating-point numbers.

use halma::support::random::Random;
use std::ops::Range;

/// Initial weights are drawn from the range ± this.
const FIRST_WEIGHTS: f32 = 0.1;

/// A table among the weights of a network.
#[derive(Clone, Copy, Debug)]
pub struct Table {
    start: usize,
    rows: usize,
    columns: usize,
}

impl Table {
    /// The first table.
    pub const fn first(rows: usize, columns: usize) -> Table {
        Table { start: 0, rows, columns }
    }

    /// The table after this one.
    pub const fn then(self, rows: usize, columns: usize) -> Table {
        Table { start: self.end(), rows, columns }
    }

    /// The number of weights in all tables up to and including this one.
    pub const fn end(self) -> usize {
        self.start + self.rows * self.columns
    }

    /// The indices of the table's weights.
    pub const fn range(self) -> Range<usize> {
        self.start..self.end()
    }

    #[inline]
    fn row(self, number: usize) -> Range<usize> {
        let start = self.start + number * self.columns;
        start..start + self.columns
    }
}

/// A number for each weight, table by table and row by row: the weights themselves, or a gradient.
#[derive(Clone, Debug, PartialEq)]
pub struct Weights(pub Vec<f32>);

impl Weights {
    pub fn zeros(count: usize) -> Weights {
        Weights(vec![0.0; count])
    }

    /// Small random weights.
    pub fn random(count: usize, seed: u64) -> Weights {
        let mut random = Random::new(seed);
        let share = |_| (random.bits() >> 40) as f32 / (1u32 << 24) as f32;
        Weights((0..count).map(share).map(|share| FIRST_WEIGHTS * (2.0 * share - 1.0)).collect())
    }

    /// Appends the weights `integers`, in which `scale` stands for 1.
    pub fn extend<'a, T: Copy + Into<f64> + 'a>(
        &mut self,
        integers: impl IntoIterator<Item = &'a T>,
        scale: i32,
    ) {
        self.0.extend(integers.into_iter().map(|&integer| (integer.into() / f64::from(scale)) as f32));
    }

    pub fn table(&self, table: Table) -> &[f32] {
        &self.0[table.range()]
    }

    pub fn table_mut(&mut self, table: Table) -> &mut [f32] {
        &mut self.0[table.range()]
    }

    #[inline]
    pub fn row(&self, table: Table, number: usize) -> &[f32] {
        &self.0[table.row(number)]
    }

    #[inline]
    pub fn row_mut(&mut self, table: Table, number: usize) -> &mut [f32] {
        &mut self.0[table.row(number)]
    }

    /// Clamps the weights of a table to ±`max`.
    pub fn clip(&mut self, table: Table, max: f32) {
        self.table_mut(table).iter_mut().for_each(|weight| *weight = weight.clamp(-max, max));
    }

    /// Scales down the rows of a table whose absolute weights add up to more than `max`.
    pub fn shrink_rows(&mut self, table: Table, max: f32) {
        for row in self.table_mut(table).chunks_mut(table.columns) {
            let sum: f32 = row.iter().map(|weight| weight.abs()).sum();
            if sum > max {
                row.iter_mut().for_each(|weight| *weight *= max / sum);
            }
        }
    }

    /// Multiplies the weights of a column by `factor`.
    pub fn scale_column(&mut self, table: Table, column: usize, factor: f32) {
        let weights = self.table_mut(table).iter_mut().skip(column).step_by(table.columns);
        weights.for_each(|weight| *weight *= factor);
    }

    /// Rounds a table to `integers`, in which `scale` stands for 1. Weights beyond the range of an integer are clamped.
    pub fn round(&self, table: Table, scale: i32, integers: &mut [i16]) {
        for (integer, weight) in integers.iter_mut().zip(self.table(table)) {
            *integer = (weight * scale as f32).round() as i16;
        }
    }
}

/// Adds `factor·row` to `sums`.
#[inline]
pub fn add(sums: &mut [f32], factor: f32, row: &[f32]) {
    sums.iter_mut().zip(row).for_each(|(sum, number)| *sum += factor * number);
}

/// The dot product, computed in eight partial sums.
#[inline]
pub fn product(a: &[f32], b: &[f32]) -> f32 {
    let mut sums = [0.0; 8];
    for (a, b) in a.as_chunks::<8>().0.iter().zip(b.as_chunks::<8>().0) {
        for (sum, (a, b)) in sums.iter_mut().zip(a.iter().zip(b)) {
            *sum += a * b;
        }
    }
    sums.iter().sum()
}
