//! What pieces weigh in each hidden unit of a network, and the outputs, in one picture. Weights of jumps are not drawn.

use super::weights_of_squares;
use askama::Template;
use halma::game::Player;
use halma::network::value::{BUCKETS, FEATURE_SCALE, HIDDEN, Network, feature};
use halma::rules::{BLACK, BOARD_SIZE, Square, WHITE};
use std::collections::BTreeMap;
use std::fmt::Write;

/// How many shades there are of a colour.
const SHADES: i64 = 10;
/// Panels beside each other.
const COLUMNS: usize = 6;
/// The distance from one panel to the next, in pixels.
const PANEL: (usize, usize) = (196, 138);
/// The size of a square in the panels of single units, in pixels, and that of both maps of all units.
const SQUARES: (f32, f32) = (5.0, 10.0);
/// Where the panels of single units begin.
const UNITS_AT: (usize, usize) = (24, 312);

/// The picture's template.
#[derive(Template)]
#[template(path = "network.svg", escape = "html")]
struct Picture<'a> {
    file: &'a str,
    width: usize,
    height: usize,
    panels: Vec<Panel>,
}

/// Two boards beside each other, and what is below them.
struct Panel {
    title: String,
    x: usize,
    y: usize,
    /// The size of a square, in pixels.
    square: f32,
    shades: Vec<Shade>,
}

/// All squares of one shade.
struct Shade {
    class: &'static str,
    opacity: f32,
    path: String,
}

/// A coloured rectangle, in squares of the board.
struct Cell {
    x: usize,
    y: usize,
    width: usize,
    /// From −1 to +1.
    value: f64,
}

/// `network`, which is in `file`, as SVG: for each hidden unit the weights of own and opposing pieces on all squares,
/// and below them the output weights of the mover's and the opponent's view, from the end of the game to its start.
///
/// # Errors
/// None that a string could give.
pub fn picture(file: &str, network: &Network) -> askama::Result<String> {
    let rows = PANEL.1 * HIDDEN.div_ceil(COLUMNS);
    let (width, height) = (UNITS_AT.0 + PANEL.0 * COLUMNS, UNITS_AT.1 + rows);
    let panels = std::iter::once(of_all_units(network)).chain(of_units(network)).collect();
    Picture { file, width, height, panels }.render()
}

/// What pieces weigh over all hidden units.
fn of_all_units(network: &Network) -> Panel {
    let maps = [BLACK, WHITE].map(|side| weights_of_squares(&network.feature_weights, side, FEATURE_SCALE));
    let most = maps.iter().flatten().flatten().copied().fold(f64::MIN_POSITIVE, f64::max);
    let cells =
        boards(|side, square| maps[side.index()][usize::from(square.y())][usize::from(square.x())] / most);
    Panel {
        title: "all units: root mean square".to_string(),
        x: 24,
        y: 110,
        square: SQUARES.1,
        shades: shades(cells),
    }
}

/// The weights of each hidden unit.
fn of_units(network: &Network) -> impl Iterator<Item = Panel> {
    let largest = |weights: &mut dyn Iterator<Item = i16>| {
        f64::from(weights.map(i16::unsigned_abs).max().unwrap_or(0).max(1))
    };
    let most = largest(&mut network.feature_weights.iter().flatten().copied());
    let most_output = largest(&mut network.output_weights.iter().flatten().copied());
    (0..HIDDEN).map(move |unit| {
        let weight = |side, square| network.feature_weights[feature(BLACK, side, square)][unit];
        let inputs = boards(|side, square| f64::from(weight(side, square)) / most);
        let outputs =
            [unit, HIDDEN + unit].into_iter().zip([0, BOARD_SIZE as usize + 1]).flat_map(|(at, x)| {
                let width = BOARD_SIZE as usize / BUCKETS;
                (0..BUCKETS).map(move |bucket| {
                    let value = f64::from(network.output_weights[bucket][at]) / most_output;
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

/// A board of own pieces, and one of the opponent's to the right of it; the own side travels as Black does.
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

/// The cells of each shade as one path, which is a tenth as long as a rectangle for each.
fn shades(cells: impl IntoIterator<Item = Cell>) -> Vec<Shade> {
    let mut paths: BTreeMap<i64, String> = BTreeMap::new();
    for Cell { x, y, width, value } in cells {
        let level = (value * SHADES as f64).round() as i64;
        if level != 0 {
            let path = paths.entry(level).or_default();
            // A string takes all that is written to it.
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

    #[test]
    fn each_weight_is_drawn_in_its_place_and_shade() {
        let mut network = Network::built_in();
        network.feature_weights.iter_mut().for_each(|row| row.fill(0));
        network.output_weights = [[0; 2 * HIDDEN]; BUCKETS];
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
