//! A second implementation of Star and Circle to test the engine against: the homework's text turned into code, word
//! by word and without regard to speed. It shares no code with the engine, not even to read and write the homework's
//! files. It expects well-formed input.

/// A stack: its owner (`S` or `C`) and the number of pieces.
type Stack = Option<(char, i128)>;

#[derive(Clone)]
struct State {
    /// Rows from H down to A.
    board: [[Stack; 8]; 8],
    turn: char,
    passes: u32,
}

/// Origin and destination, as (row from the top, column).
type Move = ((i32, i32), (i32, i32));

struct Task {
    player: char,
    depth: u32,
    values: Vec<i128>,
}

/// The homework's output for `input`.
pub fn answer(input: &str) -> String {
    let lines: Vec<&str> = input.lines().collect();
    let player = if lines[0] == "Star" { 'S' } else { 'C' };
    let values = lines[11].split(',').map(|value| value.parse().unwrap()).collect();
    let task = Task { player, depth: lines[2].parse().unwrap(), values };
    let mut root = State { board: [[None; 8]; 8], turn: player, passes: 0 };
    for (row, line) in lines[3..11].iter().enumerate() {
        for (column, square) in line.split(',').enumerate() {
            if square != "0" {
                let owner = square.chars().next().unwrap();
                root.board[row][column] = Some((owner, square[1..].parse().unwrap()));
            }
        }
    }
    let mut nodes = 0;
    let (value, chosen) = match lines[1] {
        "MINIMAX" => minimax(&task, &root, 0, &mut nodes),
        _ => alpha_beta(&task, &root, 0, None, None, &mut nodes),
    };
    let (name, next) = match chosen {
        Some(index) => (name(moves(&root).get(index)), children(&root)[index].clone()),
        None => (String::from("pass"), root.clone()),
    };
    format!("{name}\n{}\n{value}\n{nodes}", utility(&task, &next))
}

fn name(chosen: Option<&Move>) -> String {
    let square =
        |(row, column): (i32, i32)| format!("{}{}", "HGFEDCBA".as_bytes()[row as usize] as char, column + 1);
    chosen.map_or(String::from("pass"), |&(from, to)| format!("{}-{}", square(from), square(to)))
}

fn at(state: &State, (row, column): (i32, i32)) -> Stack {
    state.board[row as usize][column as usize]
}

fn on_board((row, column): (i32, i32)) -> bool {
    (0..8).contains(&row) && (0..8).contains(&column)
}

/// The moves of the player to move, sorted by origin, then by destination.
fn moves(state: &State) -> Vec<Move> {
    let me = state.turn;
    let (ahead, last_row) = if me == 'S' { (-1, 0) } else { (1, 7) };
    let may_land = |to: (i32, i32)| {
        on_board(to)
            && match at(state, to) {
                None => true,
                Some((owner, _)) => owner == me && to.0 == last_row,
            }
    };
    let mut found = Vec::new();
    for row in 0..8 {
        for column in 0..8 {
            let mine = at(state, (row, column)).is_some_and(|(owner, _)| owner == me);
            if !mine || row == last_row {
                continue;
            }
            for side in [-1, 1] {
                let near = (row + ahead, column + side);
                let far = (row + 2 * ahead, column + 2 * side);
                if may_land(near) {
                    found.push(((row, column), near));
                }
                let prey = on_board(near) && at(state, near).is_some_and(|(owner, _)| owner != me);
                if prey && may_land(far) {
                    found.push(((row, column), far));
                }
            }
        }
    }
    found.sort();
    found
}

/// The states after each move, or after a pass if there is no move.
fn children(state: &State) -> Vec<State> {
    let opponent = if state.turn == 'S' { 'C' } else { 'S' };
    let found = moves(state);
    if found.is_empty() {
        return vec![State { turn: opponent, passes: state.passes + 1, ..state.clone() }];
    }
    let after = |&((from_row, from_column), (to_row, to_column)): &Move| {
        let mut board = state.board;
        board[from_row as usize][from_column as usize] = None;
        if (from_row - to_row).abs() == 2 {
            board[((from_row + to_row) / 2) as usize][((from_column + to_column) / 2) as usize] = None;
        }
        let landing = &mut board[to_row as usize][to_column as usize];
        *landing = Some((state.turn, landing.map_or(0, |(_, count)| count) + 1));
        State { board, turn: opponent, passes: 0 }
    };
    found.iter().map(after).collect()
}

/// The sum of the row values of the player's pieces minus that of the opponent's.
fn utility(task: &Task, state: &State) -> i128 {
    let mut sum = 0;
    for row in 0..8 {
        for column in 0..8 {
            if let Some((owner, count)) = state.board[row][column] {
                let value = task.values[if owner == 'S' { 7 - row } else { row }];
                sum += if owner == task.player { count * value } else { -count * value };
            }
        }
    }
    sum
}

fn is_leaf(task: &Task, state: &State, depth: u32) -> bool {
    let has = |player| state.board.iter().flatten().flatten().any(|&(owner, _)| owner == player);
    depth == task.depth || state.passes == 2 || !has('S') || !has('C')
}

/// The value of a state and the index of its best child.
fn minimax(task: &Task, state: &State, depth: u32, nodes: &mut u64) -> (i128, Option<usize>) {
    *nodes += 1;
    if is_leaf(task, state, depth) {
        return (utility(task, state), None);
    }
    let mut best: Option<(i128, usize)> = None;
    for (index, child) in children(state).iter().enumerate() {
        let (value, _) = minimax(task, child, depth + 1, nodes);
        let better = match best {
            None => true,
            Some((v, _)) if state.turn == task.player => value > v,
            Some((v, _)) => value < v,
        };
        if better {
            best = Some((value, index));
        }
    }
    let (value, index) = best.unwrap();
    (value, Some(index))
}

/// `minimax` with pruning; `None` stands for an infinite `alpha` or `beta`.
fn alpha_beta(
    task: &Task,
    state: &State,
    depth: u32,
    mut alpha: Option<i128>,
    mut beta: Option<i128>,
    nodes: &mut u64,
) -> (i128, Option<usize>) {
    *nodes += 1;
    if is_leaf(task, state, depth) {
        return (utility(task, state), None);
    }
    let mut best: Option<(i128, usize)> = None;
    for (index, child) in children(state).iter().enumerate() {
        let (value, _) = alpha_beta(task, child, depth + 1, alpha, beta, nodes);
        if state.turn == task.player {
            if best.is_none_or(|(v, _)| value > v) {
                best = Some((value, index));
            }
            let v = best.unwrap().0;
            if beta.is_some_and(|beta| v >= beta) {
                break;
            }
            alpha = Some(alpha.map_or(v, |alpha| alpha.max(v)));
        } else {
            if best.is_none_or(|(v, _)| value < v) {
                best = Some((value, index));
            }
            let v = best.unwrap().0;
            if alpha.is_some_and(|alpha| v <= alpha) {
                break;
            }
            beta = Some(beta.map_or(v, |beta| beta.min(v)));
        }
    }
    let (value, index) = best.unwrap();
    (value, Some(index))
}
