"""The types of the package."""

import subprocess
import sys

import pytest


@pytest.mark.parametrize("check", [["mypy", "--strict", "-p", "halma"], ["mypy.stubtest", "halma._halma"]])
def test_the_package_has_the_types_that_its_stubs_say(check, tmp_path):
    pytest.importorskip("mypy")
    done = subprocess.run([sys.executable, "-m", *check], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
