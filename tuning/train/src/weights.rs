//! A network in real numbers, while it learns.

use halma::network::UnitRow;
use halma::support::random::Random;
use std::ops::Range;

/// The first weights are from minus this to this.
const FIRST_WEIGHTS: f32 = 0.1;

/// A table among the weights of a network.
#[derive(Clone, Copy, Debug)]
pub struct Table {
    start: usize,
    rows: usize,
    columns: usize,
}

impl Table {
    /// The table that comes first.
    pub const fn first(rows: usize, columns: usize) -> Table {
        Table { start: 0, rows, columns }
    }

    /// The table that follows on this one.
    pub const fn then(self, rows: usize, columns: usize) -> Table {
        Table { start: self.end(), rows, columns }
    }

    /// How many weights there are up to its end.
    pub const fn end(self) -> usize {
        self.start + self.rows * self.columns
    }

    /// The places of its weights.
    pub const fn range(self) -> Range<usize> {
        self.start..self.end()
    }

    /// The places of the weights of one row.
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
    /// Nothing but zeros, `count` of them.
    pub fn zeros(count: usize) -> Weights {
        Weights(vec![0.0; count])
    }

    /// Small numbers, `count` of them, that follow from `seed`.
    pub fn random(count: usize, seed: u64) -> Weights {
        let mut random = Random::new(seed);
        let share = |_| (random.bits() >> 40) as f32 / (1u32 << 24) as f32;
        Weights((0..count).map(share).map(|share| FIRST_WEIGHTS * (2.0 * share - 1.0)).collect())
    }

    /// Adds the weights of `integers`, in which 1 is `scale`.
    pub fn extend<'a, T: Copy + Into<f64> + 'a>(
        &mut self,
        integers: impl IntoIterator<Item = &'a T>,
        scale: i32,
    ) {
        self.0.extend(integers.into_iter().map(|&integer| (integer.into() / f64::from(scale)) as f32));
    }

    /// All rows of a table.
    pub fn table_mut(&mut self, table: Table) -> &mut [f32] {
        &mut self.0[table.range()]
    }

    /// A row of a table.
    #[inline]
    pub fn row(&self, table: Table, number: usize) -> &[f32] {
        &self.0[table.row(number)]
    }

    /// A row of a table, to change it.
    #[inline]
    pub fn row_mut(&mut self, table: Table, number: usize) -> &mut [f32] {
        &mut self.0[table.row(number)]
    }

    /// Brings the weights of a table back to between minus `most` and `most`.
    pub fn clip(&mut self, table: Table, most: f32) {
        self.table_mut(table).iter_mut().for_each(|weight| *weight = weight.clamp(-most, most));
    }

    /// Makes those rows of a table smaller whose absolute values add up to more than `most`.
    pub fn shrink_rows(&mut self, table: Table, most: f32) {
        for row in self.table_mut(table).chunks_mut(table.columns) {
            let sum: f32 = row.iter().map(|weight| weight.abs()).sum();
            if sum > most {
                row.iter_mut().for_each(|weight| *weight *= most / sum);
            }
        }
    }

    /// Multiplies the weights of a column by `factor`.
    pub fn scale_column(&mut self, table: Table, column: usize, factor: f32) {
        let weights = self.table_mut(table).iter_mut().skip(column).step_by(table.columns);
        weights.for_each(|weight| *weight *= factor);
    }

    /// The weights of a table in integers in which 1 is `scale`, as real numbers.
    pub fn rounded(&self, table: Table, scale: i32) -> impl Iterator<Item = f32> {
        self.0[table.range()].iter().map(move |weight| (weight * scale as f32).round())
    }

    /// The rows of a table in integers in which 1 is `scale`. What an integer can't hold is cut off; the engine refuses
    /// a network whose sums could overflow.
    pub fn rounded_rows<const N: usize>(&self, table: Table, scale: i32) -> Vec<UnitRow<N>> {
        let integers: Vec<i16> = self.rounded(table, scale).map(|number| number as i16).collect();
        integers.as_chunks().0.iter().copied().map(UnitRow).collect()
    }
}

/// Adds `factor·row` to `sums`.
#[inline]
pub fn add(sums: &mut [f32], factor: f32, row: &[f32]) {
    sums.iter_mut().zip(row).for_each(|(sum, number)| *sum += factor * number);
}

/// The sum of products, eight at a time.
#[inline]
pub fn product(one: &[f32], other: &[f32]) -> f32 {
    let mut lanes = [0.0; 8];
    for (one, other) in one.as_chunks::<8>().0.iter().zip(other.as_chunks::<8>().0) {
        for (lane, (one, other)) in lanes.iter_mut().zip(one.iter().zip(other)) {
            *lane += one * other;
        }
    }
    lanes.iter().sum()
}
