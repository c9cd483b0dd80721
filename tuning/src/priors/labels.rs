//! What a deep alpha-beta search plays, on several threads.

use super::choice::Choice;
use super::questions::Question;
use crate::agents;
use crate::parallel::in_order;
use anyhow::Result;
use halma::agent::Agent;
use halma::clock::ThreadClock;
use halma::game::Game;
use halma::search::Limits;

/// The agent that chooses, without a prior: so priors don't learn from themselves.
const TEACHER: &str = "alphabeta(race=off, prior=uniform)";

/// The search's play in each of `questions` after `nodes` nodes, in their order. The number of threads,
/// `jobs`, makes no difference. `watch` is called with the number done.
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
    let teachers = (0..jobs).map(|_| agents::make(TEACHER, 0)).collect::<Result<Vec<_>, _>>()?;
    let choices =
        in_order(questions, teachers, |teacher, question| ask(&mut **teacher, question, nodes), watch);
    Ok(choices.into_iter().flatten().collect())
}

/// What `teacher` plays; nothing if there is no legal play.
fn ask(teacher: &mut dyn Agent, question: &Question, nodes: u64) -> Option<Choice> {
    // Reset the teacher, so that answers do not depend on the order of questions.
    teacher.new_game();
    let position = &question.position;
    let decision = teacher.decide(position, &Limits::iterations(nodes), &ThreadClock).ok()?;
    let mut plays = Vec::new();
    position.plays(&mut plays);
    let best = plays.iter().position(|&play| play == decision.play)?;
    Some(Choice::of_plays(question.pair, position, &plays, best))
}
