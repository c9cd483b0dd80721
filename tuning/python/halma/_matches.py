"""Matches, and the runs that they leave on disk."""

from __future__ import annotations

import json
import sys
import warnings
from os import PathLike
from typing import TYPE_CHECKING, Any, Optional, Tuple, Union

from . import _halma

if TYPE_CHECKING:
    from ._types import Rules

__all__ = ["MatchResult", "Run", "match", "read_run"]

Amount = Union[float, Tuple[float, float]]
Count = Union[int, Tuple[int, int]]


class MatchResult:
    """The result of a match, for agent A. `print(result)` shows the table of `lab match`."""

    # Set by `match`, because a constructor would appear in the help of the class.
    if TYPE_CHECKING:
        _text: str
        _summary: dict[str, Any]

    @property
    def summary(self) -> dict[str, Any]:
        """All figures, as in `result.json`."""
        return self._summary

    @property
    def games(self) -> int:
        """The number of games, in whole pairs."""
        return int(self._summary["games"])

    @property
    def wins(self) -> int:
        """Games that A won."""
        return int(self._summary["wins"])

    @property
    def draws(self) -> int:
        """Draws."""
        return int(self._summary["draws"])

    @property
    def losses(self) -> int:
        """Games that B won."""
        return int(self._summary["losses"])

    @property
    def score(self) -> float:
        """A's points per game, from 0 to 1."""
        return float(self._summary["score"])

    @property
    def score_interval(self) -> Tuple[float, float]:
        """The 95 % interval of `score`."""
        interval = self._summary["score_interval"]
        return float(interval["from"]), float(interval["to"])

    @property
    def elo(self) -> Optional[float]:
        """A's lead in Elo points; None if one side won all games."""
        elo: Optional[float] = self._summary["elo"]
        return elo

    @property
    def elo_interval(self) -> Tuple[Optional[float], Optional[float]]:
        """The 95 % interval of `elo`. An end is None if the games give no bound there, as after a clean sweep."""
        interval = self._summary["elo_interval"]
        return interval["from"], interval["to"]

    @property
    def los(self) -> float:
        """The probability that A is stronger."""
        return float(self._summary["los"])

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"<MatchResult of {self.games} games: +{self.wins} ={self.draws} -{self.losses}>"


class Run:
    """The games of a run as columns, for `pandas.DataFrame(run.games)` or `polars.DataFrame(run.decisions)`.

    Numbers are NumPy arrays, in which a missing number is NaN. Texts are lists, in which a missing text is None. The
    columns are those of `lab export --format csv`. A run without games has no columns.

    Columns of `games`, with a row for each game:

    match, game           the number of the match in the run, from 1, and of the game in the match, from 0
    name                  the name of the match
    pair                  game // 2: the two games of a pair have the same opening, with sides swapped
    a, b                  the specs of the agents
    limit                 "iterations" or "cpu" of each search, or "game-time"
    limit_a, limit_b      the amounts for A and for B, as text
    seed                  determines the random numbers of the game
    black                 who played Black: "A" or "B"
    winner                "A" or "B"; None for a draw
    points_a              1 if A won, 0.5 for a draw, 0 if B won
    points_black          the same for Black, which moves first
    reason                why the game ended: "goal-filled", "no-legal-play", "ply-limit", "time-forfeit", …
    illegal_play, fault   what the loser did wrong, if anything
    plies                 plays of both sides, including the opening
    overdrafts_a, overdrafts_b  decisions that took longer than the limit
    opening               the plays before the first decision, separated by "; "
    host                  the machine that played the game
    note                  the run's notes

    Columns of `decisions`, with a row for each decision; `match` and `game` join it to its game:

    match, game           as above
    decision              its number in the game, from 0
    ply                   the same number counting the plays of the opening
    agent                 who decided: "A" or "B"
    play                  the play
    seconds               CPU seconds
    value                 the value of the position for the agent that decided, -1 to 1; NaN if nothing was searched
    iterations            iterations of tree search
    nodes                 nodes visited by alpha-beta or minimax
    boards                boards searched by the race solver
    reused                visits reused from earlier searches
    candidates            the best plays, at most four, each with visits and value: "4,2 6,2 180 0.12; 2,0 4,2 90 0.1"

    Alpha-beta's candidates have nodes in place of visits, and all their values but the first are upper bounds.
    """

    if TYPE_CHECKING:
        _games: dict[str, Any]
        _decisions: dict[str, Any]

    @property
    def games(self) -> dict[str, Any]:
        """A column for each property of a game."""
        return self._games

    @property
    def decisions(self) -> dict[str, Any]:
        """A column for each property of a decision."""
        return self._decisions

    def __repr__(self) -> str:
        games, decisions = (len(table.get("game", ())) for table in (self._games, self._decisions))
        return f"<Run of {games} games, {decisions} decisions>"


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


def _is_watched() -> bool:
    """Whether a terminal or a notebook shows standard error."""
    return "ipykernel" in sys.modules or sys.stderr.isatty()


def match(
    a: str,
    b: str,
    *,
    games: Optional[int] = None,
    iterations: Optional[Count] = None,
    cpu: Optional[Amount] = None,
    game_time: Optional[Amount] = None,
    seed: int = 1,
    openings: str = "random:4-10",
    max_plies: int = 400,
    rules: Rules = "addendum",
    sprt: Optional[Tuple[float, float]] = None,
    jobs: Optional[int] = None,
    out: Optional[Union[str, PathLike[str]]] = None,
    progress: Optional[bool] = None,
) -> MatchResult:
    """Play a match between two agents, like `lab match`: the same seed plays the same games.

    Agents are specs, such as `"mcts(playout=lead)"`; programs can't play here, but in `lab match`. Games come in pairs,
    the same opening with sides swapped. Give one of the limits `iterations`, `cpu` and `game_time`; two numbers are A's
    and B's.

    games: the number of games, rounded up to pairs, by default 100; with `sprt`, the maximum, by default 20,000.
    iterations: the iterations of each search. Results are then the same on every machine.
    cpu: CPU seconds for each move, of the thread that searches. Time on a GPU or on other threads is not counted:
        compare networks that use them at equal iterations.
    game_time: CPU seconds for each side's whole game, counted as for `cpu`.
    seed: determines the openings and the random numbers of the agents.
    openings: "start", "random:MIN-MAX", "balanced:MIN-MAX", or a file.
    max_plies: a game that reaches this many plies is a draw.
    rules: "addendum" or "original".
    sprt: stop as soon as the sequential test decides between these two differences in Elo points.
    jobs: the number of games played at the same time; one per core by default. Policies in Python take turns.
    out: a folder for the run, which the same call continues and a call with more games extends. `lab report` makes a
        page of it.
    progress: show a line with the games played and the score; by default on a terminal and in a notebook.

    An exception in a policy ends the match. So does Ctrl-C, once the searches under way have ended. The games that ended
    before stay in `out`.
    """
    bar = _Bar(_is_watched() if progress is None else progress)
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
            warn=lambda warning: warnings.warn(warning, stacklevel=3),
        )
    finally:
        bar.close()
    result = MatchResult()
    result._text, result._summary = text, json.loads(summary)
    return result


def read_run(folder: Union[str, PathLike[str]]) -> Run:
    """Read the games of a run from its folder, even while it is being played."""
    run = Run()
    run._games, run._decisions = _halma.read_tables(folder)
    return run
