//! The result of games that are there already, without playing any.

use super::record::GameRecord;
use super::settings::Settings;
use super::summary::{Count, Summary};
use crate::statistics::Verdict;
use std::collections::BTreeMap;

impl Summary {
    /// What the whole pairs among `records` come to, in the order of the match's list up to the
    /// pair at which its sequential test decides. Of a match that has ended this is its result.
    pub fn of(settings: &Settings, records: &BTreeMap<u64, GameRecord>) -> Summary {
        let mut count = Count::default();
        for (&game, first) in records.iter().filter(|(game, _)| game.is_multiple_of(2)) {
            if settings.sprt.is_some_and(|sprt| sprt.verdict(count.pairs()) != Verdict::Undecided) {
                break;
            }
            if let Some(second) = records.get(&(game + 1)) {
                count.add(first, second);
            }
        }
        count.summary(settings)
    }
}
