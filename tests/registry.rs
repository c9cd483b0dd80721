//! Policies, priors, evaluations and agents from outside this crate: specs name them like those of the
//! crate, and only they decide what is played.

use halma::agent::{Agent, Decision, NoLegalPlay, Registry, Spec};
use halma::evaluation::{Evaluation, Fitted};
use halma::game::{Game, Player, Value};
use halma::playout::{ForwardJump, ForwardJumpParameters, Parts, Playout};
use halma::prior::{self, Prior};
use halma::rules::{Play, Position};
use halma::search::{Limits, Observer, Report};
use halma::support::clock::{Clock, FakeClock};
use halma::support::parameters::{Named, NoParameters, whole};
use halma::support::random::Random;

/// [`ForwardJump`] as a type of another crate.
struct Copied(ForwardJump);

impl Playout<Position> for Copied {
    fn value(&mut self, leaf: &Position, random: &mut Random) -> Value {
        self.0.value(leaf, random)
    }
}

impl Named for Copied {
    const NAME: &'static str = "copied";
    const ABOUT: &'static str = "forward-jump by another name";
    type Parameters = ForwardJumpParameters;
    type Uses = Box<dyn Evaluation>;

    fn new(parameters: ForwardJumpParameters, evaluation: Box<dyn Evaluation>) -> Copied {
        Copied(ForwardJump::new(parameters, evaluation))
    }
}

/// Makes the first play of the list, then asks the evaluation: what `likeliest(cap=1)` does where all plays are
/// alike.
struct First(Parts);

impl Playout<Position> for First {
    fn value(&mut self, leaf: &Position, _: &mut Random) -> Value {
        let (mut position, mut plays) = (*leaf, Vec::new());
        position.legal_plays(&mut plays);
        plays.first().into_iter().for_each(|&play| position.play(play));
        self.0.evaluation.value(&position, leaf.to_move())
    }
}

impl Named for First {
    const NAME: &'static str = "first";
    const ABOUT: &'static str = "the first play of the list, then the evaluation";
    type Parameters = NoParameters;
    type Uses = Parts;

    fn new(_parameters: NoParameters, parts: Parts) -> First {
        First(parts)
    }
}

/// [`prior::Fitted`] as a type of another crate.
struct CopiedPrior(prior::Fitted);

impl Prior<Position> for CopiedPrior {
    fn scores(&mut self, position: &Position, plays: &[Play], scores: &mut Vec<i8>) {
        self.0.scores(position, plays, scores);
    }

    fn base(&self) -> f32 {
        Prior::<Position>::base(&self.0)
    }
}

impl Named for CopiedPrior {
    const NAME: &'static str = "copied";
    const ABOUT: &'static str = "the fitted prior by another name";
    type Parameters = NoParameters;
    type Uses = ();

    fn new(_parameters: NoParameters, (): ()) -> CopiedPrior {
        CopiedPrior(prior::Fitted::default())
    }
}

/// [`Fitted`] as a type of another crate.
struct CopiedEvaluation;

impl Evaluation for CopiedEvaluation {
    fn score(&mut self, position: &Position, player: Player) -> f32 {
        Fitted.score(position, player)
    }
}

impl Named for CopiedEvaluation {
    const NAME: &'static str = "copied";
    const ABOUT: &'static str = "the fitted evaluation by another name";
    type Parameters = NoParameters;
    type Uses = ();

    fn new(_parameters: NoParameters, (): ()) -> CopiedEvaluation {
        CopiedEvaluation
    }
}

halma::parameters! {
    /// The parameters of [`Nth`].
    struct NthParameters;
    n: u64 = 0, whole(0, 1000, 1), "which of the legal plays";
}

/// Always makes the legal play of the same number.
struct Nth {
    n: usize,
}

impl Agent for Nth {
    fn new_game(&mut self) {}

    fn decide(
        &mut self,
        position: &Position,
        _: &Limits,
        _: &dyn Clock,
        _: Option<Observer<'_, Play>>,
    ) -> Result<Decision, NoLegalPlay> {
        let mut plays = Vec::new();
        position.legal_plays(&mut plays);
        let play = *plays.get(self.n % plays.len().max(1)).ok_or(NoLegalPlay)?;
        Ok(Decision { play, report: Report::unsearched(play) })
    }
}

impl Named for Nth {
    const NAME: &'static str = "nth";
    const ABOUT: &'static str = "the legal play of a number";
    type Parameters = NthParameters;
    type Uses = u64;

    fn new(parameters: NthParameters, _seed: u64) -> Nth {
        Nth { n: parameters.n as usize }
    }
}

fn registry() -> Registry {
    let registry = Registry::default().playout::<Copied>().playout::<First>().prior::<CopiedPrior>();
    registry.evaluation::<CopiedEvaluation>().agent::<Nth>()
}

fn spec(text: &str) -> Spec {
    text.parse().expect(text)
}

/// What `agent` decides in the first `plies` of a game against itself.
fn decisions(agent: &str, plies: usize) -> Vec<Decision> {
    let mut agent = registry().make_agent(&spec(agent), 7).expect(agent);
    let mut position = Position::default();
    let mut decisions = Vec::new();
    for _ in 0..plies {
        let decision =
            agent.decide(&position, &Limits::iterations(150), &FakeClock::new(), None).expect("a play");
        position.try_play(decision.play).expect("a legal one");
        decisions.push(decision);
    }
    decisions
}

#[test]
fn a_copied_policy_plays_the_same() {
    for (ours, theirs) in [
        ("mcts(playout=forward-jump)", "mcts(playout=copied)"),
        ("mcts(playout=forward-jump(cap=4), prior=fitted)", "mcts(playout=copied(cap=4), prior=copied)"),
        ("mcts(playout=static, evaluation=fitted)", "mcts(playout=static, evaluation=copied)"),
        (
            "mcts(c=1, playout=forward-jump, prior=fitted, evaluation=fitted)",
            "mcts(playout=copied, prior=copied, evaluation=copied, c=1)",
        ),
    ] {
        assert_eq!(decisions(ours, 60), decisions(theirs, 60), "{ours} and {theirs}");
    }
}

#[test]
fn a_policy_uses_the_prior_of_its_agent() {
    for (one, other) in [
        ("mcts(playout=likeliest(cap=1), prior=uniform)", "mcts(playout=first, prior=uniform)"),
        ("mcts(playout=likeliest, prior=fitted)", "mcts(playout=likeliest, prior=copied)"),
    ] {
        assert_eq!(decisions(one, 30), decisions(other, 30), "{one} and {other}");
    }
    let [network, first] = ["mcts(playout=likeliest(cap=1))", "mcts(playout=first)"];
    assert_ne!(decisions(network, 10), decisions(first, 10));
}

#[test]
fn other_parts_play_differently() {
    let default = decisions("mcts", 10);
    for other in [
        "mcts(playout=forward-jump)",
        "mcts(playout=likeliest)",
        "mcts(playout=sampled-jump)",
        "mcts(playout=uniform)",
        "mcts(prior=progress)",
        "mcts(prior=uniform)",
        "mcts(prior=fitted)",
        "mcts(prior=network(base=1.3))",
    ] {
        assert_ne!(decisions(other, 10), default, "{other}");
    }
    let jumps = ["mcts(playout=forward-jump)", "mcts(playout=forward-jump(leaving=0))"];
    assert_ne!(decisions(jumps[0], 10), decisions(jumps[1], 10));
}

#[test]
fn an_agent_of_ones_own_is_made_by_name() {
    let first = decisions("nth", 3);
    assert_ne!(first, decisions("nth(n=1)", 3));
    assert_eq!(first, decisions("nth(n=0)", 3));
}

#[test]
fn errors_name_what_there_is() {
    let message = |text: &str| match registry().make_agent(&spec(text), 1) {
        Ok(_) => panic!("{text} should be refused"),
        Err(error) => error.to_string(),
    };
    for (text, expected) in [
        ("mtcs", "there is no agent 'mtcs'; there are mcts, nth, "),
        ("mcts(playout=froward-jump)", "there is no playout policy 'froward-jump'; there are forward-jump,"),
        ("mcts(prior=fited)", "there is no prior 'fited'; there are fitted,"),
        ("mcts(evaluation=netwrok)", "there is no evaluation 'netwrok'; there are network,"),
        ("mcts(cap=2)", "mcts has no parameter 'cap'; it has c, "),
        ("mcts(playout=static(cap=2))", "static has no parameter 'cap'; it has none"),
        ("mcts(playout=uniform(cpa=2))", "uniform has no parameter 'cpa'; it has cap"),
        ("mcts(playout=uniform(cap=4001))", "cap=4001: expected a whole number from 0 to 4000"),
        ("mcts(c=a(b=1))", "c=a(b=1): expected a number from 0 to 100"),
        ("nth(n=-1)", "n=-1: expected a whole number from 0 to 1000"),
        ("random(c=1)", "random has no parameter 'c'; it has none"),
    ] {
        let message = message(text);
        assert!(message.starts_with(expected), "{text}: {message}");
    }
}

#[test]
fn parameters_are_found_by_their_path() {
    let found = |text: &str, path: &str| {
        let mut spec = spec(text);
        let (parameter, value) = registry().parameter(&mut spec, path).map_err(|error| error.to_string())?;
        Ok::<_, String>((parameter.name, value, spec.to_string()))
    };
    let here = |name, value: &str, spec: &str| Ok((name, value.to_string(), spec.to_string()));
    assert_eq!(found("mcts", "c"), here("c", "0.16", "mcts"));
    assert_eq!(found("mcts(c=2)", "c"), here("c", "2", "mcts(c=2)"));
    assert_eq!(found("mcts", "playout"), here("playout", "static", "mcts"));
    assert_eq!(found("mcts", "prior.base"), here("base", "1.075", "mcts(prior=network)"));
    let text = "mcts(playout=copied(cap=8))";
    assert_eq!(found(text, "playout.cap"), here("cap", "8", text));
    for (text, path) in [("mcts", "cap"), ("mcts", "c.x"), ("mcts(playout=static)", "playout.cap")] {
        assert!(found(text, path).is_err_and(|error| error.contains("has no parameter")), "{text} {path}");
    }
}

#[test]
fn every_default_is_a_value_in_its_range() {
    use halma::support::parameters::Part;
    let registry = registry();
    for kind in registry.agents() {
        for parameter in &kind.parameters {
            let text = format!("{}({}={})", kind.name, parameter.name, parameter.default);
            registry.make_agent(&spec(&text), 1).unwrap_or_else(|error| panic!("{text}: {error}"));
        }
    }
    for (part, name) in [(Part::Playout, "playout"), (Part::Prior, "prior"), (Part::Evaluation, "evaluation")]
    {
        for kind in registry.parts(part) {
            for parameter in &kind.parameters {
                let text = format!("mcts({name}={}({}={}))", kind.name, parameter.name, parameter.default);
                registry.make_agent(&spec(&text), 1).unwrap_or_else(|error| panic!("{text}: {error}"));
            }
        }
    }
}
