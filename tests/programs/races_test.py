"""Does lbhm compare tell results from what depends on time and on the order of threads?"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("LBHM_BUILD", ROOT / "build" / "release"))


@pytest.fixture
def compare(program):
    def run(*arguments: str, threads: int = 3) -> subprocess.CompletedProcess:
        words = ["compare", "--policies", "slow-only,lbhm", "--fast", "256K", "--threads", str(threads)]
        environment = {key: value for key, value in os.environ.items() if not key.startswith(("LBHM_", "OMP_"))}
        environment |= {"LBHM_BUILD": str(BUILD), "PYTHONPATH": str(ROOT / "tools")}
        return subprocess.run(
            [sys.executable, "-m", "lbhm", *words, "--", str(program("races")), *arguments],
            env=environment,
            capture_output=True,
            text=True,
            timeout=120,
        )

    return run


@pytest.mark.parametrize("threads", [2, 3])
def test_what_depends_on_threads_that_wait_for_memory_is_no_difference(compare, threads):
    done = compare(threads=threads)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("result", "said"),
    [
        ("row", "found by thread"),
        ("items", "'sum # of 160 items'"),
        ("digits", "'first digits of sum 2.00000"),
        ("value", "value: 262144 rows"),
        ("failed", "3 failed"),
    ],
)
def test_one_wrong_digit_beside_such_is_found(compare, result, said):
    done = compare("lbhm", result)
    assert done.returncode == 1, done.stdout + done.stderr
    assert said in done.stderr
    assert "this is a bug of LB-HM" in done.stderr
