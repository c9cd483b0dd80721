"""Monte Carlo tree search for 16×16 Halma: positions, searches, matches, and policies of your own.

Squares are `(column, row)`, from `(0, 0)` at the top left, where Black starts, to `(15, 15)`. Sides are "BLACK" and
"WHITE". Values are expected outcomes for the side to move, from -1 (a loss) to 1 (a win). Times are CPU seconds.

`ACTIONS` is the number of actions, 65536. Square `(x, y)` has the number `16 y + x`, and the play from square `f` to
square `t` is action `256 f + t`, seen from the side to move: for White, the board is turned by 180°.

`Side` and `Rules` are types for annotations.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ._halma import (
    ACTIONS,
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
    "agents",
    "env",
    "match",
    "raw_env",
    "read_run",
    "register_evaluator",
    "register_playout",
]


def env(**settings: Any) -> AECEnv:
    """The PettingZoo environment `halma_v0`, with the settings of `halma._env.HalmaEnv`. Needs `halma[pettingzoo]`."""
    from . import _env

    return _env.env(**settings)


def raw_env(**settings: Any) -> AECEnv:
    """The environment without wrappers: an illegal action raises ValueError."""
    from . import _env

    return _env.raw_env(**settings)
