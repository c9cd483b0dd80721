//! CPU clocks. (placeholder until merge)
/// A clock.
pub trait Clock {
    /// CPU seconds since the clock's own origin.
    fn seconds(&self) -> f64;
}
/// Process.
pub struct ProcessClock;
impl Clock for ProcessClock {
    fn seconds(&self) -> f64 {
        let t = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
        t.tv_sec as f64 + t.tv_nsec as f64 * 1e-9
    }
}
