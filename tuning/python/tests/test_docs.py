"""The examples of the guide and the notebook run as they stand there."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

import halma

PACKAGE = Path(__file__).parents[1]


ROOT = PACKAGE.parents[1]


def examples(guide):
    return re.findall(r"```python\n(.*?)```", guide.read_text(), re.S)


def run(code, folder):
    file = folder / "example.py"
    file.write_text(code)
    # The examples read files as if from the root of the repository, and write into the folder.
    (folder / "tests").symlink_to(ROOT / "tests")
    return subprocess.run([sys.executable, file], cwd=folder, capture_output=True, text=True, timeout=600)


def test_the_examples_of_the_guide_run(tmp_path):
    pytest.importorskip("pettingzoo")
    blocks = examples(PACKAGE / "README.md")
    assert len(blocks) >= 5
    done = run("\n".join(blocks), tmp_path)
    assert done.returncode == 0, done.stderr
    # The policy of the guide beats greedy.
    score = re.search(r"^([\d.]+) \([^)]*\) \([^)]*\)$", done.stdout, re.M)[1]
    assert float(score) > 0.7


def test_the_first_lines_of_the_readme_run(tmp_path):
    (block,) = examples(ROOT / "README.md")
    done = run(block, tmp_path)
    assert done.returncode == 0, done.stderr
    # Agent A is the stronger one, as the README says of the same match.
    assert re.search(r"^<Decision .*\n0\.75 \(-\d.*, \d.*\)$", done.stdout, re.M), done.stdout


def columns_of(text, table):
    """The names that begin the rows of a table in a help text or a guide."""
    rows = text.split(table)[1].split("\n\n")
    rows = rows[0] if "|" in rows[0] else rows[1]
    names = [re.split(r"\|(?=[^|]*\|$)" if "|" in row else "  +", row.strip())[0] for row in rows.splitlines()]
    return re.findall(r"\w+", " ".join(names))


def test_the_tables_name_every_column(tmp_path):
    halma.match("greedy", "random", games=2, iterations=1, out=tmp_path, max_plies=30)
    run = halma.read_run(tmp_path)
    for name in ("games", "decisions"):
        expected = sorted(getattr(run, name))
        assert sorted(columns_of(halma.Run.__doc__, f"Columns of `{name}`")) == expected
        assert sorted(columns_of((PACKAGE / "README.md").read_text(), f"| `run.{name}` | |\n|---|---|")) == expected


def test_the_notebook_runs(tmp_path):
    pytest.importorskip("matplotlib")
    cells = json.loads((PACKAGE / "examples" / "tour.ipynb").read_text())["cells"]
    code = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    assert not any(cell.get("outputs") for cell in cells), "outputs would make changes of the notebook unreadable"
    done = run("import matplotlib\nmatplotlib.use('Agg')\n" + "\n".join(code), tmp_path)
    assert done.returncode == 0, done.stderr
    assert "decisions" in done.stdout
