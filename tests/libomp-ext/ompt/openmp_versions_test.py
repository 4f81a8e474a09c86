"""Are all regions seen with every OpenMP runtime that distributions ship?"""

import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
KEPT = ROOT / "build" / "openmp-runtimes"
SIX = [(0, 3), (0, 3), (0, 1), (0, 3), (0, 3), (0, 3)]


@pytest.fixture(params=["14", "15", "16", "19"])
def libomp(request) -> Path:
    """The folder of this version. Debian's packages exclude each other, so others than 19 are only unpacked."""
    if request.param == "19":
        return Path("/usr/lib/llvm-19/lib")
    folder = KEPT / request.param
    library = folder / f"usr/lib/llvm-{request.param}/lib"
    if not (library / "libomp.so.5").exists():
        done = subprocess.run(
            [ROOT / "scripts/get-libomp", request.param, folder], capture_output=True, text=True, check=False
        )
        if done.returncode != 0:
            pytest.skip(done.stderr.strip() or f"libomp {request.param} cannot be had")
    return library


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
    assert "Somebody's OMP 1.0" in outcome.stderr and "libomp 14 to 19" in outcome.stderr
