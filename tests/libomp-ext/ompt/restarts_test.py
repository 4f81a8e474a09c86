"""Do programs that give the OpenMP runtime back and use it again run on, and does LB-HM see all their regions? libomp
ends all tools then for good, so what it would do alone can be asked for the sums only."""

import pytest

REGIONS = [(instance, 3) for instance in range(10)]
PAUSES = ["hard", "soft", "device", "fortran", "child"]
MACHINES = [None, "host", "optane"]  # None: whatever the computer has


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("way", PAUSES)
@pytest.mark.parametrize("tool", [(), ("-DNO_TOOL",)], ids=["tool", "alone"])
def test_regions_after_a_pause_are_seen(build, run, way, machine, tool):
    program = build("restarts.c", *tool, emulated=True)
    outcome = run(program, way, machine=machine)
    assert (outcome.status, outcome.stderr) == (0, "")
    sums = [line for line in outcome.stdout.splitlines() if line.startswith("sum")]
    assert sums == ["sum 49500 refused 0"] * (2 if way == "child" else 1)
    assert outcome.regions == REGIONS


@pytest.mark.parametrize("machine", MACHINES)
def test_a_tool_that_ends_itself_ends_alone(build, run, machine):
    program = build("restarts.c", emulated=True)
    alone = run(program, "tool", lbhm=False)
    assert alone.stdout == "sum 49500 refused 0\nends 1, in all 3 regions, 3 then\n"
    outcome = run(program, "tool", machine=machine)
    assert (outcome.status, outcome.stdout, outcome.stderr) == (0, alone.stdout, "")
    assert outcome.regions == REGIONS


@pytest.mark.parametrize("way", PAUSES)
def test_pauses_answer_as_without_lbhm(build, run, way):
    program = build("restarts.c", "-DNO_TOOL", emulated=True)
    assert run(program, way).stdout == run(program, way, lbhm=False).stdout
