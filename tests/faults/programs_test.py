"""Is every program that once broke us what it is without LB-HM? The short form of tests/faults/run."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))

from harmless import cells
from harmless.fronts import ALONE, FRONTS
from harmless.programs import ENDINGS, PROGRAMS, Program
from harmless.table import cells_of, compare_all

HERE = Path(__file__).resolve().parent
SHORT_FRONTS = ["plain", "linked", "heap", "hints", "emulated"]  # a report is written in the last three
SMALL = Program("exceptions")


def different(results: dict[tuple[str, str, str], str]) -> dict[tuple[str, str, str], str]:
    return {cell: how for cell, how in results.items() if how != "same"}


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.title)
def test_a_program_is_what_it_is_without_lbhm(program):
    assert different(compare_all(cells_of([program], SHORT_FRONTS, ["return"]))) == {}


@pytest.mark.parametrize("ending", ENDINGS)
def test_a_program_ends_as_without_lbhm(ending):
    assert different(compare_all(cells_of([SMALL], ["report", "linked", "two", "emulated"], [ending]))) == {}


def test_a_comparison_in_which_lbhm_does_not_take_part_is_no_success():
    found = cells.run(SMALL, ALONE, "return")
    assert cells.missing_proof(found, SMALL, FRONTS["plain"], "return") == "LB-HM was not in (out)"


def test_a_difference_is_told():
    ends, dies = (cells.run(SMALL, FRONTS["plain"], ending).outcome for ending in ("return", "signal"))
    assert cells.difference(dies, ends) == "SIGTERM, alone status 0"


@pytest.mark.parametrize(
    "words",
    [
        ["fork_storm.py", "--forks", "60", "--fronts", "plain", "report", "linked", "two", "hints"],
        ["soak.py", "--seconds", "10", "--fronts", "plain", "two"],
    ],
)
def test_storm_and_soak(words):
    """The long forms are nightly (bench/run harmless --nightly)."""
    done = subprocess.run([sys.executable, HERE / words[0], *words[1:]], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
