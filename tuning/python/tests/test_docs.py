"""The examples of the guide and the notebook run as they stand there."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1]


def run(code, folder):
    file = folder / "example.py"
    file.write_text(code)
    return subprocess.run([sys.executable, file], cwd=folder, capture_output=True, text=True, timeout=600)


def test_the_examples_of_the_guide_run(tmp_path):
    pytest.importorskip("pettingzoo")
    blocks = re.findall(r"```python\n(.*?)```", (PACKAGE / "README.md").read_text(), re.S)
    assert len(blocks) >= 5
    done = run("\n".join(blocks), tmp_path)
    assert done.returncode == 0, done.stderr
    # The policy of the guide beats greedy.
    score, interval = re.search(r"^([\d.]+) \(([^)]*)\)$", done.stdout, re.M).groups()
    assert float(score) > 0.7 and interval.count(",") == 1


def test_the_notebook_runs(tmp_path):
    pytest.importorskip("matplotlib")
    cells = json.loads((PACKAGE / "examples" / "tour.ipynb").read_text())["cells"]
    code = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    assert not any(cell.get("outputs") for cell in cells), "outputs make its changes unreadable"
    done = run("import matplotlib\nmatplotlib.use('Agg')\n" + "\n".join(code), tmp_path)
    assert done.returncode == 0, done.stderr
    assert "decisions" in done.stdout
