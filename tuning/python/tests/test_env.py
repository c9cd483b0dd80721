"""The PettingZoo environment."""

import subprocess
import sys

import numpy as np
import pytest

pytest.importorskip("pettingzoo")

from pettingzoo.test import api_test, seed_test

import halma
from halma import Agent, Position


def test_the_environment_passes_pettingzoos_tests():
    api_test(halma.env(max_plies=60), num_cycles=100)
    api_test(halma.raw_env(rules="original", max_plies=60), num_cycles=100)
    seed_test(lambda: halma.env(max_plies=40), num_cycles=40)


def test_without_pettingzoo_an_error_says_what_to_install():
    script = """
import sys
sys.modules["pettingzoo"] = sys.modules["gymnasium"] = None
import halma
try:
    halma.env(max_plies=20)
except ModuleNotFoundError as error:
    print(error)
"""
    output = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert output.stdout == "the environment needs PettingZoo: pip install pettingzoo\n", output.stderr


def test_a_game_between_agents_of_the_engine_ends_with_a_reward():
    env = halma.env()
    env.reset()
    agents = {"black_0": Agent("mcts"), "white_0": Agent("greedy")}
    total = dict.fromkeys(agents, 0)
    for name in env.agent_iter():
        observation, reward, terminated, truncated, _ = env.last()
        total[name] += reward
        if terminated or truncated:
            env.step(None)
            continue
        position = env.unwrapped.position
        assert name == position.to_move.lower() + "_0"
        assert np.array_equal(observation["observation"], position.observation())
        action = position.action(agents[name].decide(position, iterations=20).play)
        assert observation["action_mask"][action] == 1
        env.step(action)
    assert sorted(total.values()) == [-1, 1]
    assert total[env.unwrapped.position.outcome.lower() + "_0"] == 1


def test_each_agent_sees_its_own_pieces_first():
    env = halma.raw_env()
    env.reset()
    black, white = env.observe("black_0"), env.observe("white_0")
    assert np.array_equal(black["observation"], white["observation"]), "the start is the same for both sides"
    assert black["action_mask"].sum() == 40 and white["action_mask"].sum() == 0
    env.step(int(np.flatnonzero(black["action_mask"])[0]))
    black, white = env.observe("black_0"), env.observe("white_0")
    assert np.array_equal(white["observation"], env.position.observation())
    assert np.array_equal(black["observation"], env.position.planes())


def test_an_illegal_action_loses():
    env = halma.env()
    env.reset()
    env.step(0)
    assert env.terminations == {"black_0": True, "white_0": True} and env.rewards["black_0"] == -1
    raw = halma.raw_env()
    raw.reset()
    with pytest.raises(ValueError, match="the play 0,0 0,0 is not legal here"):
        raw.step(0)


def test_a_game_can_begin_anywhere_and_is_cut_off():
    start = Position().play(Position().legal_plays()[0])
    env = halma.env(max_plies=1, render_mode="ansi")
    env.reset(options={"position": start})
    assert env.agent_selection == "white_0" and env.render() == str(start)
    env.step(int(start.legal_actions()[0]))
    assert env.truncations == {"black_0": True, "white_0": True} and not any(env.rewards.values())


def test_no_game_begins_where_none_can_be_played():
    env = halma.raw_env()
    swapped = Position.from_planes(Position().planes()[::-1].copy(), "BLACK")
    with pytest.raises(ValueError, match="the game is over: WHITE has won"):
        env.reset(options={"position": swapped})
    with pytest.raises(TypeError, match="expected a Position, not 'BLACK'"):
        env.reset(options={"position": "BLACK"})
    with pytest.raises(ValueError, match="^max_plies=0: expected a whole number from 1 to 4294967295$"):
        halma.env(max_plies=0)
