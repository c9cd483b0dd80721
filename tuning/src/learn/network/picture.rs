//! A picture of a value network: the weights of pieces for each hidden unit, and the output weights. It omits the weights
//! of jumps.

use super::weights_by_square;
use crate::figures::valid_xml;
use askama::Template;
use halma::game::Player;
use halma::network::feature;
use halma::network::value::{BUCKETS, FEATURE_SCALE, HIDDEN, ValueNetwork};
use halma::rules::{BLACK, BOARD_SIZE, Square, WHITE};
use std::collections::BTreeMap;
use std::fmt::Write;

/// The number of shades of each colour.
const SHADES: i64 = 10;
/// The number of panels in a row.
const COLUMNS: usize = 6;
/// The distance from one panel to the next, in pixels.
const PANEL: (usize, usize) = (196, 138);
/// The size of a square in pixels: in the panels of single units, and in the panel of all units.
const SQUARES: (f32, f32) = (5.0, 10.0);
/// The position of the first panel of a single unit, in pixels.
const UNITS_AT: (usize, usize) = (24, 312);

#[derive(Template)]
#[template(path = "network.svg", escape = "html")]
struct Picture<'a> {
    file: &'a str,
    width: usize,
    height: usize,
    panels: Vec<Panel>,
}

/// Two boards side by side; for a single unit, its output weights are below them.
struct Panel {
    title: String,
    x: usize,
    y: usize,
    /// The size of a square in pixels.
    square: f32,
    shades: Vec<Shade>,
}

/// All cells of one shade.
struct Shade {
    class: &'static str,
    opacity: f32,
    path: String,
}

/// A coloured rectangle; its coordinates are in squares.
struct Cell {
    x: usize,
    y: usize,
    width: usize,
    /// The value, −1…+1.
    value: f64,
}

/// The SVG of the network in `file`. For each hidden unit it shows the weights of the mover's and the opponent's pieces
/// on all squares, and below them the output weights for each side's view, from the end of the game to its start.
///
/// # Errors
/// Rendering the template fails, which does not happen in practice.
pub fn picture(file: &str, network: &ValueNetwork) -> askama::Result<String> {
    let rows = PANEL.1 * HIDDEN.div_ceil(COLUMNS);
    let (width, height) = (UNITS_AT.0 + PANEL.0 * COLUMNS, UNITS_AT.1 + rows);
    let panels = std::iter::once(of_all_units(network)).chain(of_units(network)).collect();
    Ok(valid_xml(&Picture { file, width, height, panels }.render()?))
}

/// The weights of pieces over all hidden units.
fn of_all_units(network: &ValueNetwork) -> Panel {
    let maps = [BLACK, WHITE].map(|side| weights_by_square(&network.feature_weights, side, FEATURE_SCALE));
    let max = maps.iter().flatten().flatten().copied().fold(f64::MIN_POSITIVE, f64::max);
    let cells =
        boards(|side, square| maps[side.index()][usize::from(square.y())][usize::from(square.x())] / max);
    Panel {
        title: "all units: root mean square".to_string(),
        x: 24,
        y: 110,
        square: SQUARES.1,
        shades: shades(cells),
    }
}

/// A panel for each hidden unit.
fn of_units(network: &ValueNetwork) -> impl Iterator<Item = Panel> {
    let largest = |weights: &mut dyn Iterator<Item = i16>| {
        f64::from(weights.map(i16::unsigned_abs).max().unwrap_or(0).max(1))
    };
    let max = largest(&mut network.feature_weights.iter().flatten().copied());
    let max_output = largest(&mut network.output_weights.iter().flatten().copied());
    (0..HIDDEN).map(move |unit| {
        let weight = |side, square| network.feature_weights[feature(BLACK, side, square)][unit];
        let inputs = boards(|side, square| f64::from(weight(side, square)) / max);
        let outputs =
            [unit, HIDDEN + unit].into_iter().zip([0, BOARD_SIZE as usize + 1]).flat_map(|(at, x)| {
                let width = BOARD_SIZE as usize / BUCKETS;
                (0..BUCKETS).map(move |bucket| {
                    let value = f64::from(network.output_weights[bucket][at]) / max_output;
                    Cell { x: x + width * bucket, y: BOARD_SIZE as usize + 1, width, value }
                })
            });
        Panel {
            title: format!("unit {unit}"),
            x: UNITS_AT.0 + PANEL.0 * (unit % COLUMNS),
            y: UNITS_AT.1 + PANEL.1 * (unit / COLUMNS),
            square: SQUARES.0,
            shades: shades(inputs.into_iter().chain(outputs)),
        }
    })
}

/// A board for the mover's pieces, and to its right a board for the opponent's. The mover travels as Black does.
fn boards(value: impl Fn(Player, Square) -> f64) -> Vec<Cell> {
    let board = |side, x| {
        let value = &value;
        Square::all().map(move |square| Cell {
            x: x + usize::from(square.x()),
            y: usize::from(square.y()),
            width: 1,
            value: value(side, square),
        })
    };
    board(BLACK, 0).chain(board(WHITE, BOARD_SIZE as usize + 1)).collect()
}

/// Joins the cells of each shade into one path, which takes a tenth of the space of separate rectangles.
fn shades(cells: impl IntoIterator<Item = Cell>) -> Vec<Shade> {
    let mut paths: BTreeMap<i64, String> = BTreeMap::new();
    for Cell { x, y, width, value } in cells {
        let level = (value * SHADES as f64).round() as i64;
        if level != 0 {
            let path = paths.entry(level).or_default();
            // Writing to a string can't fail.
            let _ = write!(path, "M{x} {y}h{width}v1h-{width}z");
        }
    }
    let shade = |(level, path): (i64, String)| Shade {
        class: if level > 0 { "more" } else { "less" },
        opacity: level.unsigned_abs() as f32 / SHADES as f32,
        path,
    };
    paths.into_iter().map(shade).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use halma::network::Network;

    #[test]
    fn each_weight_is_drawn_in_its_place_and_shade() {
        let mut network = ValueNetwork::zeros();
        network.feature_weights[feature(BLACK, BLACK, Square::new(3, 4))][7] = 100;
        network.feature_weights[feature(BLACK, WHITE, Square::new(2, 15))][7] = -50;
        network.output_weights[6][HIDDEN + 7] = -127;
        let svg = picture("a<b", &network).expect("a picture");
        assert!(svg.contains("a&#60;b"), "{svg}");
        let (_, unit) = svg.split_once(">unit 7<").expect("unit 7");
        let (unit, _) = unit.split_once(">unit 8<").expect("unit 8");
        for path in [
            r#"class="more" opacity="1" d="M3 4h1v1h-1z""#,
            r#"class="less" opacity="0.5" d="M19 15h1v1h-1z""#,
            r#"class="less" opacity="1" d="M29 17h2v1h-2z""#,
        ] {
            assert!(unit.contains(path), "{path} in {unit}");
        }
        assert_eq!(unit.matches("<path").count(), 3);
        assert_eq!(svg.matches("<path").count(), 5, "two more in the maps of all units");
    }
}
