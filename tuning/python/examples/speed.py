"""The speed of the package, to compare with plain Python and with `lab`. Run it after `pip install ./tuning/python`:

    python tuning/python/examples/speed.py
"""

import sys
import threading
import time
from pathlib import Path

import numpy as np

import halma
from halma import Agent, Position

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
import plain_rules  # noqa: E402


def game():
    """The positions of a game of the engine against itself."""
    position, agent = Position(), Agent("mcts(race=off)")
    while position.outcome is None:
        yield position
        position = position.play(agent.decide(position, iterations=50).play)


def seconds(work, times):
    """CPU seconds of one call, the best of five rounds."""
    rounds = []
    for _ in range(5):
        start = time.process_time()
        for _ in range(times):
            work()
        rounds.append((time.process_time() - start) / times)
    return min(rounds)


def main():
    positions = list(game())
    boards = [plain_rules.read(str(position)) for position in positions]
    ours = seconds(lambda: [position.legal_plays() for position in positions], 20) / len(positions)
    plain = seconds(lambda: [plain_rules.legal_plays(*board, "addendum") for board in boards], 1) / len(positions)
    plays = sum(len(position.legal_plays()) for position in positions) / len(positions)
    print(
        f"legal_plays, {plays:.0f} on average over a game: {1e6 * ours:.1f} µs, plain Python {1e6 * plain:.0f} µs, "
        f"{plain / ours:.0f} times as long"
    )

    decision = Agent().decide(Position(), iterations=500_000)
    print(f"search from the start: {decision.iterations / decision.seconds:.0f} iterations/s")

    values = np.zeros(16)
    inside = 0.0

    def evaluate(observations):
        nonlocal inside, calls
        start = time.perf_counter()
        calls += 1
        result = values[: len(observations)]
        inside += time.perf_counter() - start
        return result

    calls = 0
    halma.register_evaluator("bench", evaluate)
    position = positions[len(positions) // 2]
    decision = Agent("mcts(evaluation=bench, race=off)").decide(position, iterations=100_000)
    python = 1e6 * (decision.seconds - inside) / calls
    decision = Agent("mcts(evaluation=fitted, race=off)").decide(position, iterations=100_000)
    print(f"evaluator: {python - 1e6 * decision.seconds / calls:.1f} µs a batch besides its own work, {calls} batches")

    search = lambda: Agent().decide(Position(), iterations=1_000_000)
    threads = [threading.Thread(target=search) for _ in range(2)]
    start = time.perf_counter(), time.process_time()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    cores = (time.process_time() - start[1]) / (time.perf_counter() - start[0])
    print(f"two searches at the same time keep {cores:.2f} cores busy")


if __name__ == "__main__":
    main()
