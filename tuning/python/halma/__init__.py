"""Monte Carlo tree search for 16×16 Halma: positions, searches, matches, and policies of your own."""

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
    register_evaluator,
    register_playout,
)
from ._matches import MatchResult, Run, match, read_run

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
    "Run",
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
