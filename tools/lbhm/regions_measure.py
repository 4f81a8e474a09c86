"""lbhm regions --measure: one program under many placements; each region's time, events and accesses under each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from lbhm import __version__
from lbhm.errors import Refusal
from lbhm.execute import Progress, Setup, execute

SLOW, FAST, SCATTER = "slow-only", "fast-only", "scatter"


@dataclass(frozen=True)
class Placement:
    policy: str
    share: float  # of the pages in fast memory

    @property
    def settings(self) -> dict[str, str]:
        return {"LBHM_FAST_SHARE": repr(self.share)} if self.policy == SCATTER else {}


def placements(count: int) -> list[Placement]:
    """Both ends, and `count` shares between them at equal distances (section 5.1 of the paper has 10)."""
    between = [Placement(SCATTER, round((number + 0.5) / count, 6)) for number in range(count)]
    return [Placement(SLOW, 0.0), *between, Placement(FAST, 1.0)]


def measure_regions(
    setup: Setup, chosen: list[Placement], executions: int, progress: Progress | None = None, lanes: bool = True
) -> dict[str, Any]:
    """Runs the program under each placement. Returns lbhm.region-data/1 (schemas/region-data.schema.json).

    executions: so many of a region by a thread are measured. lanes: False leaves the single lanes' readings out, but
    for those of the first placement.
    Raises Refusal, see execute, and when no region ran.
    """
    placed: list[dict[str, Any]] = []
    regions: dict[str, dict[str, Any]] = {}
    report: dict[str, Any] = {}
    for number, placement in enumerate(chosen):
        name = f"{placement.policy} {placement.share:g}"
        if progress:
            progress.start(name)
        settings = placement.settings | {"LBHM_REGION_EXECUTIONS": str(executions)}
        report = execute(setup, placement.policy, None, show_output=False, settings=settings).report
        placed.append(_placement_json(placement, report))
        for measured in report["code_regions"]:
            _add(regions, measured, number, lanes or number == 0)
        if progress:
            progress.done(name)
    if not regions:
        raise Refusal(
            f"{setup.command[0]}: no marked region was executed; build it with: lbhm regions -- BUILD COMMAND"
        )
    return {
        "schema": "lbhm.region-data/1",
        "lbhm_version": __version__,
        "machine": setup.machine.value,
        "machine_fingerprint": report.get("machine_fingerprint", ""),
        "command": setup.command,
        "threads": setup.threads,
        "seed": setup.seed,
        "executions": executions,
        "memory_state": "in place",
        "placements": placed,
        "regions": list(regions.values()),
    }


def _placement_json(placement: Placement, report: dict[str, Any]) -> dict[str, Any]:
    return {
        "policy": placement.policy,
        "page_share": placement.share,
        "makespan_ns": report["makespan_ns"],
        "footprint_bytes": report["footprint_bytes"],
        "remarks": report["remarks"],
    }


def _add(regions: dict[str, dict[str, Any]], measured: dict[str, Any], number: int, lanes: bool) -> None:
    head = {key: value for key, value in measured.items() if key != "lanes"}
    region = regions.setdefault(measured["id"], {**head, "runs": []})
    region["runs"].append(
        {
            "placement": number,
            **{part: _sum([lane[part] for lane in measured["lanes"]]) for part in ("inclusive", "self")},
            "lanes": measured["lanes"] if lanes else [],
        }
    )


def _sum(readings: list[dict[str, Any]]) -> dict[str, Any]:
    """Of all lanes. fast_share is r_dram_acc of Eq. 2: accesses to tier 0 of all to main memory, null without any."""
    counts = [sum(column) for column in zip(*(reading["accesses"] for reading in readings), strict=False)]
    return {
        "executions": sum(reading["executions"] for reading in readings),
        "time_ns": sum(reading["time_ns"] for reading in readings),
        "work_ns": sum(reading["work_ns"] for reading in readings),
        "events": {name: _total([reading["events"][name] for reading in readings]) for name in readings[0]["events"]},
        "accesses": counts,
        "fast_share": counts[0] / sum(counts) if sum(counts) else None,
    }


def _total(values: list[int | None]) -> int | None:
    return None if None in values else sum(values)
