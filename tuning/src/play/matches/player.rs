//! Plays the games of a match.

use super::settings::{Settings, agent_seed};
use crate::play::entrant::EntrantSpec;
use crate::play::game::{GameSetup, play_game};
use crate::play::openings::Opening;
use crate::play::record::{Contestant, GameRecord};
use crate::play::time_control::TimeControls;
use anyhow::Result;

/// A match whose entrants' specs have been parsed. Several threads may play its games.
///
/// ```
/// use halma_lab::play::matches::{MatchPlayer, Settings, Terms};
/// use halma_lab::play::time_control::TimeControl;
///
/// let terms = Terms { max_plies: 40, ..Terms::default() };
/// let settings = Settings::new(["greedy", "random"], 1, TimeControl::Iterations(1), terms);
/// let record = MatchPlayer::new(&settings)?.play(0, &|| false)?.expect("not cancelled");
/// assert!(record.plies() <= 40);
/// # Ok::<(), anyhow::Error>(())
/// ```
pub struct MatchPlayer<'a> {
    settings: &'a Settings,
    entrants: [EntrantSpec; 2],
    limit: TimeControls,
}

impl MatchPlayer<'_> {
    /// The match with these settings.
    ///
    /// # Errors
    /// A spec is malformed or names an unknown entrant.
    pub fn new(settings: &Settings) -> Result<MatchPlayer<'_>> {
        let entrants = [EntrantSpec::parse(&settings.a)?, EntrantSpec::parse(&settings.b)?];
        Ok(MatchPlayer { settings, entrants, limit: settings.limit })
    }

    /// The same match with limits in seconds multiplied by `factor`.
    #[must_use]
    pub fn scaled(self, factor: f64) -> Self {
        MatchPlayer { limit: self.limit.scaled(factor), ..self }
    }

    /// Plays game number `number` on this thread; `None` once `cancelled` returns true.
    ///
    /// # Errors
    /// A program can't be run.
    pub fn play(&self, number: u64, cancelled: &dyn Fn() -> bool) -> Result<Option<GameRecord>> {
        let setup = self.setup(number);
        let entrant = |which| self.entrants[which as usize].entrant(agent_seed(setup.seed, which));
        let [mut a, mut b] = [entrant(Contestant::A)?, entrant(Contestant::B)?];
        play_game(&setup, [&mut *a, &mut *b], cancelled)
    }

    fn setup(&self, number: u64) -> GameSetup {
        let terms = &self.settings.terms;
        let (Opening(opening), start) = self.settings.opening(number / 2);
        GameSetup {
            number,
            seed: self.settings.game_seed(number),
            black: Contestant::black_in(number),
            opening,
            rules: Contestant::BOTH.map(|which| self.settings.rules(which)),
            max_plies: terms.max_plies as usize,
            tree_nodes: terms.tree_nodes,
            ..GameSetup::new(start, self.limit)
        }
    }
}
