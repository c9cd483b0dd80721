//! The same work on many things, on several threads.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::channel;
use std::thread;

/// What `work` makes of each of `things`, in their order: each of `workers` is a thread's own, and takes the
/// next thing as soon as it is free. `watch` is told how many are done.
pub fn in_order<T: Sync, W: Send, R: Send>(
    things: &[T],
    workers: Vec<W>,
    work: impl Fn(&mut W, &T) -> R + Sync,
    watch: &mut dyn FnMut(u64),
) -> Vec<R> {
    let mut results: Vec<Option<R>> = things.iter().map(|_| None).collect();
    let next = AtomicUsize::new(0);
    thread::scope(|scope| {
        let (sender, done) = channel();
        for mut worker in workers {
            let (sender, next, work) = (sender.clone(), &next, &work);
            scope.spawn(move || {
                while let Some((number, thing)) = take(things, next) {
                    if sender.send((number, work(&mut worker, thing))).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        for (count, (number, result)) in (1..).zip(done) {
            results[number] = Some(result);
            watch(count);
        }
    });
    results.into_iter().flatten().collect()
}

/// The next thing that no thread has taken, and its number.
fn take<'a, T>(things: &'a [T], next: &AtomicUsize) -> Option<(usize, &'a T)> {
    let number = next.fetch_add(1, Ordering::Relaxed);
    things.get(number).map(|thing| (number, thing))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_the_order_of_things() {
        let things: Vec<u64> = (0..1000).collect();
        let mut watched = Vec::new();
        let squares =
            in_order(&things, vec![(); 3], |(), &thing| thing * thing, &mut |done| watched.push(done));
        assert_eq!(squares, things.iter().map(|thing| thing * thing).collect::<Vec<_>>());
        assert_eq!(watched, (1..=1000).collect::<Vec<_>>());
        assert!(in_order(&things[..0], vec![()], |(), &thing| thing, &mut |_| ()).is_empty());
    }
}
