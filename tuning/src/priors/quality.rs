//! How well weights predict choices.

use super::choice::{Choice, softmax};
use std::fmt::{self, Display, Formatter};

/// The ranks for which [`Quality`] counts how often the chosen play is among the first.
const FIRST: [usize; 4] = [1, 4, 8, 16];

/// How well weights predict choices.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quality {
    /// The mean of −ln of the probability given to the chosen play, in nats.
    pub log_loss: f64,
    /// The part of the choices in which that play is the likeliest, and among the 4, the 8 and the 16
    /// likeliest.
    pub among_first: [f64; FIRST.len()],
}

impl Quality {
    /// How well `weights`, in hundredths of a nat, predict `choices`; there must be at least one.
    pub fn of(weights: &[i16], choices: &[&Choice]) -> Quality {
        let mut sum = Quality { log_loss: 0.0, among_first: [0.0; FIRST.len()] };
        for choice in choices {
            let score = |features: &mut dyn Iterator<Item = usize>| -> i32 {
                features.map(|feature| i32::from(weights[feature])).sum()
            };
            let scores: Vec<i32> = choice.plays().map(|mut features| score(&mut features)).collect();
            let chances = softmax(scores.iter().map(|&score| f64::from(score) / 100.0).collect());
            sum.log_loss -= chances[choice.best()].max(f64::MIN_POSITIVE).ln();
            for (sum, first) in sum.among_first.iter_mut().zip(FIRST) {
                *sum += chance_among_first(first, &scores, choice.best());
            }
        }
        let count = choices.len() as f64;
        Quality { log_loss: sum.log_loss / count, among_first: sum.among_first.map(|sum| sum / count) }
    }
}

/// The probability that number `best` is among the `first` by score, with equal scores in random order.
fn chance_among_first(first: usize, scores: &[i32], best: usize) -> f64 {
    let better = scores.iter().filter(|&&score| score > scores[best]).count();
    let equal = scores.iter().filter(|&&score| score == scores[best]).count();
    (first.saturating_sub(better) as f64 / equal as f64).min(1.0)
}

impl Display for Quality {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Quality { log_loss, among_first } = self;
        write!(f, "log loss {log_loss:.4} nats, perplexity {:.2}, best play first", log_loss.exp())?;
        for (number, (first, part)) in FIRST.iter().zip(among_first).enumerate() {
            match number {
                0 => write!(f, " {:.1} %", 100.0 * part)?,
                1 => write!(f, ", among the first {first} {:.1} %", 100.0 * part)?,
                _ => write!(f, ", {first} {:.1} %", 100.0 * part)?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zero_weights_guess_and_good_weights_predict() {
        let plays: Vec<[u16; 1]> = (0..32).map(|feature| [feature]).collect();
        let choice = Choice::new(0, &plays, 3);
        let guess = Quality::of(&[0; 32], &[&choice]);
        assert!((guess.log_loss - 32f64.ln()).abs() < 1e-9);
        assert_eq!(guess.among_first, [1.0 / 32.0, 4.0 / 32.0, 8.0 / 32.0, 16.0 / 32.0]);
        let mut weights = [0; 32];
        weights[3] = 10_000;
        assert_eq!(Quality::of(&weights, &[&choice]), Quality { log_loss: 0.0, among_first: [1.0; 4] });
        // One is better for sure, and 31 are equally good.
        weights[3] = 0;
        weights[5] = 1;
        let among_first = Quality::of(&weights, &[&choice]).among_first;
        assert_eq!(among_first, [0.0, 3.0 / 31.0, 7.0 / 31.0, 15.0 / 31.0]);
        let told = guess.to_string();
        assert_eq!(
            told,
            "log loss 3.4657 nats, perplexity 32.00, best play first 3.1 %, \
             among the first 4 12.5 %, 8 25.0 %, 16 50.0 %"
        );
    }
}
