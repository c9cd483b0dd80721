"""How fast the package is, beside plain Python and beside `lab`. Run it after `pip install ./tuning/python`:

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


def midgame():
    position, agent = Position(), Agent("greedy")
    for _ in range(40):
        position = position.play(agent.decide(position, iterations=1).play)
    return position


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
    position = midgame()
    side, board = plain_rules.read(str(position))
    ours = seconds(position.legal_plays, 2000)
    plain = seconds(lambda: plain_rules.legal_plays(side, board, "addendum"), 20)
    print(f"legal_plays: {1e6 * ours:.1f} µs, plain Python {1e6 * plain:.0f} µs, {plain / ours:.0f} times as long")

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
    decision = Agent("mcts(evaluation=bench, race=off)").decide(position, iterations=100_000)
    python = 1e6 * (decision.seconds - inside) / calls
    decision = Agent("mcts(evaluation=fitted, race=off)").decide(position, iterations=100_000)
    print(f"evaluator: {python - 1e6 * decision.seconds / calls:.1f} µs a batch beside its own work, {calls} batches")

    start = time.perf_counter()
    Agent().decide(Position(), iterations=500_000)
    alone = time.perf_counter() - start
    threads = [threading.Thread(target=lambda: Agent().decide(Position(), iterations=500_000)) for _ in range(2)]
    start = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    print(f"two searches at the same time: {2 * alone / (time.perf_counter() - start):.2f} times as fast")


if __name__ == "__main__":
    main()
