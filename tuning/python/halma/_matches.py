"""Matches, and the runs that they leave on disk."""

from __future__ import annotations

import json
import sys
import warnings
from os import PathLike
from typing import TYPE_CHECKING, Any, Optional, Tuple, Union

from . import _halma

if TYPE_CHECKING:
    from ._halma import _Rules

__all__ = ["MatchResult", "Run", "match", "read_run"]

Amount = Union[float, Tuple[float, float]]
Count = Union[int, Tuple[int, int]]


class MatchResult:
    """The result of a match, for agent A. `print(result)` shows the table of `lab match`."""

    def __init__(self, text: str, summary: dict[str, Any]) -> None:
        self._text = text
        #: All figures, as in `result.json`.
        self.summary = summary
        self.games: int = summary["games"]
        self.wins: int = summary["wins"]
        self.draws: int = summary["draws"]
        self.losses: int = summary["losses"]
        #: Points per game, 0 to 1.
        self.score: float = summary["score"]
        #: The lead in Elo points; None after a clean sweep.
        self.elo: Optional[float] = summary["elo"]
        #: The 95 % interval of `elo`; an end without a limit is None.
        self.elo_interval: Tuple[Optional[float], Optional[float]] = (
            summary["elo_interval"]["from"],
            summary["elo_interval"]["to"],
        )
        #: The probability that A is stronger.
        self.los: float = summary["los"]

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"<MatchResult of {self.games} games: +{self.wins} ={self.draws} -{self.losses}>"


class Run:
    """The games of a run as columns, for `pandas.DataFrame` or `polars.DataFrame`.

    `games` has a row for each game and `decisions` one for each decision; `match` and `game` join them. Numbers are
    NumPy arrays, texts are lists. The columns are those of `lab export --format csv`. A run without games has no
    columns.
    """

    def __init__(self, games: dict[str, Any], decisions: dict[str, Any]) -> None:
        self.games = games
        self.decisions = decisions


class _Bar:
    """A line on standard error, which notebooks show too."""

    def __init__(self, shown: bool) -> None:
        self._shown = shown

    def __call__(self, ended: int, planned: int, score: str) -> None:
        if self._shown:
            done = 20 * ended // max(planned, 1)
            sys.stderr.write(f"\r{'█' * done}{'░' * (20 - done)} {ended}/{planned} games, {score} ")
            sys.stderr.flush()

    def close(self) -> None:
        if self._shown:
            sys.stderr.write("\n")


def match(
    a: str,
    b: str,
    *,
    games: int = 100,
    iterations: Optional[Count] = None,
    cpu: Optional[Amount] = None,
    game_time: Optional[Amount] = None,
    seed: int = 1,
    openings: str = "random:4-10",
    max_plies: int = 400,
    rules: _Rules = "addendum",
    sprt: Optional[Tuple[float, float]] = None,
    jobs: Optional[int] = None,
    out: Optional[Union[str, PathLike[str]]] = None,
    progress: bool = True,
) -> MatchResult:
    """Play a match between two agents, like `lab match`: the same seed plays the same games.

    Agents are specs, such as `"mcts(playout=lead)"`, or programs, `"program(COMMAND)"`. Games come in pairs, the same
    opening with sides swapped. Give one limit; two numbers are A's and B's.

    games: the number of games, rounded up to pairs; the maximum with `sprt`.
    iterations: of each search. Results repeat on every machine.
    cpu: CPU seconds for each move.
    game_time: CPU seconds for each side's whole game.
    openings: "start", "random:MIN-MAX", "balanced:MIN-MAX", or a file.
    max_plies: a game that reaches this many plies is a draw.
    sprt: stop as soon as the sequential test decides between these two differences in Elo points.
    jobs: games at the same time; one per core by default. Policies in Python take turns.
    out: a folder for the run, which the same call continues and a longer one extends. `lab report` makes a page of it.

    An exception in a policy ends the match; the games that ended before stay in `out`.
    """
    bar = _Bar(progress)
    try:
        text, summary = _halma.play_match(
            a,
            b,
            games=games,
            iterations=iterations,
            cpu=cpu,
            game_time=game_time,
            seed=seed,
            openings=openings,
            max_plies=max_plies,
            rules=rules,
            sprt=sprt,
            jobs=jobs,
            out=out,
            watch=bar,
            warn=lambda caution: warnings.warn(caution, stacklevel=3),
        )
    finally:
        bar.close()
    return MatchResult(text, json.loads(summary))


def read_run(folder: Union[str, PathLike[str]]) -> Run:
    """Read the games of a run from its folder, also while it is being played."""
    return Run(*_halma.read_tables(folder))
