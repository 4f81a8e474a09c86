"""libomp knows nothing of places in virtual time. Programs may ask about them all the same."""

import os
from pathlib import Path

import pytest

FORMATS = {
    "%n %A.": "0 disabled.",
    "%0.3n %.10{thread_affinity}.": "000   disabled.",
    "%10A.%3A.": "disabled  .disabled.",
    "%%A %{num_threads}": "%A 1",
    "A": "A",
}


@pytest.mark.parametrize("form", FORMATS)
def test_processors_have_a_word_in_their_place(program, run, form):
    outcome = run(program("places"), form)
    assert outcome.status == 0, outcome.stderr
    assert outcome.stdout.splitlines() == [FORMATS[form]] * 4


def test_the_usual_format(program, run):
    outcome = run(program("places"), "")
    assert outcome.status == 0, outcome.stderr
    lines = outcome.stdout.splitlines()
    assert len(set(lines)) == 1
    assert "thread 0" in lines[0]
    assert lines[0].endswith("{disabled}")


def with_variable(program, run, variable: str):
    return run(Path("/usr/bin/env"), variable, str(program("places")), "%n %A")


def test_nothing_is_shown_of_itself(program, run):
    outcome = with_variable(program, run, "OMP_DISPLAY_AFFINITY=true")
    assert outcome.status == 0, outcome.stderr
    assert outcome.stdout == "0 disabled\n" * 4
    assert outcome.stderr == ""


HERE = len(os.sched_getaffinity(0))


@pytest.mark.parametrize(("machine", "processors"), [("optane", 24), ("xeon-max", 10), ("host", HERE)])
def test_processors_are_those_of_the_machine(program, run, machine, processors):
    assert run(program("places"), "processors", machine=machine).stdout == f"{processors} {processors}\n"


def test_places_that_the_user_asks_for_are_known(program, run):
    outcome = with_variable(program, run, "OMP_PROC_BIND=true")
    assert outcome.status == 0, outcome.stderr
    assert "disabled" not in outcome.stdout
    assert len(outcome.stdout.splitlines()) == 4
