//! The speed of the rules of Halma, in positions per second, on bitboards and on a mailbox.
//!
//! ```text
//! cargo bench -p halma-benches --bench rules
//! ```
//!
//! Both versions run on the same positions, from games of nearly random play under the addendum. Before anything is
//! measured, both must list the same plays. An item is a position. *Destination sets* finds the squares that each piece
//! of the side to move can go to; *play lists* also writes the plays down.

mod mailbox;

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use halma::game::Game;
use halma::rules::{BLACK, Position, Rules};
use mailbox::{Cell, Mailbox, Scratch, cell};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::sync::LazyLock;
use std::time::Instant;

const POSITIONS: usize = 2_000;

/// The part of a game from which positions are taken.
const PLIES: std::ops::Range<usize> = 30..110;

static BITBOARDS: LazyLock<Vec<Position>> = LazyLock::new(random_positions);
static MAILBOXES: LazyLock<Vec<Mailbox>> = LazyLock::new(|| BITBOARDS.iter().map(Mailbox::from).collect());

fn main() {
    check_agreement();
    // `cargo test` and `cargo bench -- --test` just check that this program works. Only `cargo test` leaves out `--bench`.
    let has = |option: &str| std::env::args().any(|argument| argument == option);
    if has("--bench") && !has("--test") {
        print_ratios();
    }
    divan::main();
}

/// One position in ten from games in which one play in sixteen is the furthest forward and the others are random.
fn random_positions() -> Vec<Position> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let (mut positions, mut plays) = (Vec::new(), Vec::new());
    while positions.len() < POSITIONS {
        let mut position = Position::initial(BLACK, Rules::Addendum);
        for ply in 0..PLIES.end {
            if PLIES.contains(&ply) && rng.random_range(0..10) == 0 {
                positions.push(position);
            }
            position.legal_plays(&mut plays);
            let furthest = plays.iter().copied().max_by_key(|&play| position.progress(play));
            let any = plays[rng.random_range(0..plays.len())];
            position.play(furthest.filter(|_| rng.random_range(0..16) == 0).unwrap_or(any));
        }
    }
    positions.truncate(POSITIONS);
    positions
}

/// Checks that both representations list the same plays, and prints how many.
fn check_agreement() {
    let (mut scratch, mut on_mailbox, mut on_bitboards) = (Scratch::new(), Vec::new(), Vec::new());
    let mut total = 0;
    for (position, mailbox) in BITBOARDS.iter().zip(&*MAILBOXES) {
        mailbox.legal_plays(&mut scratch, &mut on_mailbox);
        position.legal_plays(&mut on_bitboards);
        let mut expected: Vec<(Cell, Cell)> =
            on_bitboards.iter().map(|play| (cell(play.from), cell(play.to))).collect();
        expected.sort();
        on_mailbox.sort();
        assert_eq!(on_mailbox, expected, "bitboards and mailbox disagree in\n{position}");
        total += expected.len();
    }
    println!("{POSITIONS} positions, {:.1} plays each, the same in both", total as f64 / POSITIONS as f64);
}

fn bitboard_destination_sets() {
    for position in &*BITBOARDS {
        black_box(position).for_each_source(|from, to| _ = black_box((from, to)));
    }
}

fn mailbox_destination_sets(scratch: &mut Scratch) {
    for mailbox in &*MAILBOXES {
        black_box(mailbox).for_each_source(scratch, |from, to| _ = black_box((from, to)));
    }
}

fn bitboard_play_lists(plays: &mut Vec<<Position as Game>::Play>) {
    for position in &*BITBOARDS {
        black_box(position).legal_plays(plays);
        black_box(&plays);
    }
}

fn mailbox_play_lists(scratch: &mut Scratch, plays: &mut Vec<(Cell, Cell)>) {
    for mailbox in &*MAILBOXES {
        black_box(mailbox).legal_plays(scratch, plays);
        black_box(&plays);
    }
}

/// Prints the speed of bitboards relative to the mailbox, from the best of many alternating rounds.
fn print_ratios() {
    let (mut scratch, mut on_mailbox, mut on_bitboards) = (Scratch::new(), Vec::new(), Vec::new());
    let sets = ratio(bitboard_destination_sets, || mailbox_destination_sets(&mut scratch));
    let lists = ratio(
        || bitboard_play_lists(&mut on_bitboards),
        || mailbox_play_lists(&mut scratch, &mut on_mailbox),
    );
    println!("bitboards against mailbox: destination sets {sets:.2} times as fast, play lists {lists:.2}\n");
}

/// The shortest time of `slow` divided by that of `fast`.
fn ratio(mut fast: impl FnMut(), mut slow: impl FnMut()) -> f64 {
    let seconds = |run: &mut dyn FnMut()| {
        let start = Instant::now();
        run();
        start.elapsed().as_secs_f64()
    };
    let (mut best_fast, mut best_slow) = (f64::INFINITY, f64::INFINITY);
    for _ in 0..100 {
        best_fast = best_fast.min(seconds(&mut fast));
        best_slow = best_slow.min(seconds(&mut slow));
    }
    best_slow / best_fast
}

#[divan::bench_group(counters = [ItemsCount::new(POSITIONS)])]
mod destination_sets {
    use super::*;

    #[divan::bench]
    fn bitboards(bencher: Bencher) {
        bencher.bench_local(bitboard_destination_sets);
    }

    #[divan::bench]
    fn mailbox(bencher: Bencher) {
        let mut scratch = Scratch::new();
        bencher.bench_local(|| mailbox_destination_sets(&mut scratch));
    }
}

#[divan::bench_group(counters = [ItemsCount::new(POSITIONS)])]
mod play_lists {
    use super::*;

    #[divan::bench]
    fn bitboards(bencher: Bencher) {
        let mut plays = Vec::new();
        bencher.bench_local(|| bitboard_play_lists(&mut plays));
    }

    #[divan::bench]
    fn mailbox(bencher: Bencher) {
        let (mut scratch, mut plays) = (Scratch::new(), Vec::new());
        bencher.bench_local(|| mailbox_play_lists(&mut scratch, &mut plays));
    }
}
