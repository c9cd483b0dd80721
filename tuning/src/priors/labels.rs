//! What a deep alpha-beta search plays, on several threads.

use super::choice::Choice;
use super::questions::Question;
use anyhow::Result;
use halma::agent::{self, Agent};
use halma::clock::ThreadClock;
use halma::game::Game;
use halma::mcts::Limits;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::channel;
use std::thread;

/// Who chooses. It does not use the priors, so these don't learn from themselves.
const TEACHER: &str = "alphabeta(race=off)";

/// What the search plays in each of `questions` after `nodes` nodes, in their order, worked out on
/// `jobs` threads, which make no difference. `watch` is told how many are done.
///
/// # Errors
/// There is no such agent.
pub fn label(
    questions: &[Question],
    nodes: u64,
    jobs: usize,
    watch: &mut dyn FnMut(u64),
) -> Result<Vec<Choice>> {
    let jobs = jobs.clamp(1, questions.len().max(1));
    let teachers = (0..jobs).map(|_| agent::parse(TEACHER, 0)).collect::<Result<Vec<_>, _>>()?;
    let mut choices: Vec<Option<Choice>> = vec![None; questions.len()];
    let next = AtomicUsize::new(0);
    thread::scope(|scope| {
        let (sender, labelled) = channel();
        for mut teacher in teachers {
            let (sender, next) = (sender.clone(), &next);
            scope.spawn(move || {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    let Some(question) = questions.get(number) else { return };
                    if sender.send((number, ask(&mut *teacher, question, nodes))).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        for (done, (number, choice)) in (1..).zip(labelled) {
            choices[number] = choice;
            watch(done);
        }
    });
    Ok(choices.into_iter().flatten().collect())
}

/// What `teacher` plays; nothing if there is no legal play.
fn ask(teacher: &mut dyn Agent, question: &Question, nodes: u64) -> Option<Choice> {
    // What it knows of another position would make the answer depend on their order.
    teacher.new_game();
    let position = &question.position;
    let decision = teacher.decide(position, &Limits::iterations(nodes), &ThreadClock).ok()?;
    let mut plays = Vec::new();
    position.plays(&mut plays);
    let best = plays.iter().position(|&play| play == decision.play)?;
    Some(Choice::of_plays(question.pair, position, &plays, best))
}
