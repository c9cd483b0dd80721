"""The types of the package."""

import subprocess
import sys

import pytest

POLICY = """
import halma


class Lead:
    def value(self, position: halma.Position, random: halma.Random) -> float:
        return position.distance(position.opponent) - position.distance(position.to_move)


def rules(name: halma.Rules, side: halma.Side) -> halma.MatchResult:
    print(halma.Position(rules=name).distance(side), halma.__version__)
    return halma.match("mcts", "greedy", rules=name)


halma.register_playout("lead", Lead)
"""


@pytest.mark.parametrize(
    "check", [["mypy", "--strict", "-p", "halma"], ["mypy", "--strict", "policy.py"], ["mypy.stubtest", "halma._halma"]]
)
def test_the_package_has_the_types_that_its_stubs_say(check, tmp_path):
    pytest.importorskip("mypy")
    (tmp_path / "policy.py").write_text(POLICY)
    done = subprocess.run([sys.executable, "-m", *check], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
