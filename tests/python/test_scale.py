"""The example that scans files with a real Dask cluster, one worker of which is killed."""
import os
import subprocess
import sys

import pytest
from conftest import ROOT


@pytest.mark.skipif(bool(os.environ.get("LVL_TEST_NO_NUMPY")), reason="run once")
def test_a_cluster_makes_the_same_table():
    pytest.importorskip("distributed")
    script = os.path.join(ROOT, "bindings", "python", "examples", "dask_scan.py")
    done = subprocess.run([sys.executable, "-W", "ignore", script, "400"], capture_output=True, text=True,
                          env={**os.environ, "PYTHONWARNINGS": ""})
    assert done.returncode == 0, done.stdout + done.stderr
    assert "3 workers at the end" in done.stdout
    assert not os.environ.get("LVL") or "the same as the catalogue of lvl scan: True" in done.stdout, done.stdout
