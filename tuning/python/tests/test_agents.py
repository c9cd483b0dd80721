"""Agents and their decisions."""

import subprocess
import sys
import threading
from pathlib import Path

import pytest

import halma
from halma import Agent, Position

SAMPLES = Path(__file__).parents[3] / "tests" / "data" / "halma"


def opening(plies):
    """The position after `plies` plays by a quick agent."""
    position, agent = Position(), Agent("greedy")
    for _ in range(plies):
        position = position.play(agent.decide(position, iterations=1).play)
    return position


def test_a_decision_says_what_the_search_found():
    position = opening(8)
    decision = Agent("mcts(c=0.2)", seed=7).decide(position, iterations=300)
    assert position.is_legal(decision.play) and decision.position == position
    assert decision.iterations == 300 and -1 <= decision.value <= 1 and decision.proof is None
    best = decision.candidates[0]
    assert best.play == decision.play == decision.principal_variation[0]
    assert sum(one.visits for one in decision.candidates) <= 300
    assert all(0 < one.prior < 1 for one in decision.candidates)
    assert all(one.value is None if one.visits == 0 else -1 <= one.value <= 1 for one in decision.candidates)
    assert decision.why.startswith("search: ")
    assert repr(decision).startswith(f"<Decision {decision.play}, value {decision.value:+.3f}, search: ")
    assert repr(best).endswith(f"{best.visits} visits, value {best.value:+.3f}>")
    for play in decision.principal_variation:
        position = position.play(play)


@pytest.mark.parametrize("spec", ["greedy", "random", "mcts"])
def test_a_decision_without_a_search_has_no_value(spec):
    decision = Agent(spec).decide(Position(), iterations=0)
    assert decision.value is None and all(one.value is None for one in decision.candidates)
    assert repr(decision) == f"<Decision {decision.play}, {decision.why}>"


def test_all_agents_are_listed():
    assert halma.agents("greedy").split() == "greedy the play that makes the most progress, without search".split()
    assert "\n  c=0.16 " in halma.agents("mcts") and "\nplayout=mast " in halma.agents()
    with pytest.raises(ValueError, match="unknown name 'mtcs'; known names: mcts"):
        halma.agents("mtcs")


def test_the_same_seed_makes_the_same_decision():
    decide = lambda: Agent("mcts(playout=uniform)", seed=3).decide(opening(4), iterations=200)
    one, two = decide().as_dict(), decide().as_dict()
    for timed in (one, two):
        timed.pop("seconds")
        timed["search"].pop("iterations_per_second")
    assert one == two


def test_the_dict_agrees_with_the_attributes():
    decision = Agent().decide(Position.read(SAMPLES / "3.input.txt"), iterations=100)
    fields = decision.as_dict()
    assert fields["best"] == str(decision.play) and fields["decided_by"] == decision.decided_by == "race"
    assert fields["value"] == pytest.approx(decision.value) and fields["why"] == decision.why
    assert fields["principal_variation"] == [str(play) for play in decision.principal_variation]
    assert "file" not in fields and "seed" not in fields


def test_positions_and_decisions_are_drawn():
    position = opening(6)
    decision = Agent().decide(position, iterations=100)
    board, picture = position._repr_svg_(), decision._repr_svg_()
    assert board.startswith("<svg") and board.count('class="piece ') == 38
    assert 'class="arrow ' not in board and 'class="arrow rank0"' in picture


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda: Agent("mtcs"), "the agent 'mtcs': there is no agent 'mtcs'; did you mean mcts"),
        (lambda: Agent("mcts(c=-1)"), "c=-1: expected a number from 0 to 100"),
        (lambda: Agent(seed=-1), r"seed=-1: expected a whole number from 0 to 2\*\*64 - 1"),
        (lambda: Agent().decide(Position(), iterations=-5), "iterations=-5: expected a whole number from 0 to"),
        (lambda: Agent().decide(Position(), cpu=0), "cpu=0: expected a number of seconds above 0"),
        (lambda: Agent().decide(Position(), cpu=float("nan")), "cpu=NaN: expected a number of seconds above 0"),
    ],
)
def test_errors_say_what_is_wrong(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_there_is_no_decision_once_the_game_is_over():
    planes = Position().planes()[::-1].copy()
    with pytest.raises(ValueError, match="the game is over: WHITE has filled its goal"):
        Agent().decide(Position.from_planes(planes, "BLACK"))


def test_an_agent_is_not_used_after_a_panic():
    def panic(_):
        # PyO3 raises a panic in Rust as this exception, whose class it does not export.
        raise next(kind for kind in BaseException.__subclasses__() if kind.__name__ == "PanicException")("in a search")

    halma.register_evaluator("panicking", panic)
    agent = Agent("mcts(evaluation=panicking)")
    with pytest.raises(BaseException, match="in a search"):
        agent.decide(Position(), iterations=10)
    with pytest.raises(RuntimeError, match="a search of this agent panicked; make a new agent"):
        agent.decide(Position(), iterations=10)


def test_an_interrupt_ends_a_search():
    # The other thread gets to run because a search does not hold the interpreter.
    script = """
import _thread, signal, threading
from halma import Agent, Position
# Shells make background jobs ignore this signal.
signal.signal(signal.SIGINT, signal.default_int_handler)
threading.Timer(0.2, _thread.interrupt_main).start()
try:
    Agent("mcts(memory=16)").decide(Position(), iterations=10**9)
except KeyboardInterrupt:
    print("interrupted")
"""
    output = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=100)
    assert output.stdout == "interrupted\n", output.stderr


def test_agents_decide_in_several_threads():
    found = []
    position = opening(4)
    decide = lambda: found.append(Agent(seed=5).decide(position, iterations=2000).play)
    threads = [threading.Thread(target=decide) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [Agent(seed=5).decide(position, iterations=2000).play] * 3
