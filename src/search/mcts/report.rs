//! The report of a search: the plays at the root, best first, and the line of best play.

use super::search::Search;
use super::tree::NodeId;
use crate::game::{Game, Outcome, Player, Value};
use crate::playout::Playout;
use crate::prior::Prior;
use crate::search::{Candidate, DecidedBy, Report, Stop};
use std::cmp::Ordering;

impl<G: Game, L: Playout<G>, R: Prior<G>> Search<G, L, R> {
    /// The report after `iterations` of this run.
    pub(super) fn report(&self, iterations: u64, reused: u32, seconds: f64, stop: Stop) -> Report<G::Play> {
        let candidates = self.candidates(NodeId::ROOT, self.root.to_move());
        let root = self.tree.node(NodeId::ROOT);
        let value = match (root.proof, candidates.first()) {
            (Some(outcome), _) => outcome.value_for(self.root.to_move()),
            (None, Some((_, best))) if best.visits > 0 => best.value,
            (None, _) => Value::DRAW,
        };
        let decided_by = self.decided_by(&candidates, root.proof, stop);
        Report {
            decided_by,
            race: None,
            principal_variation: self.principal_variation(),
            candidates: candidates.into_iter().map(|(_, candidate)| candidate).collect(),
            value,
            proof: root.proof,
            iterations,
            visited: 0,
            reused,
            nodes: self.tree.arena.len(),
            seconds,
            depth: self.depth,
            stop,
        }
    }

    /// Why the first of `candidates` is the choice.
    fn decided_by(
        &self,
        candidates: &[(NodeId, Candidate<G::Play>)],
        proof: Option<Outcome>,
        stop: Stop,
    ) -> DecidedBy {
        let max = candidates.iter().filter(|(_, one)| !is_won_or_lost(one)).map(|(_, one)| one.visits).max();
        match (candidates.first(), max) {
            _ if proof.is_some() => DecidedBy::Proof,
            _ if stop == Stop::Forced => DecidedBy::OnlyPlay,
            (Some((_, best)), Some(max)) if !is_won_or_lost(best) && best.visits < max => {
                DecidedBy::Value { min_visits: self.min_visits(max).ceil() as u32 }
            }
            (Some((_, best)), _) if best.visits == 0 && best.proof.is_none() => DecidedBy::Prior,
            _ => DecidedBy::Visits,
        }
    }

    /// How many visits a play needs to be chosen for its value, if the most visited play has `max`.
    fn min_visits(&self, max: u32) -> f32 {
        self.params.final_visits * max as f32
    }

    /// The children of `id`, best first for `mover`.
    fn candidates(&self, id: NodeId, mover: Player) -> Vec<(NodeId, Candidate<G::Play>)> {
        let mut candidates: Vec<_> = self
            .tree
            .children(id)
            .filter_map(|child| {
                let node = self.tree.node(child);
                let (visits, prior, proof) = (self.tree.visits(child), Some(node.prior), node.proof);
                let value = self.tree.value_for(child, mover);
                node.play.map(|play| (child, Candidate { play, visits, value, prior, proof }))
            })
            .collect();
        // The sort is stable, and children are in descending order of prior, which breaks the last ties.
        candidates.sort_by(|(_, a), (_, b)| better(a, b, mover));
        let choice = self.choice(&candidates);
        if choice > 0 {
            candidates[..=choice].rotate_right(1);
        }
        candidates
    }

    /// The index of the play to choose among `candidates`, which are in descending order of visits: the play of highest
    /// value among those with [enough](Self::min_visits) visits. A play whose strength shows late has no time to catch
    /// up in visits. A proved draw competes with its value.
    fn choice(&self, candidates: &[(NodeId, Candidate<G::Play>)]) -> usize {
        let Some((_, first)) = candidates.first().filter(|(_, first)| !is_won_or_lost(first)) else {
            return 0;
        };
        let min_visits = self.min_visits(first.visits);
        let rivals = candidates.iter().take_while(|(_, rival)| {
            !is_won_or_lost(rival) && rival.visits > 0 && rival.visits as f32 >= min_visits
        });
        let mut best = 0;
        for (place, (_, rival)) in rivals.enumerate() {
            if rival.value.get() > candidates[best].1.value.get() {
                best = place;
            }
        }
        best
    }

    /// The line of best play by both sides, as far as it was searched.
    fn principal_variation(&self) -> Vec<G::Play> {
        let mut line = Vec::new();
        let mut position = self.root.clone();
        let (mut at, mut visited) = (NodeId::ROOT, vec![NodeId::ROOT]);
        while let Some(&(child, best)) = self.candidates(at, position.to_move()).first() {
            if best.visits == 0 && best.proof.is_none() && !line.is_empty() {
                break;
            }
            line.push(best.play);
            position.play(best.play);
            at = self.tree.canonical(child);
            if visited.contains(&at) {
                break;
            }
            visited.push(at);
        }
        line
    }
}

/// Whether `candidate` is a proved win or loss. A proved win is always chosen, and a proved loss only as a last resort;
/// visits do not matter.
fn is_won_or_lost<P>(candidate: &Candidate<P>) -> bool {
    matches!(candidate.proof, Some(Outcome::Win(_)))
}

/// The order in which `mover` would choose: proved wins first, then the others by visits and value, and proved losses
/// last.
fn better<P>(a: &Candidate<P>, b: &Candidate<P>, mover: Player) -> Ordering {
    let class = |candidate: &Candidate<P>| match candidate.proof {
        Some(Outcome::Win(winner)) if winner == mover => 0,
        Some(Outcome::Win(_)) => 2,
        _ => 1,
    };
    class(a).cmp(&class(b)).then(b.visits.cmp(&a.visits)).then(b.value.get().total_cmp(&a.value.get()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::playout::ToTheEnd;
    use crate::rules::{BLACK, Position, WHITE};
    use crate::search::mcts::Params;

    #[test]
    fn a_proved_draw_is_chosen_for_its_value() {
        let draw = Some(Outcome::Draw);
        let [win, loss] = [BLACK, WHITE].map(|winner| Some(Outcome::Win(winner)));
        let by_value = DecidedBy::Value { min_visits: 20 };
        // The mean and the proof of the plays with 100, 50 and 10 visits; the choice and its reason.
        for (children, choice, decided_by) in [
            ([(0.0, draw), (0.3, None), (0.0, None)], 1, by_value),
            ([(-0.3, None), (0.0, draw), (0.0, None)], 1, by_value),
            ([(0.0, draw), (-0.3, None), (0.9, None)], 0, DecidedBy::Visits),
            ([(0.0, draw), (-1.0, loss), (0.9, None)], 0, DecidedBy::Visits),
            ([(0.0, draw), (0.3, None), (1.0, win)], 2, DecidedBy::Visits),
        ] {
            let params = Params { final_visits: 0.2, ..Params::default() };
            let mut search = Search::new(Position::default(), params, ToTheEnd, 1);
            for ((offset, visits), (mean, proof)) in [100, 50, 10].into_iter().enumerate().zip(children) {
                let id = search.tree.child(NodeId::ROOT, offset);
                search.tree.set(id, visits, mean);
                proof.into_iter().for_each(|proof| search.tree.prove(id, proof, WHITE));
            }
            let expected = search.tree.node(search.tree.child(NodeId::ROOT, choice)).play;
            let report = search.report(160, 0, 0.0, Stop::Iterations);
            assert_eq!(report.best().map(|best| best.play), expected, "{children:?}");
            assert_eq!(report.decided_by, decided_by, "{children:?}");
        }
    }
}
