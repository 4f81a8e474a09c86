"""Are executions of marked regions counted, timed and told apart as the program executes them?"""

from __future__ import annotations

import json
import subprocess

import pytest

LEVELS = ["-O0", "-O1", "-O2", "-O3"]


def by_function(report: dict, lane: int = 0) -> dict[str, dict]:
    """The first region of each function, in one lane."""
    found: dict[str, dict] = {}
    for region in report["code_regions"]:
        for part in region["lanes"]:
            if part["lane"] == lane:
                found.setdefault(region["function"], part)
    return found


def one(regions: dict[str, dict], name: str) -> dict:
    return next(region for function, region in regions.items() if name in function)


@pytest.mark.parametrize("level", LEVELS)
def test_a_marked_program_does_what_it_did_without_us(built, level):
    done = subprocess.run([built("ways_out.cpp", level)], capture_output=True, text=True, check=True)
    assert done.stdout == "20 30 160\n"


@pytest.mark.parametrize("level", LEVELS)
def test_loops_left_by_exceptions_and_longjmp_are_counted_and_not_timed(built, report, level):
    regions = by_function(report(built("ways_out.cpp", level)))
    for name, begun in (("passes_on", 20), ("jumped_through", 30)):
        region = one(regions, name)
        assert (region["executions"], region["abandoned"], region["inclusive"]["executions"]) == (begun, begun, 0), name
    # Who throws or jumps itself leaves by an exit of its own.
    for name, begun in (
        ("thrown_through", 20),
        ("jumps", 30),
        ("catches", 1),
        ("returns_twice", 1),
        ("returns_early", 40),
    ):
        region = one(regions, name)
        assert (region["executions"], region["inclusive"]["executions"]) == (begun, begun), name
    assert one(regions, "catches")["self"]["executions"] == 0, "what was nested in it has no time"


def test_executions_beyond_the_limit_are_counted(built, report):
    few = one(by_function(report(built("ways_out.cpp", "-O2"), region_executions="10")), "innermost")
    all_of_them = one(by_function(report(built("ways_out.cpp", "-O2"), region_executions="1000000")), "innermost")
    assert few["inclusive"]["executions"] == 10
    assert few["executions"] == all_of_them["executions"] == all_of_them["inclusive"]["executions"]
    assert few["inclusive"]["time_ns"] < all_of_them["inclusive"]["time_ns"]


def test_a_region_whose_nested_ones_were_only_counted_has_no_own_time(built, report):
    """And one remark says so; 0 would be a time."""
    found = report(built("random_access.c", "-O2", "-g"), region_executions="2")
    main = by_function(found)["main"]
    assert main["inclusive"]["time_ns"] > 0
    assert main["self"] == {
        "executions": 0,
        "time_ns": None,
        "work_ns": None,
        "events": dict.fromkeys(main["inclusive"]["events"]),
        "accesses": [],
    }
    remarks = [remark for remark in found["remarks"] if "LBHM_REGION_EXECUTIONS" in remark]
    assert [remark.split(";")[0] for remark in remarks] == [
        "code regions whose own time (self) is not known, since regions nested in them ran more than 2 times: 1"
    ]
    all_of_it = report(built("random_access.c", "-O2", "-g"))
    assert not any("LBHM_REGION_EXECUTIONS" in remark for remark in all_of_it["remarks"])


def test_waits_in_parallel_constructs_are_no_work_of_the_code_around(built, report):
    """uneven.c: lane 3 works eight times as long as lane 0, which waits for it."""
    regions = by_function(report(built("uneven.c", "-O2", "-g", "-fopenmp"), threads=4))
    main = regions["main"]
    for part in ("inclusive", "self"):
        assert main[part]["work_ns"] < 0.5 * main[part]["time_ns"], part


def test_self_and_nested_add_up(built, report):
    """random_access: main's loop around, in it gather; nothing else is nested."""
    regions = by_function(report(built("random_access.c", "-O2", "-g")))
    main, gather = regions["main"], regions["gather"]
    assert main["executions"] == 1
    assert gather["executions"] == 6
    for count in ("time_ns", "work_ns"):
        total = main["self"][count] + gather["inclusive"][count]
        assert main["inclusive"][count] == pytest.approx(total, abs=6), "six roundings to nanoseconds"
    for event, value in main["inclusive"]["events"].items():
        nested = main["self"]["events"][event] + gather["inclusive"]["events"][event]
        assert value == pytest.approx(nested, abs=6), event
    assert main["least_ns"] == main["base_ns"] == main["most_ns"] == main["inclusive"]["time_ns"]
    assert gather["least_ns"] <= gather["base_ns"] <= gather["most_ns"]


def test_a_program_without_openmp_is_measured(built, report):
    whole = report(built("random_access.c", "-O2", "-g"))
    gather = by_function(whole)["gather"]["inclusive"]
    assert whole["regions"] == []
    reads = 6 * (1 << 17)
    assert 0.5 * reads < sum(gather["accesses"]) < 1.1 * reads, "8 MiB of values, read at random"
    assert gather["accesses"][0] == 0, "slow-only"
    assert gather["time_ns"] <= whole["makespan_ns"]


def test_kinds_and_lanes_of_parallel_constructs(built, report):
    found = report(built("parallel.c", "-O2", "-g", "-fopenmp"), threads=4)["code_regions"]
    kinds = sorted((region["kind"], len(region["lanes"])) for region in found)
    assert kinds == [("loop", 1), ("loop", 4), ("parallel", 4), ("worksharing", 4), ("worksharing", 4)]
    for region in found:
        for lane in region["lanes"]:
            assert lane["executions"] == (1 if len(region["lanes"]) == 1 else 20)
    body = next(region for region in found if region["kind"] == "parallel")
    loops = [region for region in found if len(region["lanes"]) == 4 and region is not body]
    for number, lane in enumerate(body["lanes"]):
        nested = sum(loop["lanes"][number]["inclusive"]["time_ns"] for loop in loops)
        assert lane["inclusive"]["time_ns"] == pytest.approx(lane["self"]["time_ns"] + nested, abs=10)
        assert lane["inclusive"]["work_ns"] < lane["inclusive"]["time_ns"], "two barriers are in the body"


@pytest.mark.parametrize("policy", ["slow-only", "scatter"])
@pytest.mark.parametrize("source", ["parallel.c", "random_access.c", "ways_out.cpp"])
def test_the_same_numbers_every_time(built, report, source, policy):
    program = built(source, "-O2", "-g", "-fopenmp")
    runs = [report(program, threads=4, policy=policy) for _ in range(4)]
    assert len({json.dumps(run["code_regions"]) for run in runs}) == 1
    assert len({run["makespan_ns"] for run in runs}) == 1
