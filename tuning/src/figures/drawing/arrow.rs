//! An arrow along the jumps of a play. Its width shows the play's share of the visits.

use super::middle;
use halma::rules::Square;

/// The shaft ends this far before the middle of the last square, to leave room for the head.
const HEAD: f32 = 13.0;
/// The position of the label along the last hop, 0…1.
const LABEL: f32 = 0.62;
/// The distance from an arrow to its label if the play is a step, so that the label does not hide the arrow.
const BESIDE: f32 = 15.0;
/// A hop shorter than this is a step; jumps are at least 80 long.
const STEP: f32 = 70.0;

/// An arrow on the board.
#[derive(Clone, Debug)]
pub struct Arrow {
    /// The shaft: the `d` of an SVG path.
    pub(super) shaft: String,
    /// The head: the `points` of an SVG polygon.
    pub(super) head: String,
    pub(super) width: f32,
    pub(super) opacity: f32,
    /// The share of the visits.
    pub(super) percent: u32,
    /// The position of the label, which shows the share.
    pub(super) label: (f32, f32),
    /// 0 for the best play.
    pub(super) rank: usize,
}

impl Arrow {
    /// An arrow along `chain`, which has at least two squares, for the play that received `share` of the visits (0…1);
    /// `rank` is 0 for the best play.
    pub fn new(chain: &[Square], share: f32, rank: usize) -> Arrow {
        let points: Vec<(f32, f32)> = chain.iter().map(|at| (middle(at.x()), middle(at.y()))).collect();
        let to = points.last().copied().unwrap_or_default();
        let from = points[..points.len().saturating_sub(1)].last().copied().unwrap_or_default();
        let length = (to.0 - from.0).hypot(to.1 - from.1).max(1.0);
        let unit = ((to.0 - from.0) / length, (to.1 - from.1) / length);
        let neck = (to.0 - unit.0 * HEAD, to.1 - unit.1 * HEAD);
        let width = 3.0 + 6.0 * share;
        let half = 5.0 + width * 0.7;
        let ways = points.iter().take(points.len().saturating_sub(1)).chain([&neck]);
        let shaft: Vec<String> = ways.map(|(x, y)| format!("{x:.1} {y:.1}")).collect();
        let head = [
            to,
            (neck.0 - unit.1 * half, neck.1 + unit.0 * half),
            (neck.0 + unit.1 * half, neck.1 - unit.0 * half),
        ];
        let beside = if length < STEP { BESIDE } else { 0.0 };
        // The upper side of the hop.
        let up = if unit.0 > 0.0 { (unit.1, -unit.0) } else { (-unit.1, unit.0) };
        let along = length * LABEL;
        let label = (from.0 + unit.0 * along + up.0 * beside, from.1 + unit.1 * along + up.1 * beside);
        Arrow {
            shaft: format!("M{}", shaft.join("L")),
            head: head.map(|(x, y)| format!("{x:.1},{y:.1}")).join(" "),
            width,
            opacity: if rank == 0 { 0.88 } else { 0.45 + 0.4 * share },
            percent: (share * 100.0).round() as u32,
            label,
            rank,
        }
    }
}
