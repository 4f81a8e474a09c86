"""Run reports as large as wanted, for tests of pictures."""

from __future__ import annotations

from typing import Any

MIB = 1 << 20


def made_report(objects: int = 4, regions: int = 3, instances: int = 4, lanes: int = 4) -> dict[str, Any]:
    """A run in which the last lane is the last one, and the first half of the objects moves up in the middle."""
    count = regions * instances
    return {
        "schema": "lbhm.report/1",
        "program": "made",
        "machine": "optane",
        "virtual_time": True,
        "policy": "lbhm",
        "correlation": "analytic",
        "fast_capacity_bytes": objects * MIB // 2,
        "footprint_bytes": objects * MIB,
        "makespan_ns": 1000 * count,
        "acv": 0.1,
        "migrated_bytes": objects * MIB // 2,
        "decision_ns": 5000,
        "fast_access_share": 0.5,
        "prediction": None,
        "remarks": ["a <b>remark</b> & more"],
        "tiers": [_tier("dram", objects * MIB // 2, 100), _tier("optane", 1 << 40, 25)],
        "timeline": _timeline(objects, 1000 * count),
        "plans": [_plan(objects)],
        "regions": [
            _region(region, instance, (instance * regions + region) * 1000, lanes)
            for instance in range(instances)
            for region in range(regions)
        ],
    }


def _tier(name: str, capacity: int, bandwidth: float) -> dict[str, Any]:
    return {
        "name": name,
        "capacity_bytes": capacity,
        "latency_ns": 100,
        "read_bandwidth_gb_per_s": bandwidth,
        "write_bandwidth_gb_per_s": bandwidth,
    }


def _timeline(objects: int, end: int, moments: int = 50) -> dict[str, Any]:
    times = [end * (at + 1) / moments for at in range(moments)]
    moved = [0 if at < moments // 2 else objects * MIB // 2 for at in range(moments)]
    up = [0 if at < moments // 2 else MIB for at in range(moments)]
    there, nowhere = [MIB] * moments, [0] * moments
    rows = [
        [up, [MIB - part for part in up]] if number < objects // 2 else [nowhere, there] for number in range(objects)
    ]
    return {
        "times_ns": times,
        "moved_bytes": moved,
        "busy_ns": [[0.2 * time for time in times], [0.9 * time for time in times]],
        "used_bytes": [moved, [objects * MIB - part for part in moved]],
        "objects": [
            {"name": f"field {number}", "site": f"{number:016x}", "objects": 1, "bytes": MIB, "tiers_bytes": row}
            for number, row in enumerate(rows)
        ],
        "lanes": [
            {"lane": lane, "tiers_samples": [[10 * at * (at > lane) for at in range(moments)], [5] * moments]}
            for lane in range(2)
        ],
        "complete": True,
    }


def _plan(objects: int) -> dict[str, Any]:
    return {
        "scope": "made+0x10",
        "kind": "",
        "instance": 1,
        "begin_ns": 1000,
        "moved_bytes": objects * MIB // 2,
        "evicted_bytes": 0,
        "objects": [
            {
                "site": f"{number:016x}",
                "name": f"field {number}",
                "bytes": MIB,
                "kind": "stream",
                "estimated_accesses": 100,
                "counted_accesses": 1000 * (objects - number),
                "counted_by_lane": {},
                "planned_fast_bytes": MIB if number < objects // 2 else 0,
            }
            for number in range(objects)
        ],
    }


def _region(region: int, instance: int, begin: int, lanes: int) -> dict[str, Any]:
    tasks = [
        {
            "lane": lane,
            "time_ns": 400 + 500 * (lane + 1) / lanes,
            "predicted_ns": 800 if instance else None,
            "accesses": 100,
            "fast_accesses": 50,
            "fast_bytes": 0,
        }
        for lane in range(lanes)
    ]
    return {"region": f"made+0x{region:x}", "instance": instance, "begin_ns": begin, "time_ns": 900, "tasks": tasks}


def capacities_of(report: dict[str, Any]) -> dict[str, Any]:
    """The run with two capacities."""
    run = report | {"checksum": "1"}
    whole = {"schema": "lbhm.compare/1", "machine": "optane", "threads": 4, "times": "virtual", "command": ["./made"]}
    whole |= {"footprint_bytes": 1 << 22, "correlation": "analytic", "result": {"left_out": []}, "failed": []}
    whole["reference"] = {"policy": "slow-only", "makespan_ns": 24_000}
    runs = [run | {"policy": "slow-only", "makespan_ns": 24_000}, run]
    comparisons = [whole | {"fast_capacity_bytes": size, "runs": runs} for size in (1 << 20, 1 << 21)]
    return {"schema": "lbhm.capacities/1", "comparisons": comparisons}
