//! A pool of threads that share one queue of work.

use std::sync::mpsc::channel;
use std::sync::{Mutex, PoisonError};
use std::thread;

/// Runs `work` on `items`, one thread for each of `workers`, and passes each result to `receive` on the calling
/// thread as soon as it is ready, in no particular order.
///
/// Items are taken from the iterator one at a time, so they need not all fit into memory. A thread ends when
/// the items run out or `work` returns `None`.
pub fn for_each<T, W: Send, R: Send>(
    items: impl Iterator<Item = T> + Send,
    workers: Vec<W>,
    work: impl Fn(&mut W, T) -> Option<R> + Sync,
    receive: impl FnMut(R),
) {
    let items = Mutex::new(items);
    thread::scope(|scope| {
        let (sender, results) = channel();
        for mut worker in workers {
            let (sender, items, work) = (sender.clone(), &items, &work);
            scope.spawn(move || {
                let next = || items.lock().unwrap_or_else(PoisonError::into_inner).next();
                while let Some(result) = next().and_then(|item| work(&mut worker, item)) {
                    if sender.send(result).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        results.into_iter().for_each(receive);
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_item_is_worked_on_once() {
        let mut squares = Vec::new();
        for_each(0..1000u64, vec![(); 3], |(), item| Some(item * item), |square| squares.push(square));
        squares.sort_unstable();
        assert_eq!(squares, (0..1000).map(|item| item * item).collect::<Vec<_>>());
    }

    #[test]
    fn a_worker_without_a_result_ends() {
        let mut received = Vec::new();
        for_each(0.., vec![()], |(), item| (item < 3).then_some(item), |item| received.push(item));
        assert_eq!(received, [0, 1, 2]);
    }
}
