//! A pool of threads that share one queue of work.

use anyhow::{Context, Result};
use std::sync::mpsc::channel;
use std::sync::{Mutex, PoisonError};
use std::thread;

/// Runs `work` on `items`, one thread for each of `workers`, and passes each result to `receive` on the calling
/// thread as soon as it is ready, in no particular order.
///
/// Items are taken from the iterator one at a time, so they need not all fit into memory. A thread ends when
/// the items run out or `work` returns `None`.
///
/// # Errors
/// The system refuses to start one of the threads; then no work is done.
pub fn for_each<T, W: Send, R: Send>(
    items: impl Iterator<Item = T> + Send,
    workers: Vec<W>,
    work: impl Fn(&mut W, T) -> Option<R> + Sync,
    receive: impl FnMut(R),
) -> Result<()> {
    let threads = workers.len();
    let queue = Mutex::new(Some(items));
    let open = || queue.lock().unwrap_or_else(PoisonError::into_inner);
    thread::scope(|scope| {
        let (sender, results) = channel();
        // Threads wait for the queue until all have been started.
        let mut waiting = open();
        for mut worker in workers {
            let (sender, open, work) = (sender.clone(), &open, &work);
            let started = thread::Builder::new().spawn_scoped(scope, move || {
                let next = || open().as_mut()?.next();
                while let Some(result) = next().and_then(|item| work(&mut worker, item)) {
                    if sender.send(result).is_err() {
                        return;
                    }
                }
            });
            if let Err(error) = started {
                *waiting = None;
                return Err(error)
                    .with_context(|| format!("can't start {threads} threads; use fewer --jobs"));
            }
        }
        drop(waiting);
        drop(sender);
        results.into_iter().for_each(receive);
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_item_is_worked_on_once() {
        let mut squares = Vec::new();
        for_each(0..1000u64, vec![(); 3], |(), item| Some(item * item), |square| squares.push(square))
            .unwrap();
        squares.sort_unstable();
        assert_eq!(squares, (0..1000).map(|item| item * item).collect::<Vec<_>>());
    }

    #[test]
    fn a_worker_without_a_result_ends() {
        let mut received = Vec::new();
        for_each(0.., vec![()], |(), item| (item < 3).then_some(item), |item| received.push(item)).unwrap();
        assert_eq!(received, [0, 1, 2]);
    }
}
