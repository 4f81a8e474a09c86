"""Programs end in handlers of signals, wherever the signal finds them: also within LB-HM, malloc or libomp."""

import os
import random
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from outcome import BUILD, Outcome, build, run

EXPECTED = {"exec": Outcome(0, "another program\n", ""), "_exit": Outcome(7, "", "")}
FRONTS = {
    "plain": {},
    "report": {"LBHM_REPORT": "report.json"},
    "emulated": {"LBHM_REPORT": "report.json", "LBHM_MACHINE": "optane", "LBHM_FAST_CAPACITY": "128K"},
}
RUNS = int(os.environ.get("LBHM_ENDS", "12"))  # of each kind; the nightly form has more


@pytest.fixture(scope="module")
def ends(tmp_path_factory):
    folder = tmp_path_factory.mktemp("ends")
    plugin = f"-fpass-plugin={BUILD / 'lib' / 'liblbhm-plugin.so'}"
    return {
        "plain": build("ends.cpp", folder / "plain", "-fopenmp"),
        "emulated": build("ends.cpp", folder / "emulated", "-fopenmp", plugin),
    }


@pytest.mark.parametrize("front", FRONTS)
@pytest.mark.parametrize("end", EXPECTED)
def test_a_handler_ends_the_program_at_any_time(ends, end, front, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    program = ends["emulated" if front == "emulated" else "plain"]
    moments = random.Random(f"{front} {end}")
    for _ in range(RUNS):
        microseconds = str(moments.randrange(500, 60_000))
        assert run(program, end, microseconds, preload=True, **FRONTS[front]) == EXPECTED[end], microseconds
