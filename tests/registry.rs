//! Playout policies, priors, evaluations and agents from outside this crate: specs name them like the crate's own, and
//! their copies play like the originals.

use crate::support::agents::self_play;
use crate::support::plays::legal_plays;
use halma::agent::{Agent, AgentContext, Component, Decision, NoLegalPlay, Registry, Spec, SpecError};
use halma::evaluation::{Evaluation, Fitted};
use halma::game::{Game, Player, Value};
use halma::playout::{ForwardJump, ForwardJumpParameters, Parts, Playout, Simulation};
use halma::prior::{self, Prior};
use halma::rules::{Play, Position};
use halma::search::{Limits, Observer, Report};
use halma::support::clock::Clock;
use halma::support::parameters::{Named, NoParameters, Parameter, Part, number, whole};

/// [`ForwardJump`] under another name.
struct Copied(ForwardJump);

impl Playout<Position> for Copied {
    fn choose(&mut self, position: &Position, simulation: &mut Simulation<Play>) -> Option<Play> {
        self.0.choose(position, simulation)
    }

    fn evaluate(&mut self, end: &Position, simulation: &mut Simulation<Play>) -> Value {
        self.0.evaluate(end, simulation)
    }
}

impl Named for Copied {
    const NAME: &'static str = "copied";
    const ABOUT: &'static str = "forward-jump under another name";
    type Parameters = ForwardJumpParameters;
    type Context = Parts;

    fn build(parameters: ForwardJumpParameters, parts: Parts) -> Result<Copied, SpecError> {
        Ok(Copied(ForwardJump::new(parameters, parts.evaluation()?)))
    }
}

/// Makes the first legal play and evaluates the position, as `likeliest(cap=1)` does when all plays are equally likely.
struct First(Box<dyn Evaluation>);

impl Playout<Position> for First {
    fn choose(&mut self, position: &Position, simulation: &mut Simulation<Play>) -> Option<Play> {
        legal_plays(position).first().copied().filter(|_| simulation.plies() == 0)
    }

    fn evaluate(&mut self, end: &Position, _: &mut Simulation<Play>) -> Value {
        self.0.value(end, end.to_move())
    }
}

impl Named for First {
    const NAME: &'static str = "first";
    const ABOUT: &'static str = "the first play of the list, then the evaluation";
    type Parameters = NoParameters;
    type Context = Parts;

    fn build(_parameters: NoParameters, parts: Parts) -> Result<First, SpecError> {
        Ok(First(parts.evaluation()?))
    }
}

/// [`prior::Fitted`] under another name.
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
    const ABOUT: &'static str = "the fitted prior under another name";
    type Parameters = NoParameters;
    type Context = ();

    fn build(_parameters: NoParameters, (): ()) -> Result<CopiedPrior, SpecError> {
        Ok(CopiedPrior(prior::Fitted::default()))
    }
}

/// [`Fitted`] under another name.
struct CopiedEvaluation;

impl Evaluation for CopiedEvaluation {
    fn score(&mut self, position: &Position, player: Player) -> f32 {
        Fitted.score(position, player)
    }
}

impl Named for CopiedEvaluation {
    const NAME: &'static str = "copied";
    const ABOUT: &'static str = "the fitted evaluation under another name";
    type Parameters = NoParameters;
    type Context = ();

    fn build(_parameters: NoParameters, (): ()) -> Result<CopiedEvaluation, SpecError> {
        Ok(CopiedEvaluation)
    }
}

halma::parameters! {
    /// The parameters of [`Nth`].
    struct NthParameters;
    n: u64 = 0, whole(0, 1000, 1), "the index of the legal play to make";
}

/// Always makes the legal play with the same index.
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
        let plays = legal_plays(position);
        let play = *plays.get(self.n % plays.len().max(1)).ok_or(NoLegalPlay)?;
        Ok(Decision { play, report: Report::unsearched(play) })
    }
}

impl Named for Nth {
    const NAME: &'static str = "nth";
    const ABOUT: &'static str = "always the legal play with the same index";
    type Parameters = NthParameters;
    type Context = AgentContext;

    fn build(parameters: NthParameters, _: AgentContext) -> Result<Nth, SpecError> {
        Ok(Nth { n: parameters.n as usize })
    }
}

fn registry() -> Registry {
    let registry = Registry::default().playout::<Copied>().playout::<First>().prior::<CopiedPrior>();
    registry.evaluation::<CopiedEvaluation>().agent::<Nth>()
}

fn spec(text: &str) -> Spec {
    text.parse().expect(text)
}

/// The decisions of the agent `text` in the first `plies` of a game against itself.
fn decisions(text: &str, plies: usize) -> Vec<Decision> {
    let mut agent = registry().make_agent(&spec(text), 7).expect(text);
    self_play(agent.as_mut(), plies)
}

#[test]
fn equal_parts_from_outside_play_the_same() {
    for (ours, theirs, plies) in [
        // Copies of the engine's policies, priors and evaluations.
        ("mcts(playout=forward-jump)", "mcts(playout=copied)", 60),
        ("mcts(playout=forward-jump(cap=4), prior=fitted)", "mcts(playout=copied(cap=4), prior=copied)", 60),
        ("mcts(playout=static, evaluation=fitted)", "mcts(playout=static, evaluation=copied)", 60),
        (
            "mcts(c=1, playout=forward-jump, prior=fitted, evaluation=fitted)",
            "mcts(playout=copied, prior=copied, evaluation=copied, c=1)",
            60,
        ),
        (
            "uct",
            "mcts(select=uct, c=0.05, c_root=1, leaf_batch=1, playout=mixed-leaf(inner=sampled-jump(cap=4)), \
             prior=progress, evaluation=copied)",
            60,
        ),
        ("uct(leaf_batch=4, c=0.2, playout=forward-jump)", "uct(c=0.2, leaf_batch=4, playout=copied)", 30),
        // A policy uses the prior of its agent.
        ("mcts(playout=likeliest(cap=1), prior=uniform)", "mcts(playout=first, prior=uniform)", 30),
        ("mcts(playout=likeliest, prior=fitted)", "mcts(playout=likeliest, prior=copied)", 30),
        // An agent's default parameter.
        ("nth", "nth(n=0)", 3),
    ] {
        assert_eq!(decisions(ours, plies), decisions(theirs, plies), "{ours} and {theirs}");
    }
}

#[test]
fn different_parts_play_differently() {
    for (one, other) in [
        ("mcts", "mcts(playout=forward-jump)"),
        ("mcts", "mcts(playout=likeliest)"),
        ("mcts", "mcts(playout=sampled-jump)"),
        ("mcts", "mcts(playout=uniform)"),
        ("mcts", "mcts(prior=progress)"),
        ("mcts", "mcts(prior=uniform)"),
        ("mcts", "mcts(prior=fitted)"),
        ("mcts", "mcts(prior=network(base=1.3))"),
        ("mcts(playout=forward-jump)", "mcts(playout=forward-jump(leaving=0))"),
        ("mcts(playout=likeliest(cap=1))", "mcts(playout=first)"),
        ("nth", "nth(n=1)"),
    ] {
        assert_ne!(decisions(one, 10), decisions(other, 10), "{one} and {other}");
    }
}

#[test]
fn errors_list_the_known_names() {
    let message = |text: &str| match registry().make_agent(&spec(text), 1) {
        Ok(_) => panic!("{text} should be refused"),
        Err(error) => error.to_string(),
    };
    for (text, expected) in [
        ("mtcs", "there is no agent 'mtcs'; did you mean mcts? Choose from mcts, uct, minimax, "),
        (
            "mcts(playout=froward-jump)",
            "there is no playout policy 'froward-jump'; did you mean forward-jump? Choose from static, ",
        ),
        ("mcts(prior=fited)", "there is no prior 'fited'; did you mean fitted? Choose from fitted,"),
        (
            "mcts(evaluation=netwrok)",
            "there is no evaluation 'netwrok'; did you mean network? Choose from fitted, network",
        ),
        ("mcts(cap=2)", "mcts has no parameter 'cap'; it has playout, prior, "),
        ("mcts(playout=static(cap=2))", "static has no parameter 'cap'; it has none"),
        ("mcts(playout=uniform(cpa=2))", "uniform has no parameter 'cpa'; it has cap"),
        ("mcts(playout=uniform(cap=4001))", "cap=4001: expected a whole number from 0 to 4000"),
        ("mcts(c=a(b=1))", "c=a(b=1): expected a number from 0 to 100"),
        ("nth(n=-1)", "n=-1: expected a whole number from 0 to 1000"),
        ("random(c=1)", "random has no parameter 'c'; it has none"),
        ("minimax(depth=0)", "depth=0: expected a whole number from 1 to 3"),
        ("minimax(depth=4)", "depth=4: expected a whole number from 1 to 3"),
        ("minimax(depth=2.0)", "depth=2.0: expected a whole number from 1 to 3"),
        ("alphabeta(depth=0)", "depth=0: expected a whole number from 1 to "),
        ("alphabeta(table=-1)", "table=-1: expected a whole number from 0 to "),
        ("minimax(c=1)", "minimax has no parameter 'c'; it has depth"),
    ] {
        let message = message(text);
        assert!(message.starts_with(expected), "{text}: {message}");
    }
}

#[test]
fn parameters_are_found_by_their_path() {
    for (text, path, name, value, completed) in [
        ("mcts", "c", "c", "0.16", "mcts"),
        ("mcts(c=2)", "c", "c", "2", "mcts(c=2)"),
        ("mcts", "playout", "playout", "static", "mcts"),
        ("mcts", "prior.base", "base", "1.075", "mcts(prior=network)"),
        ("mcts(playout=copied(cap=8))", "playout.cap", "cap", "8", "mcts(playout=copied(cap=8))"),
    ] {
        let mut spec = spec(text);
        let (parameter, found) = registry().parameter(&mut spec, path).expect(text);
        assert_eq!(
            (parameter.name, found.to_string().as_str(), spec.to_string().as_str()),
            (name, value, completed)
        );
    }
    for (text, path) in [("mcts", "cap"), ("mcts", "c.x"), ("mcts(playout=static)", "playout.cap")] {
        let error = registry().parameter(&mut spec(text), path).expect_err(text).to_string();
        assert!(error.contains("has no parameter"), "{text} {path}: {error}");
    }
}

#[test]
fn every_default_is_a_value_in_its_range() {
    let registry = registry();
    let accept = |text: String| {
        registry.make_agent(&spec(&text), 1).unwrap_or_else(|error| panic!("{text}: {error}"));
    };
    for kind in registry.agents() {
        for parameter in &kind.parameters {
            accept(format!("{}({}={})", kind.name, parameter.name, parameter.default));
        }
    }
    for (part, name) in [(Part::Playout, "playout"), (Part::Prior, "prior"), (Part::Evaluation, "evaluation")]
    {
        for kind in registry.parts(part) {
            for parameter in &kind.parameters {
                accept(format!("mcts({name}={}({}={}))", kind.name, parameter.name, parameter.default));
            }
        }
    }
}

/// A description of a script with a parameter.
fn with_scale(name: &'static str) -> Component {
    let range = number(f64::NEG_INFINITY, f64::INFINITY, 1.0);
    let scale = Parameter { name: "scale", range, default: Spec::of("100"), about: "of its values" };
    Component { parameters: vec![scale], ..Component::plain(name) }
}

#[test]
fn parts_can_get_their_names_at_run_time() {
    let registry = Registry::default()
        .named_playout("script", with_scale, |spec, parts| {
            assert_eq!(spec.name, "script");
            // A script may use the values of another policy, here of one that has an effect only through them.
            parts.playout_for_values("script", &Spec::of("quality"))?;
            Ok(Box::new(First(parts.evaluation()?)))
        })
        .and_then(|registry| registry.named_prior("script", |_, ()| Ok(Box::new(prior::Fitted::default()))))
        .and_then(|registry| registry.named_evaluation("script", |_, ()| Ok(Box::new(Fitted))))
        .expect("a name that specs can contain");
    let plays = |registry: &Registry, part: &str| {
        let spec = format!("mcts(playout={part}, prior={part}, evaluation={part})");
        let mut agent = registry.make_agent(&spec.parse().expect("a spec"), 1).expect("known parts");
        self_play(&mut *agent, 6).iter().map(|decision| decision.play).collect::<Vec<_>>()
    };
    let replaced = registry
        .clone()
        .playout::<First>()
        .named_prior("first", |_, ()| Ok(Box::new(prior::Fitted::default())));
    let replaced =
        replaced.and_then(|registry| registry.named_evaluation("first", |_, ()| Ok(Box::new(Fitted))));
    assert_eq!(plays(&registry, "script"), plays(&replaced.expect("a name"), "first"));
    let mut spec = "mcts(playout=script)".parse().expect("a spec");
    let (parameter, value) = registry.parameter(&mut spec, "playout.scale").expect("a parameter");
    assert_eq!((parameter.range.describe().as_str(), value), ("a number", Spec::of("100")));
    for name in ["", "Script", "my script", "a(b)"] {
        let error =
            Registry::default().named_evaluation(name.to_string().leak(), |_, ()| Ok(Box::new(Fitted)));
        let error = error.err().expect(name).to_string();
        assert_eq!(error, format!("'{name}': a name has only lower-case letters, digits and hyphens"));
    }
}
