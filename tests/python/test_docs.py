"""Each example of docs/python.md runs, and passes mypy --strict."""
import os
import re
import shutil
import subprocess
import sys

import pytest
from conftest import ROOT, SAMPLES

from lvl._records import numpy

np = numpy()

with open(os.path.join(ROOT, "docs", "python.md"), encoding="utf-8") as page:
    EXAMPLES = re.findall(r"^```python\n(.*?)^```$", page.read(), re.M | re.S)


@pytest.fixture
def folder(tmp_path):
    os.symlink(SAMPLES, tmp_path / "samples")
    (tmp_path / "out").mkdir()
    return tmp_path


@pytest.mark.parametrize("number", range(len(EXAMPLES)))
def test_an_example(number, folder):
    if "numpy" in EXAMPLES[number] and np is None:
        pytest.skip("no NumPy")
    script = folder / "example.py"
    script.write_text(EXAMPLES[number], encoding="utf-8")
    done = subprocess.run([sys.executable, str(script)], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    made = sorted(os.listdir(folder / "out"))
    if "out/treasures.html" in EXAMPLES[number]:
        assert "treasures.html" in made
    if "lighthouse" in EXAMPLES[number]:
        assert made == ["hill.png", "lighthouse.png"]


@pytest.mark.skipif(np is None, reason="types are checked once")
def test_types(folder):
    mypy = shutil.which("mypy", path="/usr/bin:" + os.environ["PATH"])
    if not mypy:
        pytest.skip("no mypy")
    for i, text in enumerate(EXAMPLES):
        (folder / f"example_{i}.py").write_text(text, encoding="utf-8")
    (folder / "mypy.ini").write_text("[mypy]\n[mypy-numpy.*]\nfollow_imports = skip\n")  # its own types take ten seconds
    done = subprocess.run(
        [mypy, "--strict", "--no-error-summary", "--cache-dir", str(folder / "cache"), "--python-executable", sys.executable,
         "-p", "lvl", *[part for i in range(len(EXAMPLES)) for part in ("-m", f"example_{i}")]],
        cwd=folder, capture_output=True, text=True, env={**os.environ, "MYPYPATH": os.path.join(ROOT, "bindings", "python")})
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.skipif(np is None, reason="it runs once, and has arrays")
def test_the_notebook():
    """Its output is that in the file and on the page."""
    done = subprocess.run([os.path.join(ROOT, "scripts", "notebook"), "--check"], capture_output=True, text=True,
                          env={**os.environ, "PYTHONWARNINGS": ""})
    if done.returncode in (77, 126, 127):
        pytest.skip(done.stdout or "no /usr/bin/python3")
    assert done.returncode == 0, done.stdout + done.stderr
