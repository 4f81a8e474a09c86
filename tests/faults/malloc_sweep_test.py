"""A short form of malloc_sweep: each front with some of its allocations refused."""

import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize(("front", "points"), [("host", 100), ("emulated", 60), ("memtis", 100), ("after", 60)])
def test_an_allocation_of_ours_that_fails_changes_nothing_for_the_program(front, points):
    command = [ROOT / "tests" / "faults" / "malloc_sweep", "--front", front, "--most", str(points)]
    done = subprocess.run(command, capture_output=True, text=True, env=os.environ, timeout=300, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
