"""Evaluators written in Python."""

import numpy as np
import pytest

import halma
from halma import ACTIONS, Agent, Position

# Columns plus rows, from the corner of the side to move.
PROGRESS = np.add.outer(np.arange(16), np.arange(16)).astype(np.float32)


class Network:
    """Values a position by the lead, and prefers plays that go far."""

    def __init__(self, factored=False):
        self.factored = factored
        self.batches = []

    def __call__(self, observations):
        assert observations.dtype == np.uint8 and observations.shape[1:] == (2, 16, 16)
        self.batches.append(observations)
        own, opponent = (observations * PROGRESS).sum(axis=(2, 3)).T
        # Both sums are seen from the side to move: the opponent starts with large numbers and wants small ones.
        values = np.tanh((own + opponent - 19 * 30) / 100)
        squares = PROGRESS.reshape(256) / 4
        logits = np.concatenate([-squares, squares])
        if not self.factored:
            logits = np.add.outer(-squares, squares).reshape(ACTIONS)
        return values, np.tile(logits, (len(observations), 1))


def decide(network, spec="mcts(evaluation=net, prior=net)", iterations=200, position=None):
    halma.register_evaluator("net", network)
    return Agent(spec).decide(position or Position(), iterations=iterations)


def test_a_network_is_called_with_whole_batches():
    network = Network()
    decision = decide(network)
    sizes = [len(batch) for batch in network.batches]
    # The root is evaluated alone, for its prior; the last batch may be split.
    assert sizes[0] == 1 and max(sizes) == 8 and sum(sizes) >= decision.iterations
    assert len(sizes) <= 1 + decision.iterations // 8 + 12
    assert Position().progress(decision.play) > 0


def test_both_forms_of_logits_are_the_same():
    found = [decide(Network(factored)).candidates for factored in (False, True)]
    plays = [[(one.play, one.visits, one.prior) for one in candidates] for candidates in found]
    assert plays[0] == plays[1]


def test_priors_follow_the_logits():
    start = Position()
    decision = decide(Network(), iterations=20)
    progress = np.array([start.progress(play) for play in start.legal_plays()])
    expected = np.exp(progress / 4) / np.exp(progress / 4).sum()
    best = decision.candidates[0]
    priors = dict(zip(start.legal_plays(), expected))
    assert best.prior == pytest.approx(priors[best.play], rel=0.05)


def test_both_sides_are_seen_alike():
    position = Position()
    turned = position.half_turn()
    assert turned.to_move == "WHITE" and np.array_equal(position.observation(), turned.observation())
    one, other = (
        {at.action(each.play): each.prior for each in decide(Network(), position=at, iterations=20).candidates}
        for at in (position, turned)
    )
    both = one.keys() & other.keys()
    assert len(both) > 3 and [one[action] for action in both] == [other[action] for action in both]


def test_an_evaluator_may_stand_alone():
    values = lambda observations: np.zeros((len(observations), 1))
    assert decide(values, "mcts(evaluation=net)").value == 0
    assert decide(values, "alphabeta(evaluation=net)").value == 0
    assert decide(Network(), "mcts(prior=net)").iterations == 200
    with pytest.raises(TypeError, match="net returned no logits, which prior=net needs"):
        decide(values)


def wrong(values=None, logits=None):
    def evaluate(observations):
        result = np.zeros(len(observations)) if values is None else values(len(observations))
        return result if logits is None else (result, logits(len(observations)))

    return evaluate


@pytest.mark.parametrize(
    "function, message",
    [
        (wrong(lambda n: np.full(n, np.nan)), "net returned nan: expected a number from -1 to 1"),
        (wrong(lambda n: np.full(n, 1.5)), "net returned 1.5: expected a number from -1 to 1"),
        (wrong(lambda n: np.zeros(n + 1)), r"values of shape \(9,\) for 8 positions: expected \(8,\) or \(8, 1\)"),
        (wrong(lambda n: 0.0), r"net returned values of shape \(\) for 8 positions"),
        (wrong(None, lambda n: np.zeros((n, 3))), r"shape \(8, 3\) for 8 .* \(8, 512\) or \(8, 65536\)"),
        (wrong(None, lambda n: np.full((n, 512), np.nan)), "net returned the logit NaN for the legal play"),
    ],
)
def test_what_it_returns_is_checked(function, message):
    with pytest.raises(ValueError, match=message):
        decide(function, "mcts(evaluation=net)")


@pytest.mark.parametrize("returned", ["no", None, {}, (1, 2, 3), [np.zeros(8), np.zeros((8, 512))], (None, None)])
def test_it_returns_an_array_or_a_tuple(returned):
    with pytest.raises(TypeError) as caught:
        decide(lambda _: returned, "mcts(evaluation=net)")
    kind = "None" if returned is None else f"an object of type {type(returned).__name__}"
    expected = f"net returned {kind}: expected an array of values, or a tuple (values, logits)"
    assert str(caught.value) == expected


@pytest.mark.parametrize(
    "name, message",
    [
        ("progress", "the engine has the prior 'progress' already; choose another name"),
        ("uniform", "the engine has the prior 'uniform' already; choose another name"),
        ("fitted", "the engine has the evaluation 'fitted' already; choose another name"),
    ],
)
def test_it_replaces_no_part_of_the_engine(name, message):
    with pytest.raises(ValueError, match=message):
        halma.register_evaluator(name, Network())


def test_an_error_comes_out_as_it_is():
    def fails(observations):
        raise MemoryError("no room")

    with pytest.raises(MemoryError, match="no room") as caught:
        decide(fails)
    assert caught.traceback[-1].name == "fails"


def far_ahead():
    """A position in which Black is so far ahead that the race player asks for its value."""
    planes = Position().planes()
    planes[0] = np.roll(planes[0], (5, 5), (0, 1))
    return Position.from_planes(planes, "BLACK")


@pytest.mark.parametrize("prior, position", [("net", Position()), ("fitted", far_ahead())])
def test_a_trained_network_is_asked_again(prior, position):
    network = Network()
    halma.register_evaluator("net", network)
    agent = Agent(f"mcts(evaluation=net, prior={prior}, reuse=off)")
    agent.decide(position, iterations=50)
    first = len(network.batches)
    agent.decide(position, iterations=50)
    assert len(network.batches) == 2 * first
