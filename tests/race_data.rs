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
        if passed(&position)
            && Race::new(&position, side).is_some_and(|race| (1..=6).contains(&race.outside()))
        {
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
        if found.is_empty() {
            continue;
        }
        let position = found[random.random_range(0..found.len())];
        count += 1;
        out += &format!(
            "{} | {} | {}\n",
            if position.to_move() == BLACK { "BLACK" } else { "WHITE" },
            position.pieces(Player::One),
            position.pieces(Player::Two)
        );
    }
    println!("{seed} games");
    std::fs::create_dir_all("tests/data/race").unwrap();
    std::fs::write("tests/data/race/positions.txt", out).unwrap();
}

fn load() -> Vec<Position> {
    let text = std::fs::read_to_string("tests/data/race/positions.txt").unwrap();
    text.lines()
        .map(|line| {
            let parts: Vec<&str> = line.split(" | ").collect();
            let set = |t: &str| {
                t.split_whitespace()
                    .map(|s| s.parse::<halma::halma::Square>().unwrap())
                    .collect::<halma::halma::Bitboard>()
            };
            Position::new(
                [set(parts[1]), set(parts[2])],
                if parts[0] == "BLACK" { Player::One } else { Player::Two },
                Rules::Addendum,
            )
        })
        .collect()
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
        println!(
            "{i} outside {} plays {} at least {} boards {} proved {}",
            race.outside(),
            s.plays(),
            s.at_least,
            s.boards,
            s.is_proved()
        );
        total += s.plays();
        proved += u32::from(s.is_proved());
        nodes += s.boards;
    }
    println!("total {total} proved {proved} seconds {} boards {nodes}", ThreadClock.seconds() - start);
}

#[test]
#[ignore]
fn dump() {
    let mut out = String::new();
    for seed in 5000..5000 + std::env::var("GAMES").unwrap().parse::<u64>().unwrap() {
        let mut random = random_source(seed);
        let mut position = Position::initial(Player::BOTH[seed as usize % 2], Rules::Addendum);
        let mut agent = agent::parse("mcts(inherit=0,race=off)", seed).expect("a spec");
        let mut plays = Vec::new();
        for ply in 0..400 {
            if position.outcome().is_some() {
                break;
            }
            if random.random_range(0..5) == 0 {
                for side in Player::BOTH {
                    let Some(race) = Race::solo(&position, side) else { continue };
                    if position.has_filled_goal(side) {
                        continue;
                    }
                    let Some(s) = solve(&race, &Effort { boards: Some(2000), seconds: None }, &ThreadClock)
                    else {
                        continue;
                    };
                    let t = position.tally(side);
                    let p =
                        if side == BLACK { position.pieces(side) } else { position.pieces(side).half_turn() };
                    let g = halma::halma::goal(BLACK);
                    let steps: i32 = (0..4)
                        .map(|c| {
                            (g.class_word(c).count_ones() as i32 - p.class_word(c).count_ones() as i32).max(0)
                        })
                        .sum();
                    let max = p.into_iter().map(|s| halma::halma::distance(BLACK, s)).max().unwrap();
                    let steps_out: u32 = (p & !g)
                        .into_iter()
                        .map(|s| g.into_iter().map(|t| s.steps_to(t)).min().unwrap() as u32)
                        .sum();
                    let lonely: u32 = (p & !g)
                        .into_iter()
                        .map(|s| u32::from((halma::halma::neighbours(s) & p).is_empty()))
                        .sum();
                    out += &format!(
                        "{} {} {} {} {} {} {} {} {} {} {}\n",
                        seed,
                        ply,
                        s.plays(),
                        19 - t.in_goal(),
                        t.distance(),
                        t.squared_distance(),
                        t.corridor(),
                        steps,
                        max,
                        steps_out,
                        lonely
                    );
                }
            }
            let play = if ply < 8 {
                position.plays(&mut plays);
                plays[random.random_range(0..plays.len())]
            } else {
                agent.decide(&position, &Limits::iterations(300), &ThreadClock).expect("a play").play
            };
            position.play(play);
        }
    }
    std::fs::write("/tmp/dump.txt", out).unwrap();
}
