"""Positions, plays, and the arrays that networks read."""

import copy
import pickle
import random
from pathlib import Path

import numpy as np
import pytest

import plain_rules
from halma import ACTIONS, Play, Position, Random

SAMPLES = Path(__file__).parents[3] / "tests" / "data" / "halma"
RULES = ["addendum", "original"]


def random_positions(rules, games, plies, seed=1):
    """The positions of random games."""
    chance = random.Random(seed)
    for _ in range(games):
        position = Position(rules=rules)
        for _ in range(plies):
            yield position
            plays = position.legal_plays()
            forward = [play for play in plays if position.progress(play) > 0]
            position = position.play(chance.choice(forward or plays))
            if position.outcome:
                break


@pytest.mark.parametrize("rules", RULES)
def test_legal_plays_agree_with_plain_rules(rules):
    for position in random_positions(rules, games=4, plies=90):
        side, board = plain_rules.read(str(position))
        plays = position.legal_plays()
        found = {(play.from_square, play.to_square) for play in plays}
        assert len(found) == len(plays)
        assert found == plain_rules.legal_plays(side, board, rules)
        assert position.outcome == plain_rules.winner(side, board)
        assert all(position.is_legal(play) for play in plays)


def test_samples_have_as_many_legal_plays_as_the_course_says():
    files = [SAMPLES / f"{number}.input.txt" for number in range(1, 7)]
    counts = [[len(Position.read(file, rules=rules).legal_plays()) for file in files] for rules in RULES]
    assert counts == [[17, 20, 49, 22, 6, 78], [17, 20, 49, 133, 123, 112]]


def test_the_text_of_a_file_is_a_position():
    file = SAMPLES / "3.input.txt"
    position = Position.read(file)
    assert Position(file.read_text()) == position
    assert (position.to_move, position.opponent) == ("BLACK", "WHITE")
    assert (position.half_turn().to_move, position.half_turn().opponent) == ("WHITE", "BLACK")


def test_positions_are_values():
    start = Position()
    step = start.play("2,2 3,3")
    assert start == Position(str(start)) and hash(start) == hash(Position(str(start)))
    assert step != start and {start: 1}[Position()] == 1
    assert start != start.with_rules("original")
    for position in (start, step, step.with_rules("original")):
        assert pickle.loads(pickle.dumps(position)) == position == copy.deepcopy(position)
        assert eval(repr(position)) == position
    play = start.legal_plays()[0]
    assert pickle.loads(pickle.dumps(play)) == play == Play(str(play)) == eval(repr(play))
    assert Play(play.from_square, play.to_square) == play and len({play, Play(str(play))}) == 1


def test_a_play_takes_its_hops_in_turn():
    position = Position.read(SAMPLES / "3.input.txt")
    hops = position.hops("9,9 13,13")
    assert hops[0] == (9, 9) and hops[-1] == (13, 13) and len(hops) > 2
    assert all(max(abs(a[0] - b[0]), abs(a[1] - b[1])) == 2 for a, b in zip(hops, hops[1:]))


@pytest.mark.parametrize("rules", RULES)
def test_arrays_and_positions_convert_back(rules):
    for position in random_positions(rules, games=2, plies=30):
        planes = position.planes()
        assert planes.dtype == np.uint8 and planes.shape == (2, 16, 16)
        assert planes.sum(axis=(1, 2)).tolist() == [19, 19]
        assert Position.from_planes(planes, position.to_move, rules=rules) == position
        turned = position if position.to_move == "BLACK" else position.half_turn()
        assert np.array_equal(position.observation(), turned.planes())
        plays, actions = position.legal_plays(), position.legal_actions()
        assert [position.play_of(action) for action in actions.tolist()] == plays
        assert [position.action(play) for play in plays] == actions.tolist()
        mask = position.action_mask()
        assert mask.shape == (ACTIONS,) and mask.dtype == np.uint8
        assert np.flatnonzero(mask).tolist() == sorted(actions.tolist())
        # The mover's piece stands where the action starts, and its destination is empty.
        observed = position.observation().reshape(2, 256)
        assert observed[0, actions // 256].all() and not observed[:, actions % 256].any()


def test_a_finished_game_has_an_outcome_and_no_legal_plays():
    # Black needs one more step.
    planes = Position().planes()[::-1].copy()
    planes[1] = 0
    planes[1, 8, 8] = 1
    planes[0, 11, 14], planes[0, 10, 14] = 0, 1
    position = Position.from_planes(planes, "BLACK")
    assert position.outcome is None
    won = position.play("14,10 14,11")
    assert won.outcome == "BLACK" and won.legal_plays() == [] and not won.action_mask().any()
    with pytest.raises(ValueError, match="the game is over"):
        won.play("8,8 8,9")
    with pytest.raises(ValueError, match="the play 8,8 8,9 is not legal here"):
        won.hops("8,8 8,9")


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda: Position("BLACK\n..."), "line 2, column 4: this row of the board has 3 characters"),
        (lambda: Position("GREEN"), "line 1, column 1: expected the side to move, BLACK or WHITE"),
        (lambda: Position(rules="none"), '"none": expected addendum or original'),
        (lambda: Position().play("0,0 9,9"), "the play 0,0 9,9 is not legal here"),
        (lambda: Position().hops("0,0 0,1"), "the play 0,0 0,1 is not legal here"),
        (lambda: Play("0,0"), "expected a play x,y x,y"),
        (lambda: Play((0, 16), (3, 3)), r"\(0, 16\): expected column and row from 0 to 15"),
        (lambda: Play((3, 3), (-1, 300)), r"\(-1, 300\): expected column and row from 0 to 15"),
        (lambda: Position().play_of(ACTIONS), "action=65536: expected a whole number from 0 to 65535"),
        (lambda: Position().play_of(-1), "action=-1: expected a whole number from 0 to 65535"),
        (lambda: Position("GAME\nGREEN\n"), 'line 2, column 1: expected BLACK or WHITE, found "GREEN"'),
        (lambda: Position("input.txt"), r"to read a file, use Position.read\(path\)"),
        (lambda: Random(-1), "seed=-1: expected a whole number from 0"),
        (lambda: Random(1).below(0), "end=0: expected a whole number from 1 to 4294967295"),
        (lambda: Position().distance("RED"), '"RED": expected BLACK or WHITE'),
        (lambda: Position.from_planes(np.ones((2, 16, 16), np.uint8), "BLACK"), "more than 19 pieces"),
        (lambda: Position.from_planes(2 * Position().planes(), "BLACK"), r"\[0, 0, 0\]: expected 0 or 1, not 2"),
        (lambda: Position.from_planes(np.zeros((1, 16, 16), np.uint8), "BLACK"), r"the shape \(2, 16, 16\)"),
    ],
)
def test_errors_say_what_is_wrong(call, message):
    with pytest.raises(ValueError, match=message):
        call()


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda: Play((2, 2)), "expected text such as '2,2 4,4', or two squares such as"),
        (lambda: Position().is_legal((2, 2)), "expected a Play, or its text such as '2,2 4,4'"),
    ],
)
def test_a_wrong_type_is_an_error(call, message):
    with pytest.raises(TypeError, match=message):
        call()


def test_an_error_in_a_file_has_its_place(tmp_path):
    file = tmp_path / "input.txt"
    file.write_text("SINGLE\nGREEN\n")
    with pytest.raises(ValueError, match=r'input.txt:2:1: expected BLACK or WHITE, found "GREEN"'):
        Position.read(file)
    with pytest.raises(FileNotFoundError):
        Position.read(tmp_path / "missing.txt")
