"""Matches and recorded runs."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pandas
import pytest

import halma

QUICK = dict(games=4, iterations=20, max_plies=60, jobs=1, progress=False)


class Lead:
    def value(self, position, random):
        lead = position.distance(position.opponent) - position.distance(position.to_move)
        return max(-1.0, min(1.0, lead / 100))


def games_of(folder):
    """The games in a folder, without the fields that depend on the machine and its load."""
    games = [json.loads(line) for line in (folder / "games.jsonl").read_text().splitlines()]
    for game in games:
        game.pop("seconds"), game.pop("host", None)
    return games


def test_a_match_is_counted_and_stored(tmp_path):
    folder = tmp_path / "run"
    result = halma.match("mcts", "greedy", out=folder, seed=3, **QUICK)
    assert result.games == result.wins + result.draws + result.losses == 4
    assert result.score == (result.wins + result.draws / 2) / 4
    assert "games      4:" in str(result) and repr(result).startswith("<MatchResult of 4 games: +")
    stored = json.loads((folder / "result.json").read_text())
    assert stored == result.summary and stored["elo_interval"]["to"] == result.elo_interval[1]
    assert 0 <= result.score_interval[0] <= result.score <= result.score_interval[1] <= 1
    # The same call plays no game again, and a call with more games adds some.
    before = games_of(folder)
    assert halma.match("mcts", "greedy", out=folder, seed=3, **QUICK).summary["wins"] == result.wins
    longer = halma.match("mcts", "greedy", out=folder, seed=3, **{**QUICK, "games": 6})
    assert longer.games == 6 and games_of(folder)[:4] == before


@pytest.mark.skipif(not os.environ.get("HALMA_LAB"), reason="HALMA_LAB does not name the program lab")
def test_the_same_seed_plays_the_games_of_lab_match(tmp_path):
    ours, theirs = tmp_path / "ours", tmp_path / "theirs"
    halma.match("mcts", "mcts(c=0.3)", out=ours, seed=5, **QUICK)
    arguments = "--games 4 --iterations 20 --max-plies 60 --jobs 1 --seed 5".split()
    command = [os.environ["HALMA_LAB"], "match", "mcts", "mcts(c=0.3)", *arguments, "--out", str(theirs)]
    subprocess.run(command, check=True, capture_output=True)
    assert games_of(ours) == games_of(theirs)


def test_two_threads_play_the_same_games(tmp_path):
    halma.register_playout("lead", Lead)
    runs = []
    for jobs in (1, 2):
        halma.match("mcts(playout=lead)", "greedy", out=tmp_path / str(jobs), **{**QUICK, "jobs": jobs})
        runs.append(sorted(games_of(tmp_path / str(jobs)), key=lambda game: game["game"]))
    assert runs[0] == runs[1]


def test_two_agents_with_one_network_may_search_by_different_rules(tmp_path):
    def network(observations):
        return np.zeros(len(observations)), np.tile(np.sin(np.arange(512)), (len(observations), 1))

    settings = {**QUICK, "rules": "original", "iterations": 50}
    for name in ("net", "other-net"):
        halma.register_evaluator(name, network)
        spec = f"mcts(evaluation={name}, prior={name}, addendum=off)"
        halma.match("mcts(evaluation=net, prior=net)", spec, out=tmp_path / name, **settings)
    assert games_of(tmp_path / "net") == games_of(tmp_path / "other-net")


def test_a_run_is_read_by_columns(tmp_path):
    halma.match("mcts", "greedy", out=tmp_path, **QUICK)
    run = halma.read_run(tmp_path)
    games, decisions = pandas.DataFrame(run.games), pandas.DataFrame(run.decisions)
    records = games_of(tmp_path)
    assert len(games) == 4 and len(decisions) == sum(len(record["plays"]) for record in records)
    assert games["a"].unique().tolist() == ["mcts"] and games["winner"].isin(["A", "B", None]).all()
    assert isinstance(run.games["points_a"], np.ndarray) and run.games["seed"].dtype == np.int64
    joined = decisions.merge(games, on=["match", "game"])
    assert len(joined) == len(decisions)
    first = decisions[decisions.game == 0].sort_values("decision")
    assert first["play"].tolist() == records[0]["plays"]
    assert first["value"].fillna(0).tolist() == pytest.approx(records[0]["values"])
    unsearched = decisions[(decisions.iterations == 0) & (decisions.boards == 0)]
    assert set(unsearched.agent) == {"A", "B"} and unsearched.value.isna().all()
    assert repr(run) == f"<Run of 4 games, {len(decisions)} decisions>"


def test_polars_reads_a_run(tmp_path):
    polars = pytest.importorskip("polars")
    halma.match("greedy", "random", out=tmp_path, **QUICK)
    run = halma.read_run(tmp_path)
    assert polars.DataFrame(run.games).height == 4 and polars.DataFrame(run.decisions).height > 4
    assert np.isnan(run.decisions["value"]).all()


def test_an_error_in_a_policy_ends_the_match_and_keeps_its_games(tmp_path):
    class Failing(Lead):
        calls = 0

        def value(self, position, random):
            Failing.calls += 1
            if Failing.calls > Failing.limit:
                raise ZeroDivisionError("in a policy")
            return super().value(position, random)

    halma.register_playout("failing", Failing)
    Failing.limit = 10**9
    halma.match("mcts(playout=failing)", "greedy", out=tmp_path, **{**QUICK, "games": 2})
    # A game has about 25 decisions of 20 leaves.
    Failing.limit = Failing.calls + 2000
    with pytest.raises(ZeroDivisionError, match="in a policy") as caught:
        halma.match("mcts(playout=failing)", "greedy", out=tmp_path, **{**QUICK, "games": 8})
    assert caught.traceback[-1].name == "value"
    kept = games_of(tmp_path)
    assert 2 < len(kept) < 8
    # The match goes on where it stopped.
    Failing.limit = 10**9
    assert halma.match("mcts(playout=failing)", "greedy", out=tmp_path, **{**QUICK, "games": 8}).games == 8
    assert games_of(tmp_path)[: len(kept)] == kept


def test_an_interrupt_ends_a_match(tmp_path):
    script = f"""
import halma, signal, sys
# Shells make background jobs ignore this signal.
signal.signal(signal.SIGINT, signal.default_int_handler)
print("ready", flush=True)
try:
    halma.match("mcts", "mcts", games=1000, iterations=100_000, out={str(tmp_path / "run")!r}, progress=False)
except KeyboardInterrupt:
    print("interrupted")
"""
    process = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout.readline() == "ready\n"
        while not (tmp_path / "run" / "games.jsonl").exists():
            assert process.poll() is None
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        assert process.communicate(timeout=100)[0] == "interrupted\n"
    finally:
        process.kill()


def test_a_policy_that_changed_does_not_continue_a_run(tmp_path):
    class Behind(Lead):
        def value(self, position, random):
            return -super().value(position, random)

    settings = {**QUICK, "games": 2, "out": tmp_path}
    halma.register_playout("lead", Lead)
    halma.match("mcts(playout=lead)", "greedy", **settings)
    halma.register_playout("lead", Behind)
    with pytest.raises(RuntimeError) as caught:
        halma.match("mcts(playout=lead)", "greedy", **settings)
    expected = (
        f"{tmp_path}: its games were played before 'mcts(playout=lead)' changed; use another folder as out=, or "
        "restore the version that the run began with"
    )
    assert str(caught.value) == expected


def test_progress_is_shown_on_a_terminal(capsys, monkeypatch):
    halma.match("greedy", "random", **{**QUICK, "progress": None})
    assert capsys.readouterr().err == ""
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    halma.match("greedy", "random", **{**QUICK, "progress": None})
    assert "4/4 games" in capsys.readouterr().err


def test_progress_is_shown(capsys):
    halma.match("greedy", "random", **{**QUICK, "progress": True})
    shown = capsys.readouterr().err
    assert "0/4 games" in shown and "\r████████████████████ 4/4 games" in shown and shown.endswith("\n")


@pytest.mark.parametrize("sprt, games", [(None, 100), ((-20.0, 20.0), 20_000)])
def test_without_a_number_of_games_a_match_is_as_long_as_in_lab(sprt, games, capsys):
    result = halma.match("greedy", "random", sprt=sprt, iterations=1, max_plies=900, progress=True)
    assert f"0/{games} games" in capsys.readouterr().err and result.games <= 100


@pytest.mark.parametrize(
    "settings, message",
    [
        (dict(openings="start"), "openings repeat"),
        (dict(iterations=None, cpu=0.001, jobs=1000), "1000 games at a time share .* cores, .*: play .* at a time"),
    ],
)
def test_what_might_mislead_is_a_warning(settings, message):
    with pytest.warns(UserWarning, match=message):
        halma.match("greedy", "random", **{**QUICK, **settings})


@pytest.mark.parametrize(
    "settings, message",
    [
        (dict(a="mtcs"), "the first agent, 'mtcs': there is no agent 'mtcs'"),
        (dict(cpu=1.0), "expected one of iterations, cpu"),
        (dict(iterations=None), "expected one of iterations, cpu"),
        (dict(iterations=0), "^iterations=0: expected a number above 0$"),
        (dict(iterations=-1), "^iterations=-1: expected a whole number above 0, or a pair of them for A and B$"),
        (dict(iterations=None, cpu=(1, -1)), "^cpu=1,-1: expected a number above 0$"),
        (dict(iterations=None, game_time="long"), "^game_time='long': expected a number of seconds above 0, or a pair"),
        (dict(games=0), "^games=0: expected a whole number from 1 to"),
        (dict(seed=-1), "^seed=-1: expected a whole number from 0 to"),
        (dict(jobs=0), "^jobs=0: expected a whole number from 1 to 65535$"),
        (dict(openings="some"), "some"),
        (dict(max_plies=5), "^max_plies=5: openings have up to 10 plies, .*; raise the limit or use shorter openings$"),
        (dict(sprt=(20.0, 0.0)), "^sprt=20 0: expected two differences"),
    ],
)
def test_settings_are_checked(settings, message):
    with pytest.raises(ValueError, match=message):
        halma.match(**{"a": "greedy", "b": "random", **QUICK, **settings})


def test_a_program_is_refused_and_signals_stay_as_they_are():
    caught = lambda: [line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("SigCgt")]
    before = caught()
    with pytest.raises(ValueError, match="^'program\\(true\\)': halma.match can't start programs; use"):
        halma.match("greedy", "program(true)", games=2, cpu=0.1, progress=False)
    assert caught() == before


def test_a_folder_without_a_run_is_an_error(tmp_path):
    with pytest.raises(ValueError, match="run.json"):
        halma.read_run(tmp_path)
