"""Does what a program says of its allocators decide where their objects are, where the two memories differ?

On xeon-max tier 0, HBM, has the bandwidth, and DRAM the shorter latency and the capacity.
"""

import pytest

HBM, DRAM = 1.0, 0.0
PLACES = {  # in the order of the regions in programs/described.cpp
    "high_bw space": HBM,
    "low_lat space": DRAM,
    "large_cap space": DRAM,
    "high_bw predefined": HBM,
    "low_lat predefined": DRAM,
    "large_cap predefined": DRAM,
    "nothing said": HBM,
    "latency": DRAM,
    "bandwidth": HBM,
    "a hint at HBM and latency": HBM,
    "first of a group, latency": DRAM,
    "second of the group": DRAM,
}


def shares(report: dict) -> list[float]:
    """The part of its accesses that HBM served, by region."""
    tasks = [region["tasks"] for region in report["regions"]]
    return [sum(t["fast_accesses"] for t in of) / sum(t["accesses"] for t in of) for of in tasks]


def test_spaces_hints_and_descriptions_decide(runner):
    outcome = runner.run("described", machine="xeon-max", policy="first-touch", fast_capacity="16M")
    assert (outcome.status, outcome.stderr) == (0, "")
    found = dict(zip(PLACES, shares(outcome.report), strict=True))
    assert found == pytest.approx(PLACES, abs=0.02)


def test_where_one_memory_is_the_best_in_both_they_say_the_same(runner):
    outcome = runner.run("described", machine="optane", policy="first-touch", fast_capacity="16M")
    slow = {"large_cap space", "large_cap predefined"}
    found = dict(zip(PLACES, shares(outcome.report), strict=True))
    assert found == pytest.approx({name: DRAM if name in slow else HBM for name in PLACES}, abs=0.02)


def test_a_policy_that_begins_in_slow_memory_is_not_overruled_by_descriptions(runner):
    outcome = runner.run("described", machine="xeon-max", policy="slow-only", fast_capacity="16M")
    found = dict(zip(PLACES, shares(outcome.report), strict=True))
    assert found["bandwidth"] == pytest.approx(DRAM, abs=0.02)
    assert found["a hint at HBM and latency"] == pytest.approx(HBM, abs=0.02)


def test_a_strategy_keeps_fast_memory_for_what_is_described(runner):
    outcome = runner.run(
        "described",
        machine="xeon-max",
        policy="first-touch",
        fast_capacity="16M",
        allocation_strategy="described",
    )
    found = dict(zip(PLACES, shares(outcome.report), strict=True))
    assert found == pytest.approx(PLACES | {"nothing said": DRAM}, abs=0.02)


def test_a_strategy_may_take_no_notice_and_one_that_is_none_is_named(runner):
    common = {"machine": "xeon-max", "policy": "first-touch", "fast_capacity": "16M"}
    outcome = runner.run("described", **common, allocation_strategy="first-come")
    found = dict(zip(PLACES, shares(outcome.report), strict=True))
    assert found["latency"] == pytest.approx(HBM, abs=0.02)
    assert found["low_lat space"] == pytest.approx(DRAM, abs=0.02), "what is prescribed is obeyed"
    outcome = runner.run("described", **common, allocation_strategy="best")
    assert "LBHM_ALLOCATION_STRATEGY=best" in outcome.stderr


def test_a_program_written_for_h2m_is_placed_by_its_spaces(runner):
    outcome = runner.run("written_for_h2m", machine="xeon-max", policy="first-touch", fast_capacity="16M")
    assert (outcome.status, outcome.stderr) == (0, "")
    assert outcome.stdout.splitlines() == [str((1 << 17) * ((1 << 18) - 1))] * 7
    required, preferred, moved = [HBM, DRAM, DRAM, HBM], [DRAM], [HBM, DRAM]
    assert shares(outcome.report) == pytest.approx(required + preferred + moved, abs=0.02)
    assert outcome.report["migrated_bytes"] == 1 << 21


def test_a_program_written_for_h2m_runs_without_us(runner):
    outcome = runner.run("written_for_h2m", library=None)
    assert (outcome.status, outcome.stdout) == (0, f"{(1 << 17) * ((1 << 18) - 1)}\n" * 7)
