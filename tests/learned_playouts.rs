//! Policies that learn: what they learn from simulations, computed by hand from the papers' formulas, and whether
//! learning helps.

use crate::support::connect_four::{ConnectFour, Drop};
use crate::support::searches::{iterate, params};
use halma::game::{Game, MoveIndex, Outcome, Player, Value};
use halma::playout::{
    BoxedPlayout, Choice, Lgrf, LgrfParameters, Mast, MastParameters, Move, Nst, NstParameters, Playout, Ppa,
    PpaParameters, Simulation, ToTheEnd,
};
use halma::search::mcts::{Params, Search, Selection};
use std::fmt;

/// A version of Connect Four in which a play is the cell where the stone lands. Averages by column would mix stones
/// that have little in common.
#[derive(Clone)]
struct ByCell(ConnectFour);

/// A cell, as the number of its bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Stone(u8);

impl fmt::Display for Stone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

impl MoveIndex for Stone {
    const COUNT: usize = 49;

    fn index(self) -> usize {
        self.0.into()
    }
}

impl Game for ByCell {
    type Play = Stone;

    fn to_move(&self) -> Player {
        self.0.to_move()
    }

    fn outcome(&self) -> Option<Outcome> {
        self.0.outcome()
    }

    fn legal_plays(&self, plays: &mut Vec<Stone>) {
        plays.clear();
        self.0.for_each_play(|Drop(column)| {
            let cells = self.0.open() & 0x3f << (7 * column);
            plays.push(Stone(cells.trailing_zeros() as u8));
        });
    }

    fn play(&mut self, Stone(cell): Stone) {
        self.0.put(1 << cell);
    }

    fn key(&self) -> u64 {
        self.0.key()
    }
}

type Policy<G = ConnectFour> = BoxedPlayout<G>;

/// The columns dropped into, starting from the empty board, and the value for player one.
type Example<'a> = (&'a [u8], f32);

/// A name, a policy, the examples that it learns from, the moves before its choice, and the expected choice.
type Case<'a, T> = (&'a str, Policy, &'a [Example<'a>], &'a [u8], T);

fn at_random<G: Game<Play: Send + 'static>>() -> Policy<G> {
    Box::new(ToTheEnd)
}

/// ε-greedy MAST that leaves nothing to chance, except the choice between equal plays.
fn greedy() -> MastParameters {
    MastParameters { epsilon: 0.0, unknown: -1.0, ..MastParameters::default() }
}

fn mast(parameters: MastParameters) -> Policy {
    Box::new(Mast::new(parameters, at_random()))
}

fn nst(length: u64, min_visits: u64) -> Policy {
    let rest = NstParameters { epsilon: 0.0, unknown: -1.0, ..NstParameters::default() };
    Box::new(Nst::new(NstParameters { length, min_visits, ..rest }, at_random()))
}

fn lgrf(length: u64, forgetting: bool) -> Policy {
    let parameters = LgrfParameters { length, forgetting, ..LgrfParameters::default() };
    Box::new(Lgrf::new(parameters, at_random()))
}

fn ppa(parameters: PpaParameters) -> Policy {
    Box::new(Ppa::new(parameters, at_random()))
}

/// A simulation of these moves from the empty board.
fn simulation(columns: &[u8], seed: u64) -> Simulation<Drop> {
    let mut simulation = Simulation::new(seed).recording();
    let players = Player::BOTH.into_iter().cycle();
    simulation
        .begin(columns.iter().zip(players).map(|(&column, player)| Move { player, play: Drop(column) }));
    simulation
}

fn teach(policy: &mut Policy, examples: &[Example]) {
    policy.new_search(&ConnectFour::default());
    for &(columns, value) in examples {
        let mut simulation = simulation(columns, 1);
        simulation.end(Value::new(value), Player::One);
        policy.learn(&simulation);
    }
}

/// How often, in a thousand trials, the policy chooses each column after these moves.
fn chosen(policy: &mut Policy, columns: &[u8]) -> [u32; 7] {
    let mut chosen = [0; 7];
    for seed in 0..1000 {
        let position = ConnectFour::after(columns);
        let Drop(column) = policy.choose(&position, &mut simulation(columns, seed)).expect("a play");
        chosen[usize::from(column)] += 1;
    }
    chosen
}

/// Three moves of player one are worth 0.25, 0.5 and −0.5 on average; three of player two are worth 0.5, −1 and −1.
const EXAMPLES: [Example; 5] =
    [(&[3, 2], 1.0), (&[3, 4, 5], -0.5), (&[0, 1], 1.0), (&[0], 0.0), (&[6, 4], -0.5)];

#[test]
fn the_best_average_sequence_or_reply_is_chosen() {
    let lost_reply = [(&[3, 2][..], -1.0), (&[3, 2], 1.0)];
    let by_last = [(&[0, 1, 2][..], 1.0), (&[5, 1, 4], 0.5)];
    // Player two's reply in column 4 wins after column 4, but loses after column 1, and the loss occurs more often.
    let by_sequence = [
        (&[3, 3][..], -1.0),
        (&[3, 3], -1.0),
        (&[0, 3], 1.0),
        (&[0, 3], 1.0),
        (&[0, 3], 1.0),
        (&[6, 2], -0.3),
    ];
    // Here the two preceding moves decide: the third move of [1, 3, 3] is good, and that of [0, 3, 3] is bad.
    let by_two = [(&[1, 3, 3][..], 1.0), (&[0, 3, 3], -1.0), (&[4, 5, 6], 0.3), (&[1], -1.0), (&[1], -1.0)];
    let any = |columns: &[usize]| columns.iter().fold(0u8, |set, column| set | 1 << column);
    let cases: [Case<u8>; 18] = [
        ("mast: the best average", mast(greedy()), &EXAMPLES, &[], any(&[0])),
        ("mast: the other player's own averages", mast(greedy()), &EXAMPLES, &[6], any(&[4])),
        (
            "mast: unknown plays first",
            mast(MastParameters { unknown: 1.0, ..greedy() }),
            &EXAMPLES,
            &[],
            any(&[1, 2, 4]),
        ),
        (
            "mast: unknown plays before bad ones",
            mast(MastParameters { unknown: 0.4, ..greedy() }),
            &EXAMPLES[..2],
            &[],
            any(&[0, 1, 2, 4, 6]),
        ),
        ("mast: nothing known", mast(greedy()), &[], &[], 0x7f),
        ("nst: by single plays", nst(1, 2), &by_sequence, &[3], any(&[2])),
        ("nst: by the reply to the last move", nst(2, 2), &by_sequence, &[3], any(&[3])),
        ("nst: that reply to a different move", nst(2, 2), &by_sequence, &[0], any(&[2])),
        ("nst: too few visits", nst(2, 3), &by_sequence, &[3], any(&[2])),
        ("nst: not by two moves", nst(2, 1), &by_two, &[1, 3], any(&[4, 6])),
        ("nst: by two moves", nst(3, 1), &by_two, &[1, 3], any(&[3])),
        ("nst: by two other moves", nst(3, 1), &by_two, &[0, 3], any(&[4, 6])),
        ("lgrf: the winner's reply", lgrf(1, true), &lost_reply[..1], &[3], any(&[2])),
        ("lgrf: to the same move only", lgrf(1, true), &lost_reply[..1], &[4], 0x7f),
        ("lgrf: forgotten", lgrf(1, true), &lost_reply, &[3], 0x7f),
        ("lgrf: not forgotten", lgrf(1, false), &lost_reply, &[3], any(&[2])),
        ("lgrf: by two moves first", lgrf(2, true), &by_last, &[0, 1], any(&[2])),
        ("lgrf: otherwise by one move", lgrf(2, true), &by_last, &[6, 1], any(&[4])),
    ];
    for (name, mut policy, examples, before, expected) in cases {
        teach(&mut policy, examples);
        let found = chosen(&mut policy, before).into_iter().enumerate().filter(|&(_, count)| count > 0);
        assert_eq!(found.fold(0, |set, (column, _)| set | 1 << column), expected, "{name}");
    }
}

#[test]
fn plays_are_drawn_by_their_softmax() {
    let gibbs =
        MastParameters { choice: Choice::Gibbs, temperature: 0.5, unknown: 0.0, ..MastParameters::default() };
    let own = PpaParameters { alpha: 1.5, ..PpaParameters::default() };
    let both = PpaParameters { both: true, ..own.clone() };
    let longer = PpaParameters { length: 2, ..own.clone() };
    let e = f64::exp;
    // A win adds α to the weight of the winner's play and takes α/7 from each weight. With `both`, a draw does half of
    // that for each player.
    let uniform = [1.0; 7];
    let won = [1.0, 1.0, 1.0, e(1.5), 1.0, 1.0, 1.0];
    let drawn = [1.0, 1.0, 1.0, e(0.75), 1.0, 1.0, 1.0];
    // A reply's weight is averaged with the weight of the single play; after a different move, only the single play's
    // counts.
    let cases: [Case<[f64; 7]>; 8] = [
        ("mast", mast(gibbs), &EXAMPLES, &[], [e(1.0), 1.0, 1.0, e(0.5), 1.0, e(-1.0), e(-1.0)]),
        ("ppa: nothing known", ppa(own.clone()), &[], &[], uniform),
        ("ppa: the winner's move", ppa(own.clone()), &[(&[3], 0.2)], &[], won),
        ("ppa: not the loser's", ppa(own.clone()), &[(&[3], -0.2)], &[], uniform),
        ("ppa: a draw for nobody", ppa(own), &[(&[3], 0.0)], &[], uniform),
        ("ppa: a draw for both", ppa(both), &[(&[3, 3], 0.0)], &[6], drawn),
        ("ppa: a reply", ppa(longer), &[(&[1, 3], -1.0)], &[1], won),
        (
            "ppa: the same reply to a different move",
            ppa(PpaParameters { length: 2, alpha: 1.5, ..PpaParameters::default() }),
            &[(&[1, 3], -1.0)],
            &[2],
            won,
        ),
    ];
    for (name, mut policy, examples, before, odds) in cases {
        teach(&mut policy, examples);
        let (chosen, sum) = (chosen(&mut policy, before), odds.iter().sum::<f64>());
        for (count, odd) in chosen.into_iter().zip(odds) {
            let expected = 1000.0 * odd / sum;
            let tolerance = 4.0 * expected.sqrt();
            assert!((f64::from(count) - expected).abs() < tolerance, "{name}: {chosen:?}, {odds:?}");
        }
    }
}

#[test]
fn what_is_learned_decays_and_ends_with_the_game() {
    for keeps in [true, false] {
        let decay = f32::from(keeps);
        let nst = NstParameters { epsilon: 0.0, decay, ..NstParameters::default() };
        let policies: [(&str, Policy); 4] = [
            ("mast", mast(MastParameters { decay, ..greedy() })),
            ("nst", Box::new(Nst::new(nst, at_random()))),
            (
                "lgrf",
                Box::new(Lgrf::new(LgrfParameters { keep: keeps, ..LgrfParameters::default() }, at_random())),
            ),
            ("ppa", ppa(PpaParameters { alpha: 10.0, decay, ..PpaParameters::default() })),
        ];
        for (name, mut policy) in policies {
            teach(&mut policy, &[(&[3, 2], -1.0), (&[3, 2], -1.0)]);
            let knows = |policy: &mut Policy| chosen(policy, &[3])[2] > 900;
            assert!(knows(&mut policy), "{name}");
            policy.new_search(&ConnectFour::default());
            assert_eq!(knows(&mut policy), keeps, "{name}");
            policy.new_game();
            policy.new_search(&ConnectFour::default());
            assert!(!knows(&mut policy), "{name}");
        }
    }
}

/// Plays a game of Connect Four between two policies with equal iterations. Returns the score of the first policy.
fn score(policies: [Policy<ByCell>; 2], opening: &[u8], first: usize, iterations: u64) -> f32 {
    let mut position = ByCell(ConnectFour::after(opening));
    let settings = Params { leaf_batch: 1, transpositions: false, ..params(Selection::Uct) };
    let mut searches = policies.map(|policy| Search::new(position.clone(), settings.clone(), policy, 1));
    while position.outcome().is_none() {
        let search = &mut searches[first ^ position.to_move().index()];
        search.restart(position.clone(), position.key());
        position.play(iterate(search, iterations).best().expect("a play").play);
    }
    let own = Player::BOTH[first];
    position.outcome().map_or(0.5, |outcome| outcome.value_for(own).expected_score())
}

/// MAST is not tested here: no setting of its parameters scored more than 50 % of 686 such games.
#[test]
fn learning_beats_random_playouts_on_connect_four() {
    type Make = fn() -> Policy<ByCell>;
    // Each policy plays both sides of all openings of this many stones. NST leads by less, so it plays more games.
    let policies: [(&str, u32, Make); 3] = [
        ("nst", 3, || Box::new(Nst::new(NstParameters::default(), at_random()))),
        ("lgrf", 2, || Box::new(Lgrf::new(LgrfParameters::default(), at_random()))),
        ("ppa", 2, || Box::new(Ppa::new(PpaParameters::default(), at_random()))),
    ];
    for (name, stones, policy) in policies {
        let column = |number: u32, stone| (number / 7u32.pow(stone) % 7) as u8;
        let openings =
            (0..7u32.pow(stones)).map(|number| (0..stones).map(|stone| column(number, stone)).collect());
        let games = openings.flat_map(|opening: Vec<u8>| [(opening.clone(), 0), (opening, 1)]);
        let total: f32 =
            games.map(|(opening, first)| score([policy(), at_random()], &opening, first, 250)).sum();
        let count = 2 * 7u32.pow(stones);
        println!("{name}: {total} of {count}");
        assert!(total / count as f32 > 52.0 / 98.0, "{name}: {total} of {count} games");
    }
}
