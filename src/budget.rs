//! placeholder until merge
/// cost
pub const SECONDS_TO_REMEMBER_A_NODE: f64 = 0.5e-6;
/// nodes
pub fn memory_nodes(seconds: f64) -> usize {
    (seconds * 0.03 / 2e-6) as usize
}
