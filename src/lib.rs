//! A Monte Carlo tree search engine for 16×16 Halma, with searches that work for any game.
//!
//! # Read a board and choose a play
//!
//! ```
//! use halma::{Agent, Limits, Position, ProcessClock};
//!
//! let board = "\
//! BLACK
//! WWWWW...........
//! W.W.W...........
//! WWW.............
//! WW...W..........
//! WW....W.........
//! ................
//! .......W........
//! ................
//! ................
//! .........BW.....
//! ...........B....
//! ..............BB
//! ............BBBB
//! ............B.BB
//! .............BBB
//! ...........BBBBB";
//! let mut position: Position = board.parse().unwrap();
//! let mut agent = halma::agent::parse("mcts", 1).unwrap();
//! let decision = agent.decide(&position, &Limits::iterations(1000), &ProcessClock, None).unwrap();
//! println!("{} is worth {}", decision.play, decision.report.value);
//! position.try_play(decision.play).unwrap();
//! ```
//!
//! # Write a playout policy
//!
//! A playout policy values the leaves of the search tree. This one compares the distances that both sides still have to
//! go. [`playout`] shows a policy whose parameters can be set in a spec.
//!
//! ```
//! use halma::agent::{MctsAgent, MctsParameters};
//! use halma::evaluation::squash;
//! use halma::playout::{Playout, Simulation};
//! use halma::prior::Fitted;
//! use halma::{Agent, Game, Limits, Play, Position, ProcessClock, Value};
//!
//! struct Lead;
//!
//! impl Playout<Position> for Lead {
//!     fn evaluate(&mut self, end: &Position, _: &mut Simulation<Play>) -> Value {
//!         let distance = |side| end.tally(side).distance() as f32;
//!         let side = end.to_move();
//!         squash((distance(side.opponent()) - distance(side)) / 40.0)
//!     }
//! }
//!
//! let (lead, prior) = (Box::new(Lead), Box::new(Fitted::default()));
//! let mut agent = MctsAgent::new(MctsParameters::default(), lead, prior, 1);
//! let start = Position::default();
//! let decision = agent.decide(&start, &Limits::iterations(500), &ProcessClock, None).unwrap();
//! assert!(start.is_legal(decision.play));
//! ```
//!
//! # Search another game
//!
//! Except for the race solver, the searches know a game only through the trait [`Game`]. In this one, two players take
//! turns to remove one to three matches from a heap, and the player who takes the last match wins.
//!
//! ```
//! use halma::search::mcts::{Params, Search};
//! use halma::playout::ToTheEnd;
//! use halma::support::random::mix;
//! use halma::{Game, Limits, Outcome, Player, ProcessClock};
//!
//! #[derive(Clone, PartialEq, Eq)]
//! struct Matches {
//!     left: u32,
//!     to_move: Player,
//! }
//!
//! impl Game for Matches {
//!     type Play = u32;
//!
//!     fn to_move(&self) -> Player {
//!         self.to_move
//!     }
//!
//!     fn outcome(&self) -> Option<Outcome> {
//!         (self.left == 0).then_some(Outcome::Win(self.to_move.opponent()))
//!     }
//!
//!     fn legal_plays(&self, plays: &mut Vec<u32>) {
//!         plays.clear();
//!         plays.extend(1..=self.left.min(3));
//!     }
//!
//!     fn play(&mut self, play: u32) {
//!         self.left -= play;
//!         self.to_move = self.to_move.opponent();
//!     }
//!
//!     fn key(&self) -> u64 {
//!         mix(u64::from(self.left) << 1 | self.to_move as u64)
//!     }
//! }
//!
//! let position = Matches { left: 23, to_move: Player::One };
//! let mut search = Search::new(position, Params::default(), ToTheEnd, 1);
//! let report = search.run(&Limits::iterations(10_000), &ProcessClock, None);
//! // This leaves the opponent 20 matches. A multiple of four is lost for the player to move.
//! assert_eq!(report.best().unwrap().play, 3);
//! assert_eq!(report.proof, Some(Outcome::Win(Player::One)));
//!
//! // Alpha-beta to the end of the game finds the same play; +1 is a win for the player to move.
//! use halma::search::minimax::alpha_beta;
//! let position = Matches { left: 23, to_move: Player::One };
//! let value = |leaf: &Matches| leaf.outcome().map_or(0, |end| end.value_for(Player::One).get() as i64);
//! let found = alpha_beta(&position, 23, value);
//! assert_eq!((found.play, found.value), (Some(3), 1));
//! ```
//!
//! # Modules
//!
//! Lowest layer first. No module imports from a higher one, except that a playout policy gets its parts from the
//! agents' [`Registry`].
//!
//! | module | contents |
//! |---|---|
//! | [`game`] | the interface between rules and search: [`Game`], [`Player`], [`Outcome`], [`Value`] |
//! | [`support`] | random numbers, CPU clocks, files, memory, parsing, hashing, SIMD, specs and parameters |
//! | [`rules`] | Halma on bitboards |
//! | [`star_circle`] | the game of the older homework |
//! | [`evaluation`] | the static value of a position |
//! | [`prior`] | how likely each play is to be the best, before search |
//! | [`network`] | the two neural networks: one evaluates positions, one ranks plays |
//! | [`playout`] | the playout policies, which value leaves |
//! | [`search`] | limits and reports; MCTS, alpha-beta, minimax, the race solver |
//! | [`agent`] | agents, which choose plays within limits; their registry; time management |
//! | [`homework`] | the files of the homework, and its programs `homework` and `calibrate` |

#![deny(unsafe_code)]

pub mod agent;
pub mod evaluation;
pub mod game;
pub mod homework;
pub mod network;
pub mod playout;
pub mod prior;
pub mod rules;
pub mod search;
pub mod star_circle;
pub mod support;

pub use agent::{Agent, Decision, Registry};
pub use game::{Game, Outcome, Player, Value};
pub use rules::{BLACK, IllegalPlay, Play, Position, Rules, Square, WHITE};
pub use search::{Limits, Observer, Report};
pub use support::clock::{Clock, ProcessClock, ThreadClock};
