"""Are all regions seen with every OpenMP runtime that distributions ship?"""

from pathlib import Path

import pytest

SIX = [(0, 3), (0, 3), (0, 1), (0, 3), (0, 3), (0, 3)]


@pytest.fixture(params=["14", "15", "16", "19", "21", "intel"])
def libomp(request, runtime) -> Path:
    return runtime(request.param)


def test_all_regions_are_seen(build, run, libomp):
    alone = run(build("regions.c"), lbhm=False, libomp=libomp)
    outcome = run(build("regions.c"), libomp=libomp)
    assert (outcome.status, outcome.stdout, outcome.stderr) == (0, alone.stdout, "")
    assert outcome.regions == SIX


def test_all_regions_are_seen_in_virtual_time(build, run, libomp):
    outcome = run(build("regions.c", emulated=True), machine="optane", libomp=libomp)
    assert (outcome.status, outcome.stderr) == (0, "")
    assert outcome.regions == SIX


def test_a_second_tool_sees_all_regions(build, run, libomp):
    tool = build("events_tool.c", "-shared", "-fPIC")
    alone = run(build("regions.c"), lbhm=False, libomp=libomp, OMP_TOOL_LIBRARIES=str(tool))
    outcome = run(build("regions.c"), libomp=libomp, OMP_TOOL_LIBRARIES=str(tool))
    assert outcome.stderr == alone.stderr
    assert outcome.regions == SIX


def test_a_runtime_that_nobody_tried_is_named(build, run):
    outcome = run(build("other_runtime.c", "-fno-openmp", "-rdynamic"))
    assert (outcome.status, outcome.stdout) == (0, "a tool\n")
    assert outcome.stderr.startswith("lbhm: ") and outcome.stderr.count("\n") == 1
    assert "Somebody's OMP 1.0" in outcome.stderr and "libomp 14 to 21" in outcome.stderr
