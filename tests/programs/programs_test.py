"""Do programs of many shapes pass their own verification under emulation, and print what they print without it?"""

import pytest

PROGRAMS = ["formulas", "records", "filters", "jobs", "workers", "features"]


@pytest.mark.parametrize("policy", ["first-touch", "merchandiser"])
@pytest.mark.parametrize("name", PROGRAMS)
def test_own_verification_and_output(program, run, name, policy):
    plain = run(program(name, "native"), machine=None)
    assert plain.status == 0, plain.stderr
    emulated = run(program(name), policy=policy, fast_capacity="1M")
    assert emulated.status == 0, emulated.stderr
    assert emulated.stdout == plain.stdout
    assert emulated.stdout.endswith("verified\n")
    assert emulated.stderr == plain.stderr
    assert emulated.report["makespan_ns"] > 0


@pytest.mark.parametrize("name", PROGRAMS)
def test_instrumented_program_runs_without_lbhm(program, run, name):
    plain = run(program(name, "native"), machine=None)
    alone = run(program(name), machine=None)
    assert (alone.status, alone.stdout, alone.stderr) == (plain.status, plain.stdout, plain.stderr)


def test_a_wrong_result_would_be_seen(program, run):
    """The programs' verification is not empty: a feature that does not exist is a failure."""
    assert run(program("features"), "no such feature", machine=None).status == 1


def test_threads_that_change_teams_are_told_apart(program, run, monkeypatch):
    """libomp gives the threads and the data of a nested region to others before it tells of the region's end. Taken for
    one of theirs, the end made lanes wait for each other until they were let go, which is a remark."""
    monkeypatch.setenv("KMP_BLOCKTIME", "0")  # it happens more often
    reports = [run(program("features"), policy="first-touch").report for _ in range(6)]
    assert not any(report["remarks"] for report in reports)
