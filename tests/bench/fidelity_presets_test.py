"""What is expected of a machine file's microbenchmarks, and how a tier gets all the memory."""

import json
from pathlib import Path

import pytest
from harness.errors import BenchError
from harness.fidelity import machine_file
from harness.fidelity.presets import Check, expected, measured, paper_checks, placements


def number(value):
    return {"value": value, "source": "test"}


def tier(name, read=20, write=10):
    return {
        "name": name,
        "latency_sequential_ns": number(80),
        "latency_random_ns": number(90),
        "read_bandwidth_gb_per_s": number(read),
        "write_bandwidth_gb_per_s": number(write),
    }


def machine(*names, sharing="slice"):
    level = {"bytes": number(1024), "ways": number(8)}
    return {
        "core": {"hardware_threads": number(4)},
        "caches": {"l1": dict(level), "l2": dict(level), "llc": {"sharing": sharing, **level}},
        "prefetcher": {"distance": number(8)},
        "tlb": {"walk_cycles": number(30)},
        "tiers": [tier(name) for name in names],
    }


def test_latencies_and_bandwidths_are_those_of_the_file():
    assert expected(tier("a"), "latency-sequential") == 80
    assert expected(tier("a"), "latency-random") == 90
    assert expected(tier("a"), "read") == 20
    assert expected(tier("a"), "write") == 10


def test_mixed_streams_take_the_time_of_their_parts():
    # Two lines at 20 GB/s and one at 10 take 3.2 + 3.2 + 6.4 ns: 192 bytes in 12.8 ns.
    assert expected(tier("a"), "triad") == pytest.approx(15)
    assert expected(tier("a"), "copy") == pytest.approx(128 / 9.6)


def test_measured_values_have_the_unit_of_the_file():
    assert measured({"what": "latency-random", "accesses": 1000, "seconds": 1e-4}) == pytest.approx(100)  # ns
    assert measured({"what": "read", "accesses": 1e6, "seconds": 6.4e-3}) == pytest.approx(10)  # GB/s


def test_every_tier_gets_all_memory_once(tmp_path):
    found = list(placements("three", machine("hbm", "dram", "cxl"), tmp_path))
    assert [entry[0]["name"] for entry in found] == ["hbm", "dram", "cxl"]
    assert [entry[2] for entry in found] == ["fast-only", "fast-only", "slow-only"]
    assert [entry[1] for entry in found][::2] == ["three", "three"]
    middle = json.loads(Path(found[1][1]).read_text())
    assert [entry["name"] for entry in middle["tiers"]] == ["dram", "hbm", "cxl"]


def test_a_machine_of_one_tier_is_checked_once(tmp_path):
    assert [entry[1:] for entry in placements("one", machine("dram"), tmp_path)] == [("one", "fast-only")]


def test_paper_ratios_are_the_larger_over_the_smaller():
    checks = [
        Check("optane", "dram", "read", 40.0, 104), Check("optane", "optane", "read", 10.0, 26.87),
        Check("optane", "dram", "write", 30.0, 84.73), Check("optane", "optane", "write", 10.0, 17.88),
        Check("optane", "dram", "latency-random", 100.0, 81), Check("optane", "optane", "latency-random", 300.0, 305),
        Check("optane", "dram", "latency-sequential", 100.0, 81),
        Check("optane", "optane", "latency-sequential", 200.0, 169),
    ]  # fmt: skip
    assert {check.what: check.measured for check in paper_checks(checks)} == {
        "latency-sequential": 2, "latency-random": 3, "read": 4, "write": 3,
    }  # fmt: skip


@pytest.mark.parametrize(("sharing", "total"), [("slice", 4 * 3072), ("shared", 4 * 2048 + 1024)])
def test_bytes_of_all_caches(sharing, total):
    assert machine_file.cache_bytes(machine("dram", sharing=sharing)) == total


def test_geometry_of_cachegrind():
    original = machine("dram", sharing="shared")
    changed = machine_file.with_geometry(original, (32768, 8), (65536, 16))
    caches = changed["caches"]
    assert [machine_file.value(caches[level]["bytes"]) for level in ("l1", "l2", "llc")] == [32768, 64, 65536]
    assert machine_file.value(caches["l2"]["ways"]) == 1
    assert caches["llc"]["sharing"] == "slice"
    assert machine_file.value(changed["prefetcher"]["distance"]) == 0
    assert machine_file.value(changed["tlb"]["walk_cycles"]) == 0
    assert machine_file.value(original["prefetcher"]["distance"]) == 8


def test_a_file_that_is_no_machine_is_named(tmp_path):
    with pytest.raises(BenchError, match=r"mine\.json"):
        machine_file.load(tmp_path / "mine.json")


def test_every_preset_is_found():
    assert "optane" in machine_file.presets()
