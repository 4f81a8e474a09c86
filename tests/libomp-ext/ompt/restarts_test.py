"""Do programs that give the OpenMP runtime back and use it again run as without LB-HM, and does LB-HM see all their
regions? libomp ends all tools then, for good."""

import pytest

REGIONS = [(instance, 3) for instance in range(10)]
PAUSES = ["hard", "soft", "device", "fortran", "child"]
MACHINES = [None, "host", "optane"]  # None: whatever the computer has


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("way", PAUSES)
@pytest.mark.parametrize("tool", [(), ("-DNO_TOOL",)], ids=["tool", "alone"])
def test_regions_after_a_pause_are_seen(build, run, way, machine, tool):
    program = build("restarts.c", *tool, emulated=True)
    alone = run(program, way, lbhm=False)
    outcome = run(program, way, machine=machine)
    assert (outcome.status, outcome.stdout, outcome.stderr) == (0, alone.stdout, "")
    assert "sum 49500 refused 0\n" in outcome.stdout
    assert outcome.regions == REGIONS


@pytest.mark.parametrize("machine", MACHINES)
def test_a_tool_that_ends_itself_ends_alone(build, run, machine):
    program = build("restarts.c", emulated=True)
    alone = run(program, "tool", lbhm=False)
    assert alone.stdout == "sum 49500 refused 0\nends 1, in all 3 regions, 3 then\n"
    outcome = run(program, "tool", machine=machine)
    assert (outcome.status, outcome.stdout, outcome.stderr) == (0, alone.stdout, "")
    assert outcome.regions == REGIONS
