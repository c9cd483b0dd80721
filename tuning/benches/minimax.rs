//! Counted nodes a second, of minimax and of alpha-beta, on Star and Circle and on Halma.
//!
//! `cargo bench -p halma-lab --bench minimax`

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use halma::game::{Game, Player};
use halma::halma::{BLACK, Position as Halma, Rules};
use halma::minimax::{SearchResult, alpha_beta, minimax};
use halma::star_circle::Position as StarCircle;

/// The same game at its start and, played on by a fixed rule, at two later moments.
const PLIES: [usize; 3] = [0, 8, 16];

fn main() {
    divan::main();
}

/// Star and Circle after `plies` plays.
fn star_circle_after(plies: usize) -> StarCircle {
    played_on(StarCircle::initial([10, 20, 30, 40, 50, 60, 70, 80]), plies)
}

/// Halma after `plies` plays.
fn halma_after(plies: usize) -> Halma {
    played_on(Halma::initial(BLACK, Rules::Addendum), plies)
}

/// `position` after `plies` plays, taken from all over the list.
fn played_on<G: Game>(mut position: G, plies: usize) -> G {
    let mut plays = Vec::new();
    for ply in 0..plies {
        position.plays(&mut plays);
        position.play(plays[ply * 7 % plays.len()]);
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

/// Measures `search`, which finds the same each time, in nodes that it counts.
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
