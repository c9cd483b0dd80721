//! Makes the positions of `tests/data/race/`.

mod support;

use halma::agent;
use halma::clock::ThreadClock;
use halma::game::{Game, Player};
use halma::halma::{BLACK, Position, Rules};
use halma::mcts::Limits;
use halma::race::{Effort, Race, passed, solve};
use rand::RngExt;
use support::positions::random_source;

fn game(seed: u64) -> Vec<Position> {
    let mut random = random_source(seed);
    let mut position = Position::initial(Player::BOTH[seed as usize % 2], Rules::Addendum);
    let mut agent = agent::parse("mcts(inherit=0)", seed).expect("a spec");
    let mut plays = Vec::new();
    let mut found = Vec::new();
    for ply in 0..400 {
        if position.outcome().is_some() {
            break;
        }
        let side = position.to_move();
        if passed(&position) && Race::new(&position, side).is_some_and(|race| (1..=6).contains(&race.outside())) {
            found.push(position);
        }
        let play = if ply < 8 {
            position.plays(&mut plays);
            plays[random.random_range(0..plays.len())]
        } else {
            agent.decide(&position, &Limits::iterations(300), &ThreadClock).expect("a play").play
        };
        position.play(play);
    }
    found
}

#[test]
#[ignore]
fn make() {
    let mut out = String::new();
    let mut seed = 1;
    let mut count = 0;
    while count < 200 {
        let mut random = random_source(seed + 1000000);
        let found = game(seed);
        seed += 1;
        if found.is_empty() { continue; }
        let position = found[random.random_range(0..found.len())];
        count += 1;
        out += &format!("{} | {} | {}\n", if position.to_move() == BLACK {"BLACK"} else {"WHITE"}, position.pieces(Player::One), position.pieces(Player::Two));
    }
    println!("{seed} games");
    std::fs::create_dir_all("tests/data/race").unwrap();
    std::fs::write("tests/data/race/positions.txt", out).unwrap();
}

fn load() -> Vec<Position> {
    let text = std::fs::read_to_string("tests/data/race/positions.txt").unwrap();
    text.lines().map(|line| {
        let parts: Vec<&str> = line.split(" | ").collect();
        let set = |t: &str| t.split_whitespace().map(|s| s.parse::<halma::halma::Square>().unwrap()).collect::<halma::halma::Bitboard>();
        Position::new([set(parts[1]), set(parts[2])], if parts[0]=="BLACK" {Player::One} else {Player::Two}, Rules::Addendum)
    }).collect()
}

#[test]
#[ignore]
fn look() {
    let boards: u64 = std::env::var("BOARDS").unwrap().parse().unwrap();
    let stride: usize = std::env::var("STRIDE").map_or(1, |s| s.parse().unwrap());
    use halma::clock::Clock;
    let (mut total, mut proved) = (0, 0);
    let start = ThreadClock.seconds();
    let mut nodes = 0;
    for (i, position) in load().iter().enumerate().step_by(stride) {
        let race = Race::new(position, position.to_move()).unwrap();
        let s = solve(&race, &Effort { boards: Some(boards), seconds: None }, &ThreadClock).unwrap();
        let mut p = *position;
        let _ = &mut p;
        println!("{i} outside {} plays {} at least {} boards {} proved {}", race.outside(), s.plays(), s.at_least, s.boards, s.is_proved());
        total += s.plays(); proved += u32::from(s.is_proved());
        nodes += s.boards;
    }
    println!("total {total} proved {proved} seconds {} boards {nodes}", ThreadClock.seconds() - start);
}

#[test]
#[ignore]
fn tune() {
    use halma::race::rank::W;
    use std::sync::atomic::Ordering::Relaxed;
    let boards: u64 = std::env::var("BOARDS").unwrap().parse().unwrap();
    let seed: u64 = std::env::var("SEED").unwrap().parse().unwrap();
    let seconds: f64 = std::env::var("SECONDS_").unwrap().parse().unwrap();
    use halma::clock::Clock;
    let positions = load();
    let eval = |w: &[i32; 7]| -> f64 {
        for (a, &b) in W.iter().zip(w) { a.store(b, Relaxed); }
        let mut t = 0.0;
        for p in &positions {
            let race = Race::new(p, p.to_move()).unwrap();
            for div in [1, 8] {
                t += solve(&race, &Effort { boards: Some(boards / div), seconds: None }, &ThreadClock).map_or(50.0, |s| s.plays() as f64);
            }
        }
        t
    };
    let mut random = random_source(seed);
    let mut best = std::env::var("START").map_or([16, 1, 60, 8, 30, 0, 0], |s| { let v: Vec<i32> = s.split(',').map(|x| x.trim().parse().unwrap()).collect(); v.try_into().unwrap() });
    let mut score = eval(&best);
    println!("{score} {best:?}");
    while ThreadClock.seconds() < seconds {
        let mut w = best;
        for _ in 0..random.random_range(1..3) {
            let i = random.random_range(0..7);
            let step = [8, 2, 40, 10, 30, 60, 6][i];
            w[i] = (w[i] + random.random_range(-step..=step)).max(if i == 6 { -20 } else { 0 });
        }
        let s = eval(&w);
        if s <= score { if s < score { println!("{s} {w:?}"); } best = w; score = s; }
    }
}
