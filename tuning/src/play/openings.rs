//! How the games of a match begin.
//!
//! Without openings, agents that search alike would play the same game again and again. An opening need not
//! be fair, because it is played twice with sides swapped. But if the opening decides both games, the pair
//! does not show which agent plays better. Balanced openings avoid that, for matches of few games with much
//! time.

use crate::play::text;
use anyhow::{Context, Result, anyhow, ensure};
use halma::agent;
use halma::game::Game;
use halma::rules::{BLACK, Play, Position, Rules};
use halma::search::Limits;
use halma::support::clock::ThreadClock;
use halma::support::random::Random;
use halma::support::text::without_mark;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::path::Path;

/// The choice of openings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Openings {
    /// A random number of plies, each the better of two random ones.
    Random {
        /// The minimum number of plies.
        least: u32,
        /// The maximum number of plies.
        most: u32,
    },
    /// Random openings, drawn until neither side is ahead: a short search by the default agent gives a value from −0.1
    /// to +0.1, which is an expected score of 45 to 55 %.
    Balanced {
        /// The minimum number of plies.
        least: u32,
        /// The maximum number of plies.
        most: u32,
    },
    /// No opening: every game begins at the initial position.
    Start,
    /// These openings in turn.
    List(Vec<Opening>),
}

/// The first plays of a game, Black's first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Opening(#[serde(with = "text::list")] pub Vec<Play>);

impl Default for Openings {
    fn default() -> Openings {
        let (least, most) = DEFAULT_PLIES;
        Openings::Random { least, most }
    }
}

/// The text that [`Openings::parse`] reads; for a list, `FILE`.
impl fmt::Display for Openings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Openings::Random { least, most } => write!(f, "random:{least}-{most}"),
            Openings::Balanced { least, most } => write!(f, "balanced:{least}-{most}"),
            Openings::Start => write!(f, "start"),
            Openings::List(_) => write!(f, "FILE"),
        }
    }
}

impl Openings {
    /// Parses `start`, `random`, `random:MIN-MAX`, `balanced`, `balanced:MIN-MAX`, or a file with one
    /// opening on each line. Plays are separated by `;`, and `#` begins a comment.
    ///
    /// # Errors
    /// The range is invalid, the file can't be read, or a line can't be parsed.
    pub fn parse(text: &str) -> Result<Openings> {
        let (name, range) = text.split_once(':').map_or((text, None), |(name, range)| (name, Some(range)));
        if text == "start" {
            return Ok(Openings::Start);
        }
        if !["random", "balanced"].contains(&name) {
            return read_list(text).with_context(|| format!("the openings in {text}"));
        }
        let (least, most) = range.map_or(Some(DEFAULT_PLIES), parse_plies).ok_or_else(|| {
            anyhow!("'{text}': expected {name}:MIN-MAX with at most 1000 plies, such as {name}:4-10")
        })?;
        Ok(if name == "random" {
            Openings::Random { least, most }
        } else {
            Openings::Balanced { least, most }
        })
    }

    /// Checks that listed openings are legal under `rules` and leave a game to play.
    ///
    /// # Errors
    /// An opening contains an illegal play, or ends the game.
    pub fn check(&self, rules: Rules) -> Result<()> {
        let Openings::List(openings) = self else { return Ok(()) };
        for (number, Opening(plays)) in (1..).zip(openings) {
            let mut position = Position::initial(BLACK, rules);
            for &play in plays {
                ensure!(position.is_legal(play), "opening {number}: {play} is illegal");
                position.play(play);
                ensure!(
                    !is_over(&position),
                    "opening {number}: the game is over after {play}; leave out this play and all that follow"
                );
            }
        }
        Ok(())
    }

    /// Whether the openings depend on how the default agent plays.
    pub fn is_balanced(&self) -> bool {
        matches!(self, Openings::Balanced { .. })
    }

    /// The maximum number of plies of an opening.
    pub fn max_plies(&self) -> usize {
        match self {
            Openings::Random { most, .. } | Openings::Balanced { most, .. } => *most as usize,
            Openings::Start => 0,
            Openings::List(openings) => {
                openings.iter().map(|Opening(plays)| plays.len()).max().unwrap_or_default()
            }
        }
    }

    /// The opening of pair number `pair`. If random, it follows from `seed`.
    pub fn opening(&self, rules: Rules, pair: u64, seed: u64) -> Opening {
        match self {
            Openings::Start => Opening::default(),
            Openings::List(openings) => openings[(pair % openings.len() as u64) as usize].clone(),
            &Openings::Random { least, most } => {
                random_opening(rules, [least, most], &mut Random::new(seed)).0
            }
            &Openings::Balanced { least, most } => balanced_opening(rules, [least, most], seed, BALANCE).1,
        }
    }
}

/// The default minimum and maximum number of plies.
const DEFAULT_PLIES: (u32, u32) = (4, 10);

fn parse_plies(range: &str) -> Option<(u32, u32)> {
    let (least, most) = range.split_once('-')?;
    let (least, most) = (least.parse().ok()?, most.parse().ok()?);
    (least <= most && most <= 1000).then_some((least, most))
}

fn read_list(path: &str) -> Result<Openings> {
    let text = text::read(Path::new(path))?;
    let mut openings = Vec::new();
    for (number, line) in (1..).zip(without_mark(&text).lines()) {
        let line = line.split('#').next().unwrap_or_default().trim();
        let play = |play: &str| {
            let expected =
                || format!("line {number}: '{play}': expected plays such as '2,0 4,2; 13,15 11,13'");
            play.parse::<Play>().ok().with_context(expected)
        };
        let plays = line.split(';').filter(|_| !line.is_empty()).map(str::trim).map(play);
        let plays = plays.collect::<Result<Vec<Play>>>()?;
        if !plays.is_empty() {
            openings.push(Opening(plays));
        }
    }
    ensure!(!openings.is_empty(), "the file contains no openings");
    Ok(Openings::List(openings))
}

/// The maximum absolute value of a balanced opening.
const BALANCE: f32 = 0.1;

/// The iterations of the search that evaluates an opening. They take about 3 ms.
const BALANCE_ITERATIONS: u64 = 2000;

/// The maximum number of random openings tried for a balanced one. One in five is balanced.
const MAX_DRAWS: usize = 100;

/// The first [random opening](random_opening) whose absolute value is at most `bound`; if none is, the one whose value
/// is closest to 0. Also returns how far its value is from 0.
fn balanced_opening(rules: Rules, plies: [u32; 2], seed: u64, bound: f32) -> (f32, Opening) {
    let mut random = Random::new(seed);
    let mut agent = agent::parse("mcts", 1).expect("the default agent");
    let mut nearest = (f32::INFINITY, Opening::default());
    for _ in 0..MAX_DRAWS {
        let (opening, position) = random_opening(rules, plies, &mut random);
        agent.new_game();
        let decision = agent.decide(&position, &Limits::iterations(BALANCE_ITERATIONS), &ThreadClock, None);
        let ahead = decision.map_or(f32::INFINITY, |decision| decision.report.value.get().abs());
        if ahead <= nearest.0 {
            nearest = (ahead, opening);
        }
        if ahead <= bound {
            break;
        }
    }
    nearest
}

/// An opening of `least` to `most` plies, and the position after it. Each ply is the one of two random legal
/// plays that makes more progress: every legal play may occur, but the armies move forward overall. An opening stops
/// short of a play that would end the game.
pub(super) fn random_opening(
    rules: Rules,
    [least, most]: [u32; 2],
    random: &mut Random,
) -> (Opening, Position) {
    let plies = least as usize + random.below((most - least) as usize + 1);
    let mut position = Position::initial(BLACK, rules);
    let mut legal_plays = Vec::new();
    let mut opening = Vec::with_capacity(plies);
    while opening.len() < plies {
        position.legal_plays(&mut legal_plays);
        let one = legal_plays[random.below(legal_plays.len())];
        let other = legal_plays[random.below(legal_plays.len())];
        let play = if position.progress(other) > position.progress(one) { other } else { one };
        let mut next = position;
        next.play(play);
        if is_over(&next) {
            break;
        }
        position = next;
        opening.push(play);
    }
    (Opening(opening), position)
}

/// Whether there is nothing left to play: the game is decided, or the side to move is blocked.
fn is_over(position: &Position) -> bool {
    position.outcome().is_some() || position.count_plays() == 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use halma::rules::WHITE;

    #[test]
    fn random_openings_are_legal_varied_and_move_forward() {
        let openings = Openings::default();
        let all: Vec<Opening> = (0..200).map(|seed| openings.opening(Rules::Addendum, 0, seed)).collect();
        Openings::List(all.clone()).check(Rules::Addendum).expect("legal plays");
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
            let distance =
                |position: &Position| position.tally(BLACK).distance() + position.tally(WHITE).distance();
            assert!(distance(&end) < distance(&start), "{plays:?}");
        }
    }

    #[test]
    fn random_openings_leave_a_game_to_play() {
        let openings =
            (0..20).map(|seed| random_opening(Rules::Addendum, [1000, 1000], &mut Random::new(seed)));
        let (openings, ends): (Vec<Opening>, Vec<Position>) = openings.unzip();
        assert!(ends.iter().all(|end| !is_over(end)));
        assert!(openings.iter().any(|opening| opening.0.len() < 1000), "some games would have ended");
    }

    #[test]
    fn balanced_openings_favour_neither_side() {
        let balanced = Openings::parse("balanced:4-10").expect("balanced openings");
        let mut agent = agent::parse("mcts", 2).expect("the default agent");
        let mut value = |openings: &Openings, seed| {
            let Opening(plays) = openings.opening(Rules::Addendum, 0, seed);
            assert!((4..=10).contains(&plays.len()));
            let start = Position::initial(BLACK, Rules::Addendum);
            let end = plays.iter().fold(start, |mut position, &play| {
                position.try_play(play).expect("a legal play");
                position
            });
            agent.new_game();
            let decision =
                agent.decide(&end, &Limits::iterations(10_000), &ThreadClock, None).expect("a play");
            decision.report.value.get().abs()
        };
        let mut most = |openings| (0..12).map(|seed| value(openings, seed)).fold(0.0, f32::max);
        // A longer search may disagree a little.
        assert!(most(&balanced) < 2.0 * BALANCE);
        assert!(most(&Openings::default()) > 2.0 * BALANCE);
        assert_eq!(balanced.opening(Rules::Addendum, 0, 3), balanced.opening(Rules::Addendum, 1, 3));
    }

    #[test]
    fn the_nearest_opening_is_taken_if_none_is_balanced() {
        let draw = |bound| balanced_opening(Rules::Addendum, [4, 10], 1, bound);
        let (least, nearest) = draw(-1.0);
        assert!(least < draw(BALANCE).0, "the first balanced opening is not the nearest");
        assert_eq!(draw(least), (least, nearest), "no other opening is as near");
    }

    #[test]
    fn openings_by_name() {
        assert_eq!(Openings::parse("start").ok(), Some(Openings::Start));
        let range = Openings::Random { least: 0, most: 3 };
        assert_eq!(Openings::parse("random:0-3").ok(), Some(range));
        let balanced = Openings::Balanced { least: 4, most: 10 };
        assert_eq!(Openings::parse("balanced").ok(), Some(balanced));
        for bad in ["random:3", "random:3-2", "random:0-1001", "balanced:a-b", "random:", "no such file"] {
            assert!(Openings::parse(bad).is_err(), "{bad}");
        }
    }
}
