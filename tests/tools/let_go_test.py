"""Does the command know the remark of a run whose virtual times say little?"""

from pathlib import Path
from types import SimpleNamespace

from lbhm.run.run import _LET_GO, _say_how_slow

ROOT = Path(__file__).parents[2]


def test_the_emulator_says_it_in_these_words():
    assert _LET_GO in (ROOT / "emulator" / "machine" / "emulated_machine.cpp").read_text()


def test_times_of_a_thread_that_was_let_go_depend_on_real_time():
    said = []
    for remarks in ([], [f"a thread kept the others waiting {_LET_GO}"]):
        ending = SimpleNamespace(report={"makespan_ns": 1e6, "remarks": remarks}, seconds=10.0)
        _say_how_slow(ending, said.append)
    assert ["do not depend" in line for line in said] == [True, False]
