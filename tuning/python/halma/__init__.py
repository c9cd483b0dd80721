"""Monte Carlo tree search for 16×16 Halma: positions, searches, matches, and policies of your own.

Squares are `(column, row)`, from `(0, 0)` at the top left, where Black starts, to `(15, 15)`. Sides are "BLACK" and
"WHITE". Values are expected outcomes for the side to move, from -1 (a loss) to 1 (a win). Times are CPU seconds of the
thread that searches.

`ACTIONS` is the number of actions, 65536. Square `(x, y)` has the number `16 y + x`, and the play from square `f` to
square `t` is action `256 f + t`, seen from the side to move: for White, the board is turned by 180°.

`Side` and `Rules` are types for annotations.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Optional

from ._halma import (
    ACTIONS,
    VERSION as __version__,
    Agent,
    Candidate,
    Decision,
    Play,
    Position,
    Random,
    agents,
    register_evaluator,
    register_playout,
)
from ._matches import MatchResult, Run, match, read_run
from ._types import Rules, Side

if TYPE_CHECKING:
    from pettingzoo import AECEnv  # type: ignore[import-untyped]

__all__ = [
    "ACTIONS",
    "Agent",
    "Candidate",
    "Decision",
    "MatchResult",
    "Play",
    "Position",
    "Random",
    "Rules",
    "Run",
    "Side",
    "__version__",
    "agents",
    "env",
    "match",
    "raw_env",
    "read_run",
    "register_evaluator",
    "register_playout",
]


def env(*, rules: Rules = "addendum", max_plies: int = 400, render_mode: Optional[str] = None) -> AECEnv:
    """The PettingZoo environment `halma_v0`. An illegal action ends the game with a loss. Needs PettingZoo.

    rules: "addendum" or "original".
    max_plies: the maximum number of turns of both sides.
    render_mode: "ansi" returns the board as text, "human" prints it.

    An observation is a dict of `observation`, the planes of `Position.observation`, and `action_mask`. The agents are
    "black_0" and "white_0". `env.unwrapped.position` is the `Position`.
    """
    raw = raw_env(rules=rules, max_plies=max_plies, render_mode=render_mode)
    from . import _env

    return _env.wrapped(raw)


def raw_env(*, rules: Rules = "addendum", max_plies: int = 400, render_mode: Optional[str] = None) -> AECEnv:
    """The environment of `env` without wrappers: an illegal action raises ValueError."""
    try:
        from . import _env
    except ModuleNotFoundError as error:
        if error.name not in ("gymnasium", "pettingzoo"):
            raise
        message = "the environment needs PettingZoo: pip install pettingzoo"
        raise ModuleNotFoundError(message, name=error.name) from error

    return _env.HalmaEnv(rules=rules, max_plies=max_plies, render_mode=render_mode)
