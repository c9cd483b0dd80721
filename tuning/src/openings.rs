//! Where the games of a match begin.
//!
//! Agents that search alike play alike from the start of the game; openings make the games of a
//! match differ. They need not be fair, for each is played twice with sides swapped.

use crate::play_text;
use anyhow::{Context, Result, anyhow, ensure};
use halma::game::Game;
use halma::random::Random;
use halma::rules::{BLACK, Play, Position, Rules};
use serde::{Deserialize, Serialize};
use std::fs;

/// The choice of openings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Openings {
    /// A random number of plies, each the better of two random ones.
    Random {
        /// The fewest plies.
        least: u32,
        /// The most plies.
        most: u32,
    },
    /// Every game from the start.
    Start,
    /// These, in turn.
    List(Vec<Opening>),
}

/// The first plays of a game, Black's first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Opening(#[serde(with = "play_text::list")] pub Vec<Play>);

impl Default for Openings {
    fn default() -> Openings {
        Openings::Random { least: 4, most: 10 }
    }
}

impl Openings {
    /// The openings that `text` names: `start`, `random`, `random:LEAST-MOST`, or a file with one
    /// opening a line, its plays divided by `;`. (`#` and what follows it is a comment.)
    ///
    /// # Errors
    /// There is no such file, or it has a line that can't be read.
    pub fn parse(text: &str) -> Result<Openings> {
        match text {
            "start" => Ok(Openings::Start),
            "random" => Ok(Openings::default()),
            _ => match text.strip_prefix("random:") {
                Some(range) => random_range(range).ok_or_else(|| {
                    anyhow!(
                        "'{text}': expected random:LEAST-MOST with at most 1000 plies, such as random:4-10"
                    )
                }),
                None => read_list(text).with_context(|| format!("the openings in {text}")),
            },
        }
    }

    /// Whether all openings are legal under `rules`.
    ///
    /// # Errors
    /// The first illegal play.
    pub fn check(&self, rules: Rules) -> Result<()> {
        let Openings::List(openings) = self else { return Ok(()) };
        for (number, Opening(plays)) in (1..).zip(openings) {
            let mut position = Position::initial(BLACK, rules);
            for &play in plays {
                ensure!(position.is_legal(play), "opening {number}: {play} is not legal there");
                position.play(play);
            }
        }
        Ok(())
    }

    /// How many plies the longest opening has.
    pub fn longest(&self) -> usize {
        match self {
            Openings::Random { most, .. } => *most as usize,
            Openings::Start => 0,
            Openings::List(openings) => {
                openings.iter().map(|Opening(plays)| plays.len()).max().unwrap_or_default()
            }
        }
    }

    /// The opening of pair number `pair`; what is random about it follows from `seed`.
    pub fn opening(&self, rules: Rules, pair: u64, seed: u64) -> Opening {
        match self {
            Openings::Start => Opening::default(),
            Openings::List(openings) => openings[(pair % openings.len() as u64) as usize].clone(),
            &Openings::Random { least, most } => {
                let mut random = Random::new(seed);
                let plies = least as usize + random.below((most - least) as usize + 1);
                random_opening(rules, plies, &mut random)
            }
        }
    }
}

fn random_range(range: &str) -> Option<Openings> {
    let (least, most) = range.split_once('-')?;
    let (least, most) = (least.parse().ok()?, most.parse().ok()?);
    (least <= most && most <= 1000).then_some(Openings::Random { least, most })
}

fn read_list(path: &str) -> Result<Openings> {
    let text = fs::read_to_string(path)?;
    let mut openings = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.split('#').next().unwrap_or_default().trim();
        let plays: Result<Vec<Play>, _> =
            line.split(';').filter(|_| !line.is_empty()).map(|play| play.trim().parse()).collect();
        let plays = plays.with_context(|| format!("line {number}: expected plays 'x,y x,y; …'"))?;
        if !plays.is_empty() {
            openings.push(Opening(plays));
        }
    }
    ensure!(!openings.is_empty(), "there are none");
    Ok(Openings::List(openings))
}

/// `plies` plays that both sides might make: of two random legal plays the one of more progress,
/// again and again. Any legal play may come up, but armies go forward and not to and fro.
fn random_opening(rules: Rules, plies: usize, random: &mut Random) -> Opening {
    let mut position = Position::initial(BLACK, rules);
    let mut plays = Vec::new();
    let mut opening = Vec::with_capacity(plies);
    while opening.len() < plies && position.outcome().is_none() {
        position.plays(&mut plays);
        if plays.is_empty() {
            break;
        }
        let one = plays[random.below(plays.len())];
        let other = plays[random.below(plays.len())];
        let play = if position.progress(other) > position.progress(one) { other } else { one };
        position.play(play);
        opening.push(play);
    }
    Opening(opening)
}

#[cfg(test)]
mod tests {
    use super::*;
    use halma::rules::WHITE;

    #[test]
    fn random_openings_are_legal_go_forward_and_differ() {
        let openings = Openings::default();
        let all: Vec<Opening> = (0..200).map(|seed| openings.opening(Rules::Addendum, 0, seed)).collect();
        Openings::List(all.clone()).check(Rules::Addendum).expect("only legal plays");
        assert!(all.iter().all(|opening| (4..=10).contains(&opening.0.len())));
        assert!((4..=10).all(|plies| all.iter().any(|opening| opening.0.len() == plies)));
        let mut texts: Vec<String> = all.iter().map(|opening| format!("{opening:?}")).collect();
        texts.sort();
        texts.dedup();
        assert!(texts.len() > 190, "{} of 200", texts.len());
        let start = Position::initial(BLACK, Rules::Addendum);
        for Opening(plays) in &all {
            let end = plays.iter().fold(start, |mut position, &play| {
                position.play(play);
                position
            });
            let way =
                |position: &Position| position.tally(BLACK).distance() + position.tally(WHITE).distance();
            assert!(way(&end) < way(&start), "{plays:?}");
        }
    }

    #[test]
    fn openings_by_name() {
        assert_eq!(Openings::parse("start").ok(), Some(Openings::Start));
        let range = Openings::Random { least: 0, most: 3 };
        assert_eq!(Openings::parse("random:0-3").ok(), Some(range));
        for bad in ["random:3", "random:3-2", "random:0-1001", "random:a-b", "no such file"] {
            assert!(Openings::parse(bad).is_err(), "{bad}");
        }
    }
}
