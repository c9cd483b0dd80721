//! Nodes per second of minimax and alpha-beta, on Star and Circle and on Halma.
//!
//! `cargo bench -p halma-benches --bench minimax`

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use halma::game::{Game, Player};
use halma::rules::{BLACK, Position as Halma, Rules};
use halma::search::minimax::{SearchResult, alpha_beta, minimax};
use halma::star_circle::{Position as StarCircle, RowValues};

/// Searches start after these numbers of plies of a fixed game.
const PLIES: [usize; 3] = [0, 8, 16];
/// The `stride` of that game: see [`played_on`].
const STRIDE: usize = 7;
const VALUES: RowValues = [10, 20, 30, 40, 50, 60, 70, 80];

fn main() {
    divan::main();
}

fn star_circle_after(plies: usize) -> StarCircle {
    played_on(StarCircle::initial(VALUES), plies, STRIDE)
}

fn halma_after(plies: usize) -> Halma {
    played_on(Halma::initial(BLACK, Rules::Addendum), plies, STRIDE)
}

/// `position` after `plies` plays, each `stride` places further down the list than the one before.
fn played_on<G: Game>(mut position: G, plies: usize, stride: usize) -> G {
    let mut plays = Vec::new();
    for ply in 0..plies {
        position.legal_plays(&mut plays);
        position.play(plays[ply * stride % plays.len()]);
    }
    position
}

fn utility(position: &StarCircle, player: Player) -> i64 {
    position.utility(player) as i64
}

fn lead(position: &Halma, player: Player) -> i64 {
    let distance = |side| i64::from(position.tally(side).distance());
    distance(player.opponent()) - distance(player)
}

/// Measures the nodes per second of `search`.
fn bench<P>(bencher: Bencher, search: impl Fn() -> SearchResult<P> + Sync) {
    bencher.counter(ItemsCount::new(search().nodes)).bench(search);
}

#[divan::bench(args = PLIES, sample_count = 10)]
fn star_circle_minimax_8(bencher: Bencher, plies: usize) {
    let root = star_circle_after(plies);
    bench(bencher, || minimax(black_box(&root), 8, |position| utility(position, root.to_move())));
}

#[divan::bench(args = PLIES, sample_count = 10)]
fn star_circle_alpha_beta_9(bencher: Bencher, plies: usize) {
    let root = star_circle_after(plies);
    bench(bencher, || alpha_beta(black_box(&root), 9, |position| utility(position, root.to_move())));
}

/// The deepest search that the homework allows, from the start of the game.
#[divan::bench(sample_count = 3, sample_size = 1)]
fn star_circle_minimax_10(bencher: Bencher) {
    let root = star_circle_after(0);
    bench(bencher, || minimax(black_box(&root), 10, |position| utility(position, root.to_move())));
}

#[divan::bench(sample_count = 10, sample_size = 1)]
fn star_circle_alpha_beta_10(bencher: Bencher) {
    let root = star_circle_after(0);
    bench(bencher, || alpha_beta(black_box(&root), 10, |position| utility(position, root.to_move())));
}

/// Sixty midgame positions, one per sample, so that the slowest shows.
#[divan::bench(sample_count = 60, sample_size = 1)]
fn star_circle_alpha_beta_10_midgame(bencher: Bencher) {
    let mut roots = (1..=5)
        .flat_map(|stride| (6..18).map(move |plies| (plies, stride)))
        .map(|(plies, stride)| played_on(StarCircle::initial(VALUES), plies, stride))
        .cycle();
    bencher
        .with_inputs(|| roots.next().expect("a cycle"))
        .bench_local_refs(|root| alpha_beta(root, 10, |position| utility(position, root.to_move())));
}

#[divan::bench(args = PLIES, sample_count = 10)]
fn halma_minimax_2(bencher: Bencher, plies: usize) {
    let root = halma_after(plies);
    bench(bencher, || minimax(black_box(&root), 2, |position| lead(position, root.to_move())));
}

#[divan::bench(args = PLIES, sample_count = 10)]
fn halma_minimax_3(bencher: Bencher, plies: usize) {
    let root = halma_after(plies);
    bench(bencher, || minimax(black_box(&root), 3, |position| lead(position, root.to_move())));
}

#[divan::bench(args = PLIES, sample_count = 10)]
fn halma_alpha_beta_3(bencher: Bencher, plies: usize) {
    let root = halma_after(plies);
    bench(bencher, || alpha_beta(black_box(&root), 3, |position| lead(position, root.to_move())));
}
