//! Errors raised by Python code, and interrupts, while the engine works. They stop the work, and are raised when it
//! ends.
//!
//! The engine's traits return no errors. So a policy that fails leaves its exception here, and from then on returns
//! arbitrary answers without calling Python. The work checks [`Fault::is_set`] and ends soon.

use pyo3::PyErr;
use std::cell::RefCell;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// How often a search or a match looks for signals, such as Ctrl-C.
pub const SIGNALS_EVERY: Duration = Duration::from_millis(50);

/// What went wrong in one piece of work: a decision or a match.
#[derive(Default)]
pub struct Fault {
    is_set: Arc<AtomicBool>,
    error: Mutex<Option<PyErr>>,
}

thread_local! {
    /// The work of this thread.
    static CURRENT: RefCell<Option<Arc<Fault>>> = const { RefCell::new(None) };
}

/// The match that is being played. Its games run on threads without a `CURRENT` work.
static MATCH: Mutex<Option<Arc<Fault>>> = Mutex::new(None);

impl Fault {
    /// Whether the work should end.
    pub fn is_set(&self) -> bool {
        self.is_set.load(Ordering::Relaxed)
    }

    /// Ends the work, which then raises `error`, unless an earlier error was set.
    pub fn set(&self, error: PyErr) {
        self.error.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
        self.is_set.store(true, Ordering::Relaxed);
    }

    /// The flag that ends the work.
    pub fn flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.is_set)
    }

    /// The error, once the work has ended.
    pub fn take(&self) -> Result<(), PyErr> {
        self.error.lock().unwrap_or_else(PoisonError::into_inner).take().map_or(Ok(()), Err)
    }

    /// Does `work` on this thread, so that errors on it are faults of this work.
    pub fn during<T>(self: &Arc<Fault>, work: impl FnOnce() -> T) -> T {
        /// Brings the outer work back, even after a panic, which Python code of the outer work may catch.
        struct Outer(Option<Arc<Fault>>);
        impl Drop for Outer {
            fn drop(&mut self) {
                CURRENT.set(self.0.take());
            }
        }
        let _outer = Outer(CURRENT.replace(Some(Arc::clone(self))));
        work()
    }

    /// The fault of the calling thread's own work, or else of the match being played.
    pub fn current() -> Arc<Fault> {
        let own = CURRENT.with_borrow(Clone::clone);
        let of_match = || MATCH.lock().unwrap_or_else(PoisonError::into_inner).clone();
        own.or_else(of_match).unwrap_or_default()
    }
}

/// The match being played; a process plays one at a time.
pub struct MatchFault(pub Arc<Fault>);

impl MatchFault {
    /// Begins a match; `None` if another one is being played.
    pub fn begin() -> Option<MatchFault> {
        let mut current = MATCH.lock().unwrap_or_else(PoisonError::into_inner);
        if current.is_some() {
            return None;
        }
        let fault = Arc::<Fault>::default();
        *current = Some(Arc::clone(&fault));
        Some(MatchFault(fault))
    }
}

impl Drop for MatchFault {
    fn drop(&mut self) {
        *MATCH.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}
