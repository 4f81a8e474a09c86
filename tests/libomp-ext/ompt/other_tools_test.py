"""Does a second OMPT tool see beside LB-HM what it sees alone, and does LB-HM see its regions?"""

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
LIBRARY = Path(os.environ.get("LBHM_BUILD", ROOT / "build" / "release")) / "lib/liblbhm.so"
WORK_REGIONS = [(instance, 3) for instance in range(10) for _ in range(2)]
SHARED = ("-shared", "-fPIC")


@pytest.fixture(scope="module")
def tool(build):
    return build("events_tool.c", *SHARED)


@pytest.fixture
def alone(build, run, tool):
    """What the tool sees without LB-HM."""
    outcome = run(build("work.c"), lbhm=False, OMP_TOOL_LIBRARIES=str(tool))
    assert outcome.status == 0 and "complaints: 0" in outcome.stderr
    return outcome


def way_of(way: str, build, tool) -> tuple[tuple, dict]:
    """The program, and how it is run."""
    if way == "named":
        return build("work.c"), {"OMP_TOOL_LIBRARIES": str(tool)}
    if way == "named second":
        return build("work.c"), {"OMP_TOOL_LIBRARIES": f"/nowhere/tool.so::{LIBRARY}:{tool}"}
    if way == "preloaded behind":
        return build("work.c"), {"preload": (LIBRARY, tool)}
    if way == "preloaded before":
        return build("work.c"), {"preload": (tool, LIBRARY)}
    if way == "a library of the program":
        return build("work.c", "-Wl,--no-as-needed", str(tool), f"-Wl,-rpath,{tool.parent}"), {}
    return build("work.c", "events_tool.c"), {}


WAYS = [
    "named",
    "named second",
    "preloaded behind",
    "preloaded before",
    "a library of the program",
    "in the program",
]


@pytest.mark.parametrize("way", WAYS)
def test_both_see_everything(build, run, tool, alone, way):
    program, how = way_of(way, build, tool)
    outcome = run(program, **how)
    assert outcome.status == 0
    assert outcome.stdout == alone.stdout
    assert outcome.stderr == alone.stderr
    assert outcome.regions == WORK_REGIONS


@pytest.mark.parametrize("binding", ["-Wl,-z,now", "-Wl,-z,lazy"])
def test_the_programs_tool_is_met_however_functions_are_bound(build, run, alone, binding):
    outcome = run(build("work.c", "events_tool.c", binding), LD_BIND_NOW="1" if "now" in binding else "")
    assert outcome.stderr == alone.stderr
    assert outcome.regions == WORK_REGIONS


@pytest.mark.parametrize("way", WAYS)
def test_a_tool_has_libomp_for_itself_where_lbhm_has_nothing_to_do(build, run, tool, alone, way):
    """One memory, no report."""
    program, how = way_of(way, build, tool)
    outcome = run(program, LBHM_REPORT="", **how)
    assert (outcome.status, outcome.stdout, outcome.stderr) == (0, alone.stdout, alone.stderr)
    assert outcome.report is None


def test_both_see_everything_on_an_emulated_machine(build, run, tool):
    """Reductions are then always libomp's tree; without LB-HM, too, if it is told so."""
    tree = {"KMP_DETERMINISTIC_REDUCTION": "true", "OMP_TOOL_LIBRARIES": str(tool)}
    alone = run(build("work.c"), lbhm=False, **tree)
    program = build("work.c", emulated=True)
    outcome = run(program, machine="optane", OMP_TOOL_LIBRARIES=str(tool))
    assert (outcome.status, outcome.stdout, outcome.stderr) == (0, alone.stdout, alone.stderr)
    assert outcome.regions == WORK_REGIONS


def test_a_tool_takes_no_virtual_time(build, run, tool):
    program = build("regions.c", emulated=True)
    # libomp copies the environment into the program's heap: virtual time follows the length of its variables.
    names = [str(tool), str(tool.with_suffix(".no"))]
    times = [run(program, machine="optane", OMP_TOOL_LIBRARIES=name).report["makespan_ns"] for name in names]
    assert times[0] == times[1]


def test_a_tool_that_does_not_want_to_run_is_left_alone(build, run):
    tool = build("unwilling_tool.c", *SHARED)
    outcome = run(build("work.c"), OMP_TOOL_LIBRARIES=str(tool))
    assert (outcome.status, outcome.stderr) == (0, "asked\n")
    assert "tool 0" in outcome.stdout  # LB-HM's own answer
    assert outcome.regions == WORK_REGIONS


def test_forked_children_have_their_tool(build, run, tool):
    alone = run(build("children.c"), lbhm=False, OMP_TOOL_LIBRARIES=str(tool))
    outcome = run(build("children.c"), OMP_TOOL_LIBRARIES=str(tool))
    assert (outcome.status, outcome.stdout, outcome.stderr) == (0, alone.stdout, alone.stderr)


def test_threads_that_end_leave_nothing_behind(build, run):
    tool = build("sampler_tool.c", *SHARED, "-DPACE_NS=0")
    outcome = run(build("short_threads.c"), OMP_TOOL_LIBRARIES=str(tool))
    assert outcome.status == 0, outcome.stderr
    assert int(outcome.stdout) < 200, "KiB by 12,000 threads"


def test_the_log_of_the_search_goes_on(build, run, tool):
    outcome = run(build("work.c"), OMP_TOOL_LIBRARIES=f"/nowhere/tool.so:{tool}", OMP_TOOL_VERBOSE_INIT="stderr")
    assert "LB-HM: tool library /nowhere/tool.so: " in outcome.stderr
    assert f"LB-HM: tool library {tool}: started beside LB-HM" in outcome.stderr


def test_no_tool_runs_where_the_user_wants_none(build, run, tool):
    outcome = run(build("work.c"), OMP_TOOL_LIBRARIES=str(tool), OMP_TOOL="disabled")
    assert (outcome.status, outcome.stderr) == (0, "")
    assert outcome.report is None or outcome.report["regions"] == []


def test_archer_tells_thread_sanitizer_how_openmp_synchronises(build, run):
    program = build("races.c", "-fsanitize=thread")
    options = {"TSAN_OPTIONS": "ignore_noninstrumented_modules=1 exitcode=0", "ARCHER_OPTIONS": "verbose=1"}
    detected = "Archer detected OpenMP application with TSan"
    for arguments in ((), ("with a race",)):
        alone = run(program, *arguments, lbhm=False, **options)
        outcome = run(program, *arguments, **options)
        assert outcome.status == alone.status == 0
        assert detected in alone.stdout and detected in outcome.stdout
        races = [text.count("WARNING: ThreadSanitizer: data race") for text in (alone.stderr, outcome.stderr)]
        assert races == ([0, 0] if not arguments else [1, 1])
        assert len(outcome.regions) == 20 + len(arguments)
