"""Halma as a PettingZoo environment."""

from __future__ import annotations

from typing import Any, Optional

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv  # type: ignore[import-untyped]
from pettingzoo.utils import wrappers  # type: ignore[import-untyped]

from ._halma import ACTIONS, Position
from ._types import Rules

__all__ = ["HalmaEnv", "wrapped"]

# Named as in other PettingZoo environments.
AGENTS = {"BLACK": "black_0", "WHITE": "white_0"}


def wrapped(env: AECEnv) -> AECEnv:
    """The environment in which an illegal action ends the game with a loss."""
    env = wrappers.TerminateIllegalWrapper(env, illegal_reward=-1)
    env = wrappers.AssertOutOfBoundsWrapper(env)
    return wrappers.OrderEnforcingWrapper(env)


class HalmaEnv(AECEnv):  # type: ignore[misc]
    """Halma for the agents "black_0" and "white_0". One turn, with all its jumps, is one action.

    An observation is a dict of `observation`, the planes of `Position.observation`, and `action_mask`. Both are seen
    from the agent's side, and so are actions. The winner gets 1 and the loser -1; after `max_plies` turns the game is
    cut off. Arguments: see `halma.env`.
    """

    metadata = {"name": "halma_v0", "render_modes": ["ansi", "human"], "is_parallelizable": False, "render_fps": 1}

    def __init__(self, rules: Rules = "addendum", max_plies: int = 400, render_mode: Optional[str] = None) -> None:
        super().__init__()
        if not 1 <= max_plies < 2**32:
            raise ValueError(f"max_plies={max_plies}: expected a whole number from 1 to {2**32 - 1}")
        self.position = Position(rules=rules)
        self.render_mode = render_mode
        self.possible_agents = list(AGENTS.values())
        self._rules, self._max_plies = rules, max_plies
        planes = spaces.Box(0, 1, (2, 16, 16), np.uint8)
        mask = spaces.Box(0, 1, (ACTIONS,), np.int8)
        self.observation_spaces = {
            agent: spaces.Dict({"observation": planes, "action_mask": mask}) for agent in self.possible_agents
        }
        self.action_spaces = {agent: spaces.Discrete(ACTIONS) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self.action_spaces[agent]

    def reset(self, seed: Optional[int] = None, options: Optional[dict[str, Any]] = None) -> None:
        """Begin a game. `options={"position": …}` begins it at a position.

        Halma has no element of chance, so `seed` is ignored.
        """
        position = (options or {}).get("position", Position(rules=self._rules))
        if not isinstance(position, Position):
            raise TypeError(f"options['position']: expected a Position, not {position!r}")
        if position.outcome is not None:
            message = f"options['position']: the game is over: {position.outcome} has won; begin at another position"
            raise ValueError(message)
        self.position = position
        self.agents = list(self.possible_agents)
        self.plies = 0
        self.rewards = dict.fromkeys(self.agents, 0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self._mover()

    def _mover(self) -> str:
        return AGENTS[self.position.to_move]

    def observe(self, agent: str) -> dict[str, Any]:
        # An agent that is not to move sees the board from its own side, and has no legal action.
        if agent == self._mover():
            mask = self.position.action_mask().view(np.int8)
            return {"observation": self.position.observation(), "action_mask": mask}
        turned = np.ascontiguousarray(self.position.observation()[::-1, ::-1, ::-1])
        return {"observation": turned, "action_mask": np.zeros(ACTIONS, np.int8)}

    def step(self, action: Optional[int]) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise ValueError(f"{agent} is to move: expected an action, not None")
        self._cumulative_rewards[agent] = 0
        self.position = self.position.play(self.position.play_of(int(action)))
        self.plies += 1
        winner = self.position.outcome
        if winner is not None:
            self.terminations = dict.fromkeys(self.agents, True)
            self.rewards = {agent: 1 if agent == AGENTS[winner] else -1 for agent in self.agents}
        elif self.plies >= self._max_plies:
            self.truncations = dict.fromkeys(self.agents, True)
        self.agent_selection = self._mover()
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def render(self) -> Optional[str]:
        if self.render_mode == "human":
            print(self.position)
            return None
        return str(self.position)

    def close(self) -> None:
        pass
