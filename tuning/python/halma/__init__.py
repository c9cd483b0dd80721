"""Monte Carlo tree search for 16×16 Halma: positions, searches, matches, and policies of your own."""

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

__all__ = [
    "ACTIONS",
    "Agent",
    "Candidate",
    "Decision",
    "Play",
    "Position",
    "Random",
    "register_evaluator",
    "register_playout",
]
