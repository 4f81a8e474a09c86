"""Is the last, partial buffer of a thread executed, however the process ends, and is the report there?"""

import signal

import pytest

PAGE = 4096
PAGES = 1000  # a buffer has room for 2,048 accesses
WAYS = [
    "return",
    "thread",
    "exit",
    "quick_exit",
    "_exit",
    "_Exit",
    "lane-exit",
    "lane-_exit",
    "pthread_exit",
    "execl",
    "execlp",
    "execle",
    "execv",
    "execve",
    "execvp",
    "failed-exec",
    "fork",
    "vfork",
]


@pytest.mark.parametrize("way", WAYS)
def test_what_the_last_buffer_holds_counts(program, run, way):
    nothing, touched = (run(program("ends"), way, str(pages), policy="first-touch") for pages in (0, PAGES))
    for outcome in (nothing, touched):
        assert (outcome.status, outcome.stdout, outcome.stderr) == (0, "", "")
        assert outcome.report, "no report"
        assert len(outcome.report["regions"]) >= 1
    grown = touched.report["footprint_bytes"] - nothing.report["footprint_bytes"]
    assert grown == pytest.approx(PAGES * PAGE, rel=0.01)


@pytest.mark.parametrize("way", ["failed-exec", "fork", "vfork"])
def test_the_program_goes_on_and_so_does_the_report(program, run, way):
    assert len(run(program("ends"), way, "10").report["regions"]) == 2


def test_an_exception_that_nobody_catches_ends_the_program_as_ever(program, run):
    outcome = run(program("ends"), "exception", "10")
    assert outcome.status == -signal.SIGABRT
    assert "nobody catches this" in outcome.stderr


def test_a_handler_may_end_the_program(program, run):
    outcome = run(program("ends"), "handler", "10")
    assert outcome.status == 7
    assert outcome.report


@pytest.mark.parametrize("machine", ["optane", "host"])
def test_a_program_that_only_reads_the_clock_leaves_a_report(program, run, machine):
    outcome = run(program("ends"), "wtime", machine=machine)
    assert outcome.status == 0
    assert outcome.report["regions"] == []
    assert outcome.report["makespan_ns"] > 0


@pytest.mark.parametrize("way", WAYS)
def test_ends_are_the_same_without_a_machine(program, run, way):
    assert run(program("ends"), way, "10", machine=None).status == 0
