"""A second implementation of the rules of Halma, in plain Python, for the tests and as the yardstick of the benchmark.

A board maps squares `(x, y)` to "BLACK" or "WHITE".
"""

CAMP = {(x, y) for y, width in enumerate((5, 5, 4, 3, 2)) for x in range(width)}
FAR = {(15 - x, 15 - y) for x, y in CAMP}
CAMPS = {"BLACK": CAMP, "WHITE": FAR}
CORNERS = {"BLACK": (0, 0), "WHITE": (15, 15)}
DIRECTIONS = [(dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if (dx, dy) != (0, 0)]


def read(text):
    """The side to move and the board of `str(position)`."""
    side, *rows = text.split("\n")
    names = {"B": "BLACK", "W": "WHITE"}
    return side, {(x, y): names[c] for y, row in enumerate(rows) for x, c in enumerate(row) if c != "."}


def opponent(side):
    return "WHITE" if side == "BLACK" else "BLACK"


def destinations(board, start):
    """Where the piece on `start` can go, whatever the camp rules say."""
    on_board = lambda x, y: 0 <= x < 16 and 0 <= y < 16
    steps = {(start[0] + dx, start[1] + dy) for dx, dy in DIRECTIONS}
    found = {at for at in steps if on_board(*at) and at not in board}
    reached, left = {start}, [start]
    while left:
        x, y = left.pop()
        for dx, dy in DIRECTIONS:
            over, to = (x + dx, y + dy), (x + 2 * dx, y + 2 * dy)
            if over in board and over != start and on_board(*to) and to not in board and to not in reached:
                reached.add(to)
                left.append(to)
    return found | reached - {start}


def legal_plays(side, board, rules):
    """All legal plays, as a set of pairs of squares."""
    home, goal = CAMPS[side], CAMPS[opponent(side)]
    plays = {
        (start, to)
        for start, owner in board.items()
        if owner == side
        for to in destinations(board, start)
        if start not in goal or to in goal
    }
    if rules == "original":
        return plays
    corner = CORNERS[side]

    def further(start, to):
        (a, b), (c, d) = ([abs(at[axis] - corner[axis]) for axis in (0, 1)] for at in (start, to))
        return c >= a and d >= b and (c, d) != (a, b)

    leaving = {(start, to) for start, to in plays if start in home and to not in home}
    within = {(start, to) for start, to in plays if start in home and to in home and further(start, to)}
    outside = {(start, to) for start, to in plays if start not in home and to not in home}
    at_home = any(owner == side and start in home for start, owner in board.items())
    return (at_home and (leaving or within)) or outside or plays


def winner(side, board):
    """The winner if the opponent of `side` has just moved and filled its goal."""
    mover = opponent(side)
    owners = [board.get(at) for at in CAMPS[side]]
    return mover if None not in owners and mover in owners else None
