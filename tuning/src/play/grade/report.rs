//! The score, and which points were lost and why.

use std::fmt::{self, Display, Formatter};

/// One move or game.
#[derive(Clone, Debug, PartialEq)]
pub struct Item {
    /// What it was.
    pub name: String,
    /// The points it is worth.
    pub points: u32,
    /// Why they were lost, if they were.
    pub lost: Option<String>,
    /// CPU seconds that the program used.
    pub cpu: f64,
    /// CPU seconds that it had.
    pub time: f64,
}

impl Display for Item {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let won = if self.lost.is_some() { 0 } else { self.points };
        let Item { name, points, cpu, time, .. } = self;
        write!(f, "{won:>3} of {points:>2}  {cpu:>9.3} of {time:>7.2} s  {name}")?;
        if let Some(why) = &self.lost { write!(f, ": {why}") } else { Ok(()) }
    }
}

/// All that was graded.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Card {
    /// Moves and games, in order.
    pub items: Vec<Item>,
}

impl Card {
    /// The points won, and the points possible.
    pub fn score(&self) -> (u32, u32) {
        let won = self.items.iter().filter(|item| item.lost.is_none()).map(|item| item.points).sum();
        (won, self.items.iter().map(|item| item.points).sum())
    }
}

impl Display for Card {
    /// Writes what was lost and why, and the score.
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let lost: Vec<&Item> = self.items.iter().filter(|item| item.lost.is_some()).collect();
        if !lost.is_empty() {
            writeln!(f, "lost:")?;
        }
        lost.iter().try_for_each(|item| writeln!(f, "  {item}"))?;
        let (won, points) = self.score();
        write!(f, "score {won}/{points}")
    }
}
