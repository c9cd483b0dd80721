"""Playout policies written in Python."""

import pytest

import halma
from halma import Agent, Position, Random


class Lead:
    """Values a position by how much nearer its side to move is to its goal."""

    def value(self, position, random):
        lead = position.distance(position.opponent) - position.distance(position.to_move)
        return max(-1.0, min(1.0, lead / 100))


def decide(policy, iterations=100, spec="mcts(playout=test, leaf_batch=4)"):
    halma.register_playout("test", policy)
    return Agent(spec, seed=1).decide(Position(), iterations=iterations)


def test_a_policy_values_leaves():
    seen = []

    class Counted(Lead):
        def value(self, position, random):
            seen.append(position)
            return super().value(position, random)

    decision = decide(Counted)
    assert len(seen) == decision.iterations == 100
    assert {position.to_move for position in seen} == {"BLACK", "WHITE"}
    assert decision.candidates[0].value != 0
    # Forward jumps increase the lead.
    assert Position().progress(decision.play) > 0


def test_random_numbers_follow_from_the_seed():
    class Noise:
        def value(self, position, random):
            assert 0 <= random.below(6) < 6 and 0 <= random.random() < 1 and random.choice("abc") in "abc"
            return 2 * random.random() - 1

    play = lambda seed: [
        (one.play, one.visits)
        for one in Agent("mcts(playout=test)", seed=seed).decide(Position(), iterations=100).candidates
    ]
    halma.register_playout("test", Noise)
    assert play(1) == play(1) != play(2)
    assert Random(4).bits() == Random(4).bits() != Random(5).bits()


def test_a_policy_learns_from_simulations():
    lives = []

    class Learner(Lead):
        def __init__(self):
            self.simulations = []
            lives.append(self)

        def new_search(self, position):
            self.root = position

        def learn(self, path, value):
            position = self.root
            for play in path:
                position = position.play(play)
            mine = self.value(position, None)
            assert value == pytest.approx(mine if position.to_move == self.root.to_move else -mine)
            self.simulations.append(path)

        def new_game(self):
            self.simulations.clear()

    halma.register_playout("test", Learner)
    agent = Agent("mcts(playout=test)")
    agent.decide(Position(), iterations=60)
    assert len(lives) == 1 and len(lives[0].simulations) == 60
    assert max(len(path) for path in lives[0].simulations) > 1
    agent.new_game()
    assert lives[0].simulations == []


def test_a_policy_stands_where_a_spec_names_one():
    halma.register_playout("test", Lead)
    spec = "mcts(playout=mixed-leaf(inner=test))"
    with pytest.raises(ValueError, match="makes no plays"):
        Agent(spec)


def raised(error):
    class Broken:
        def value(self, position, random):
            raise error

    return Broken


def test_an_error_comes_out_as_it_is():
    error = KeyError("the weights")
    with pytest.raises(KeyError) as caught:
        decide(raised(error))
    assert caught.value is error
    assert caught.traceback[-1].name == "value"
    # The next search is not affected.
    assert decide(Lead).iterations == 100


def test_errors_outside_a_search_come_out_as_well():
    class Unfinished(Lead):
        def __init__(self):
            raise KeyError("the weights")

    with pytest.raises(KeyError, match="the weights") as caught:
        decide(Unfinished)
    assert caught.traceback[-1].name == "__init__"

    class Forgetful(Lead):
        def new_game(self):
            raise OSError("no file")

    halma.register_playout("test", Forgetful)
    agent = Agent("mcts(playout=test)")
    agent.decide(Position(), iterations=10)
    with pytest.raises(OSError, match="no file"):
        agent.new_game()


@pytest.mark.parametrize("value", [float("nan"), float("inf"), 1.001, "0.5", None])
def test_a_value_must_be_a_number_in_range(value):
    class Odd:
        def value(self, position, random):
            return value

    with pytest.raises(ValueError) as caught:
        decide(Odd)
    assert str(caught.value) == f"test.value returned {value!r}: expected a number from -1 to 1"


@pytest.mark.parametrize(
    "name, policy, error, message",
    [
        ("Test", Lead, ValueError, "'Test': a name has only lower-case letters, digits and hyphens"),
        ("mast", Lead, ValueError, "the engine has the playout policy 'mast' already; choose another name"),
        ("test", Lead(), TypeError, "'test': expected the class of a policy, or a function"),
    ],
)
def test_names_and_policies_are_checked(name, policy, error, message):
    with pytest.raises(error, match=message):
        halma.register_playout(name, policy)


def test_a_policy_has_no_parameters():
    halma.register_playout("test", Lead)
    with pytest.raises(ValueError, match="test has no parameter 'cap'"):
        Agent("mcts(playout=test(cap=2))")


class Scaled:
    """A policy with parameters, and with arguments that are not parameters."""

    made = []

    def __init__(self, scale=100, offset=0.5, *, both=True, name="lead", words=()):
        Scaled.made.append((scale, offset, both, name))

    def value(self, position, random):
        return 0.0


@pytest.mark.parametrize(
    "settings, made",
    [
        ("", (100, 0.5, True, "lead")),
        ("scale=50", (50, 0.5, True, "lead")),
        ("both=off, offset=-3", (100, -3, False, "lead")),
        ("scale=1e-3, both=on", (100 / 1e5, 0.5, True, "lead")),
    ],
)
def test_arguments_of_the_class_are_parameters(settings, made):
    halma.register_playout("test", Scaled)
    Agent(f"mcts(playout=test({settings}))")
    assert Scaled.made[-1] == made and [type(one) for one in Scaled.made[-1]][2:] == [bool, str]


@pytest.mark.parametrize(
    "setting, message",
    [
        ("scale=x", "scale=x: expected a number"),
        ("offset=nan", "offset=nan: expected a number"),
        ("both=1", "both=1: expected one of on, off"),
        ("name=x", "test has no parameter 'name'; it has scale, offset, both"),
    ],
)
def test_parameters_are_checked(setting, message):
    halma.register_playout("test", Scaled)
    with pytest.raises(ValueError, match=message):
        Agent(f"mcts(playout=test({setting}))")


def test_parameters_are_listed():
    halma.register_playout("test", Scaled)
    listed = halma.agents("test")
    assert "  scale=100  " in listed and "  offset=0.5  " in listed and "  both=on  " in listed and "name" not in listed


def test_a_policy_needs_a_value():
    halma.register_playout("test", object)
    with pytest.raises(AttributeError, match="value"):
        Agent("mcts(playout=test)")
