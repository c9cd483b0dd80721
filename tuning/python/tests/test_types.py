"""The types of the package."""

import subprocess
import sys
from pathlib import Path

import pytest

import halma


def test_the_package_has_the_types_that_its_stubs_say():
    pytest.importorskip("mypy")
    package = Path(halma.__file__).parent
    check = subprocess.run([sys.executable, "-m", "mypy", "--strict", package], capture_output=True, text=True)
    assert check.returncode == 0, check.stdout
    check = subprocess.run([sys.executable, "-m", "mypy.stubtest", "halma._halma"], capture_output=True, text=True)
    assert check.returncode == 0, check.stdout
