//! Solves linear equations with a symmetric positive definite matrix by Cholesky's method (Golub, Van Loan, "Matrix
//! Computations", 4th edition, section 4.2).

/// The lower triangular factor `L` of a matrix `L·Lᵀ`.
pub struct Cholesky {
    /// The rows of `L`, each up to the diagonal.
    rows: Vec<Vec<f64>>,
}

impl Cholesky {
    /// The factor of the matrix with these `rows`, of which only the part up to the diagonal is read; `None`
    /// if the matrix is not positive definite.
    pub fn of(rows: &[Vec<f64>]) -> Option<Cholesky> {
        let mut factor: Vec<Vec<f64>> = Vec::with_capacity(rows.len());
        for (i, row) in rows.iter().enumerate() {
            let mut found = Vec::with_capacity(i + 1);
            for (above, &value) in factor.iter().zip(row) {
                found.push((value - dot(above, &found)) / above[found.len()]);
            }
            let square = row[i] - dot(&found, &found);
            // NaN fails this comparison too.
            let positive = square > 0.0 && square.is_finite();
            found.push(positive.then(|| square.sqrt())?);
            factor.push(found);
        }
        Some(Cholesky { rows: factor })
    }

    /// Solves the equation in which the matrix times `x` equals `right`, and returns `x`.
    pub fn solve(&self, right: &[f64]) -> Vec<f64> {
        let mut x: Vec<f64> = Vec::with_capacity(right.len());
        for (row, value) in self.rows.iter().zip(right) {
            x.push((value - dot(row, &x)) / row[x.len()]);
        }
        for (i, row) in self.rows.iter().enumerate().rev() {
            x[i] /= row[i];
            let solved = x[i];
            x.iter_mut().zip(&row[..i]).for_each(|(x, value)| *x -= value * solved);
        }
        x
    }
}

fn dot(one: &[f64], other: &[f64]) -> f64 {
    one.iter().zip(other).map(|(one, other)| one * other).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Worked out by hand: the factor's rows are (2), (1, 3), (−1, 2, 1).
    #[test]
    fn three_equations_are_solved() {
        let matrix = [vec![4.0, 2.0, -2.0], vec![2.0, 10.0, 5.0], vec![-2.0, 5.0, 6.0]];
        let factor = Cholesky::of(&matrix).expect("a positive definite matrix");
        assert_eq!(factor.rows, [vec![2.0], vec![1.0, 3.0], vec![-1.0, 2.0, 1.0]]);
        let x = [1.0, -2.0, 3.0];
        let right: Vec<f64> = matrix.iter().map(|row| dot(row, &x)).collect();
        for (found, x) in factor.solve(&right).iter().zip(x) {
            assert!((found - x).abs() < 1e-12, "{found} for {x}");
        }
    }

    #[test]
    fn matrices_that_are_not_positive_definite_have_no_factor() {
        assert!(Cholesky::of(&[vec![1.0, 1.0], vec![1.0, 1.0]]).is_none());
        assert!(Cholesky::of(&[vec![1.0, 2.0], vec![2.0, 1.0]]).is_none());
        assert!(Cholesky::of(&[vec![f64::NAN]]).is_none());
        assert!(Cholesky::of(&[vec![f64::INFINITY]]).is_none());
        assert!(Cholesky::of(&[]).is_some_and(|none| none.solve(&[]).is_empty()));
    }
}
