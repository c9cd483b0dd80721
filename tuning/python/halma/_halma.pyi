"""The part of the package that is written in Rust.

Squares are `(column, row)`, from `(0, 0)` at the top left, where Black starts, to `(15, 15)`. Sides are "BLACK" and "WHITE".
Values are expected outcomes for the side to move, from -1 (a loss) to 1 (a win). Times are CPU seconds.
"""

from os import PathLike
from typing import Any, Callable, Literal, Optional, Protocol, Sequence, Tuple, TypeVar, Union, final

import numpy as np
import numpy.typing as npt

__all__ = [
    "ACTIONS",
    "Agent",
    "Candidate",
    "Decision",
    "Play",
    "Position",
    "Random",
    "play_match",
    "read_tables",
    "register_evaluator",
    "register_playout",
]

_Side = Literal["BLACK", "WHITE"]
_Rules = Literal["addendum", "original"]
_Square = Tuple[int, int]
_T = TypeVar("_T")

ACTIONS: int
"""The number of actions, 65536. Square `(x, y)` has the number `16 y + x`; from square `f` to `t` is action `256 f + t`."""

@final
class Play:
    """One turn: the piece on `from_square` ends up on `to_square`. Made from text, "2,2 4,4", or from two squares."""

    def __new__(cls, text_or_from: Union[str, _Square], to: Optional[_Square] = None, /) -> Play: ...
    @property
    def from_square(self) -> _Square: ...
    @property
    def to_square(self) -> _Square: ...
    @property
    def is_jump(self) -> bool:
        """Whether it is a chain of jumps rather than a step. `Position.hops` lists its squares."""

    def __hash__(self) -> int: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __lt__(self, other: Play, /) -> bool: ...
    def __le__(self, other: Play, /) -> bool: ...
    def __gt__(self, other: Play, /) -> bool: ...
    def __ge__(self, other: Play, /) -> bool: ...
    def __getnewargs__(self) -> Tuple[str]: ...

@final
class Position:
    """A board, the side to move, and the rules. It never changes: `play` returns the next one.

    Without a text it is the start, Black to move. `str(position)` is the text: the side, then sixteen rows of "B", "W"
    and ".".
    """

    def __new__(cls, text: Optional[str] = None, *, rules: _Rules = ...) -> Position: ...
    @staticmethod
    def read(path: Union[str, PathLike[str]], *, rules: _Rules = ...) -> Position:
        """The position in a file in the format of input.txt."""

    @staticmethod
    def from_planes(planes: npt.NDArray[np.uint8], to_move: _Side, *, rules: _Rules = ...) -> Position:
        """The position with these planes: see `planes`."""

    @property
    def to_move(self) -> _Side: ...
    @property
    def rules(self) -> _Rules: ...
    @property
    def outcome(self) -> Optional[_Side]:
        """The winner, or None while the game goes on. A side that has no legal play loses."""

    @property
    def key(self) -> int:
        """A hash of 64 bits of the board and the side to move, the same in every process."""

    def legal_plays(self) -> list[Play]:
        """All legal plays; none once the game is over."""

    def is_legal(self, play: Union[Play, str]) -> bool: ...
    def play(self, play: Union[Play, str]) -> Position:
        """The position after a legal play."""

    def hops(self, play: Union[Play, str]) -> list[_Square]:
        """The squares that the piece of a legal play touches, with both ends."""

    def distance(self, side: _Side) -> int:
        """Columns plus rows from the pieces of `side` to the corner of its goal, added up."""

    def progress(self, play: Union[Play, str]) -> int:
        """By how much a play reduces the distance of the side to move."""

    def half_turn(self) -> Position:
        """The board turned by 180° with the colours swapped, and the other side to move."""

    def with_rules(self, rules: _Rules) -> Position: ...
    def planes(self) -> npt.NDArray[np.uint8]:
        """The pieces of Black and of White: 0 or 1, of shape (2, 16, 16), indexed by side, row and column."""

    def observation(self) -> npt.NDArray[np.uint8]:
        """The planes of the side to move and of its opponent, seen from the side to move: for White, turned by 180°."""

    def legal_actions(self) -> npt.NDArray[np.uint32]:
        """The actions of the legal plays, in the same order, seen from the side to move."""

    def action_mask(self) -> npt.NDArray[np.uint8]:
        """1 for each legal action, of shape (65536,)."""

    def action(self, play: Union[Play, str]) -> int:
        """The action of a play, seen from the side to move."""

    def play_of(self, action: int) -> Play:
        """The play of an action, seen from the side to move."""

    def _repr_svg_(self) -> str: ...
    def __hash__(self) -> int: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __lt__(self, other: Any, /) -> bool: ...
    def __le__(self, other: Any, /) -> bool: ...
    def __gt__(self, other: Any, /) -> bool: ...
    def __ge__(self, other: Any, /) -> bool: ...
    def __getnewargs_ex__(self) -> Tuple[Tuple[str], dict[str, str]]: ...

@final
class Agent:
    """A player, made from a spec such as "mcts(c=0.2)"; `lab agents` lists names and parameters.

    It may keep its search tree for the next position of the game. Use an agent of its own in each thread: searches do not
    hold the interpreter, so they run at the same time.
    """

    def __new__(cls, spec: str = "mcts", *, seed: int = 1) -> Agent: ...
    @property
    def spec(self) -> str: ...
    @property
    def seed(self) -> int: ...
    def decide(
        self, position: Position, *, iterations: Optional[int] = None, cpu: Optional[float] = None
    ) -> Decision:
        """Choose a play within `iterations`, which makes the result repeatable, or `cpu` seconds; by default one second.

        Ctrl-C ends the search. An exception in a policy or an evaluator ends it too, and is raised as it is.
        """

    def new_game(self) -> None:
        """Forget the game so far."""

@final
class Decision:
    """A play, and the search behind it. Notebooks show the board with arrows for the best plays."""

    @property
    def agent(self) -> str: ...
    @property
    def position(self) -> Position: ...
    @property
    def play(self) -> Play: ...
    @property
    def value(self) -> float: ...
    @property
    def proof(self) -> Optional[int]:
        """1 for a proved win of the side to move, -1 for a proved loss; None if nothing is proved."""

    @property
    def candidates(self) -> list[Candidate]:
        """The plays that were searched, the choice of the search first."""

    @property
    def principal_variation(self) -> list[Play]:
        """Best play by both sides."""

    @property
    def decided_by(self) -> str:
        """What decided the play: "visits", "value", "race", "proof", …"""

    @property
    def why(self) -> str:
        """The same in a sentence."""

    @property
    def iterations(self) -> int: ...
    @property
    def nodes(self) -> int:
        """Nodes visited by alpha-beta or minimax."""

    @property
    def seconds(self) -> float:
        """CPU seconds of the search."""

    def as_dict(self) -> dict[str, Any]:
        """Everything, as `lab analyse --json` prints it."""

    def _repr_svg_(self) -> str: ...

@final
class Candidate:
    """A play that a search considered."""

    @property
    def play(self) -> Play: ...
    @property
    def visits(self) -> int: ...
    @property
    def value(self) -> float: ...
    @property
    def prior(self) -> Optional[float]:
        """The probability, before search, that the play is best; None without a prior."""

    @property
    def proof(self) -> Optional[int]: ...

@final
class Random:
    """Random numbers that follow from the seed of an agent."""

    def __new__(cls, seed: int) -> Random: ...
    def random(self) -> float:
        """A number of at least 0 and less than 1."""

    def bits(self) -> int:
        """64 random bits, such as a seed for NumPy."""

    def below(self, end: int) -> int:
        """A whole number from 0 to `end - 1`."""

    def choice(self, items: Sequence[_T]) -> _T: ...

class _Policy(Protocol):
    def value(self, position: Position, random: Random, /) -> float: ...

def register_playout(name: str, make: Callable[[], _Policy]) -> None:
    """Register a playout policy as `mcts(playout=NAME)`. `make`, such as a class, is called once for each agent.

    The policy has the method `value(position, random)`: the value of a leaf for its side to move, from -1 to 1. All chance
    must come from `random`, so that a seed determines the search. It may have

    `learn(path, value)`: a simulation has ended. `path` has its plays from the root to the leaf, and `value` is the leaf's
    for the side to move at the root.
    `new_search(position)`: a search from this root begins.
    `new_game()`: another game begins.

    Registering a name again replaces the policy for agents made from then on.
    """

def register_evaluator(name: str, evaluate: Callable[[npt.NDArray[np.uint8]], Any]) -> None:
    """Register a network as `mcts(evaluation=NAME, prior=NAME)`, or as either of them.

    `evaluate` gets observations of shape (n, 2, 16, 16), the leaves that a search values together (n is at most
    `leaf_batch`), and returns n values for their sides to move, from -1 to 1; or a tuple of values and logits. Logits have
    the shape (n, 65536), one for each action, or (n, 512): one for each square to leave and one for each square to reach,
    which are added. Only those of legal plays are read. They count in steps of 1/8, down to 63 steps below the best.
    Anything that `numpy.asarray` turns into floats will do.
    """

def play_match(
    a: str,
    b: str,
    *,
    games: int,
    iterations: Optional[Union[int, Tuple[int, int]]],
    cpu: Optional[Union[float, Tuple[float, float]]],
    game_time: Optional[Union[float, Tuple[float, float]]],
    seed: int,
    openings: str,
    max_plies: int,
    rules: _Rules,
    sprt: Optional[Tuple[float, float]],
    jobs: Optional[int],
    out: Optional[Union[str, PathLike[str]]],
    watch: Callable[[int, int, str], None],
    warn: Callable[[str], None],
) -> Tuple[str, str]: ...
def read_tables(folder: Union[str, PathLike[str]]) -> list[dict[str, Any]]: ...
