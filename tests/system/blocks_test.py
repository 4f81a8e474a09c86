"""Are basic blocks counted by lane, the same in every run, and do their times tell memory from computing?"""

import json

import pytest

SETTINGS = {"machine": "optane", "policy": "slow-only"}


def counters_of(report: dict, function: str) -> dict[int, dict]:
    return {
        counter["counter"]: counter
        for module in report["modules"]
        for counter in module["counters"]
        if function in counter["function"]
    }


def executions(report: dict, function: str) -> list[list[int]]:
    """By region instance and lane, of the function's loop."""
    loops = {number for number, counter in counters_of(report, function).items() if counter["depth"] == 1}
    return [
        [sum(count for number, count in task["blocks"] if number in loops) for task in region["tasks"]]
        for region in report["regions"]
    ]


def test_every_lane_has_its_own_counts(runner):
    report = runner.run("two_blocks", threads=4, blocks="on", **SETTINGS).report
    # The loops may be unrolled: their blocks then run less often, but in the same proportions.
    jumps, computed = executions(report, "jump"), executions(report, "compute")
    for instance in range(3):
        expected = [1 + (lane + instance) % 4 for lane in range(4)]
        assert [count / jumps[0][0] for count in jumps[instance]] == pytest.approx(expected, rel=1e-3)
        expected = [1 + (3 * lane + 2 * instance) % 5 for lane in range(4)]
        assert [count / computed[0][0] for count in computed[instance]] == pytest.approx(expected, rel=1e-3)


def test_counts_are_the_same_every_time(runner):
    def seen() -> str:
        report = runner.run("shapes", "dynamic", threads=12, blocks="on", **SETTINGS).report
        return json.dumps([report["modules"], report["regions"]])

    assert len({seen() for _ in range(3)}) == 1


def test_counting_does_not_change_virtual_time(runner):
    with_counts = runner.run("two_blocks", threads=4, blocks="on", **SETTINGS).report
    without = runner.run("two_blocks", threads=4, **SETTINGS).report
    assert with_counts["makespan_ns"] == without["makespan_ns"]
    assert "modules" not in without
    assert "blocks" not in without["regions"][0]["tasks"][0]


@pytest.fixture(scope="module")
def profile(tmp_path_factory, command):
    file = tmp_path_factory.mktemp("profile") / "profile.json"
    command("profile", "--threads", "4", "--output", file, "--", "two_blocks")
    return file


def slowest(profile: dict, function: str) -> dict:
    blocks = [
        counter
        for module in profile["modules"]
        for counter in module["counters"]
        if function in counter["function"] and counter["executions"]
    ]
    return max(blocks, key=lambda block: block["executions"] * block["slow_ns"])


def test_memory_makes_the_difference_where_blocks_wait_for_it(profile):
    found = json.loads(profile.read_text())["blocks"]
    jump, compute = slowest(found, "jump"), slowest(found, "compute")
    assert jump["slow_ns"] > 1.5 * jump["fast_ns"]
    assert compute["slow_ns"] == pytest.approx(compute["fast_ns"], rel=0.1)
    assert found["residual"]["slow"] < 0.1


def test_a_profile_is_taken_or_what_is_wrong_with_it_is_named(runner, profile, tmp_path):
    taken = runner.run("two_blocks", threads=4, profile=str(profile), **SETTINGS)
    assert not any("LBHM_PROFILE" in remark for remark in taken.report["remarks"])

    found = json.loads(profile.read_text())
    found["blocks"]["modules"][0]["id"] = "0" * 16
    stale = tmp_path / "stale.json"
    stale.write_text(json.dumps(found))
    remarks = runner.run("two_blocks", threads=4, profile=str(stale), **SETTINGS).report["remarks"]
    assert any("two_blocks.cpp has changed since it was profiled" in remark for remark in remarks)

    other = runner.run("two_blocks", threads=4, machine="cxl", policy="slow-only", profile=str(profile))
    assert "measured on the machine optane, not on cxl" in other.stderr
