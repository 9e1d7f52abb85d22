"""Samples, real files, and the command, for the tests of the Python package."""
import os
import subprocess
import sys

import pytest

if os.environ.get("LVL_TEST_NO_NUMPY"):
    sys.modules["numpy"] = None  # type: ignore[assignment]

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
SAMPLES = os.path.join(ROOT, "samples")
CORPUS = os.environ.get("LVL_CORPUS") or os.path.join(ROOT, "..", "shared", "corpus")


def sample_files():
    import lvl

    endings = tuple("." + ending for f in lvl.formats() for ending in f["extensions"])
    found = []
    for folder, _, names in os.walk(SAMPLES):
        found += [os.path.join(folder, name) for name in names if name.lower().endswith(endings)]
    return sorted(os.path.relpath(path, SAMPLES) for path in found if "damaged" not in path and "/src/" not in path)


@pytest.fixture
def samples():
    return SAMPLES


@pytest.fixture
def command():
    """Runs the command; returns what it prints."""
    program = os.environ.get("LVL")
    if not program:
        pytest.skip("no command (LVL)")

    def run(*arguments, code=0):
        done = subprocess.run([program, *map(str, arguments)], capture_output=True, cwd=ROOT)
        assert done.returncode == code, done.stderr.decode()
        return done.stdout

    return run
