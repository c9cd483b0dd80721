"""Monte Carlo tree search for 16×16 Halma."""

from ._halma import ACTIONS, Play, Position

__all__ = ["ACTIONS", "Play", "Position"]
