"""lbhm regions --measure: one program under many placements; each region's time, events and accesses under each."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from lbhm import __version__
from lbhm.base.errors import Refusal
from lbhm.execute.execute import Progress, Setup, execute

SLOW, FAST, SCATTER = "slow-only", "fast-only", "scatter"
# How far the share of pages in fast memory may be from the one asked for: so much, and chance (standard deviations),
# of which a report looks at so many pages (runtime/record/timeline.h).
FAR, DEVIATIONS, LOOKED_AT, PAGE = 0.02, 4, 1024, 4096


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
    setup: Setup,
    chosen: list[Placement],
    executions: int,
    progress: Progress | None = None,
    lanes: bool = True,
    repeat: int = 1,
) -> dict[str, Any]:
    """Runs the program under each placement. Returns lbhm.region-data/1 (schemas/region-data.schema.json).

    executions: so many of a region by a thread are measured. lanes: False leaves the single lanes' readings out, but
    for those of the first placement. repeat: runs of each placement, in turn; each region's reading is that of its
    median run.
    Raises Refusal, see execute and check_pages, and when no region ran.
    """
    reports = _run_all(setup, chosen, executions, progress, repeat)
    regions: dict[str, dict[str, Any]] = {}
    for number, placement in enumerate(chosen):
        _add(regions, reports[number], number, placement.share, lanes or number == 0)
    if not regions:
        raise Refusal(
            f"{setup.command[0]}: no marked region was executed; build it with: lbhm regions -- BUILD COMMAND"
        )
    return {
        "schema": "lbhm.region-data/1",
        "lbhm_version": __version__,
        "machine": setup.machine.value,
        "machine_fingerprint": reports[-1][-1].get("machine_fingerprint", ""),
        "command": setup.command,
        "threads": setup.lanes,
        "seed": setup.seed,
        "executions": executions,
        "memory_state": "in place",
        "placements": [_placement_json(*pair) for pair in zip(chosen, reports, strict=True)],
        "regions": list(regions.values()),
    }


def _run_all(
    setup: Setup, chosen: list[Placement], executions: int, progress: Progress | None, repeat: int
) -> list[list[dict[str, Any]]]:
    """The reports of all runs, by placement."""
    reports: list[list[dict[str, Any]]] = [[] for _ in chosen]
    for _ in range(repeat):
        for number, placement in enumerate(chosen):
            name = f"{placement.policy} {placement.share:g}"
            if progress:
                progress.start(name)
            reports[number].append(run_placed(setup, placement, executions))
            if progress:
                progress.done(name)
    return reports


def run_placed(setup: Setup, placement: Placement, executions: int) -> dict[str, Any]:
    """The report of a run. Raises Refusal, see execute and check_pages."""
    settings = placement.settings | {"LBHM_REGION_EXECUTIONS": str(executions)}
    report = execute(setup, placement.policy, None, show_output=False, settings=settings).report
    if not setup.machine.emulated:
        check_pages(setup.command[0], placement, report)
    return report


def check_pages(program: str, placement: Placement, report: dict[str, Any]) -> None:
    """A kernel may refuse, or have no room: are the objects' pages where they were put? Raises Refusal, also
    where there is no object."""
    rows = [row["tiers_bytes"] for row in (report.get("timeline") or {}).get("objects", [])]
    fast = sum(sum(tiers[0]) for tiers in rows)
    all_tiers = sum(sum(map(sum, tiers)) for tiers in rows)
    if not all_tiers:
        raise Refusal(
            f"{program}: it had no object at the end of a parallel construct, so none of its pages was placed"
        )
    pages = max(1, min(LOOKED_AT, sum(row["bytes"] for row in report["timeline"]["objects"]) // PAGE))
    allowed = FAR + DEVIATIONS * math.sqrt(placement.share * (1 - placement.share) / pages)
    if abs(fast / all_tiers - placement.share) <= allowed:
        return
    said = "".join(f"; {line}" for line in report["remarks"])
    raise Refusal(
        f"{program}: {fast / all_tiers:.0%} of its pages were in fast memory, and {placement.share:.0%} was asked for; "
        f"look for programs that fill a memory (numactl -H), or for what forbids mbind{said}"
    )


def _placement_json(placement: Placement, reports: list[dict[str, Any]]) -> dict[str, Any]:
    report = sorted(reports, key=lambda one: one["makespan_ns"])[(len(reports) - 1) // 2]
    of_median = {key: report[key] for key in ("makespan_ns", "footprint_bytes", "remarks")}
    return {"policy": placement.policy, "page_share": placement.share} | of_median


def _add(
    regions: dict[str, dict[str, Any]], reports: list[dict[str, Any]], number: int, page_share: float, lanes: bool
) -> None:
    """What the runs of one placement measured, region by region."""
    found: dict[str, list[dict[str, Any]]] = {}
    for report in reports:
        for measured in report["code_regions"]:
            head = {key: value for key, value in measured.items() if key != "lanes"}
            regions.setdefault(measured["id"], {**head, "runs": []})
            readings = {
                part: _sum([lane[part] for lane in measured["lanes"]], page_share) for part in ("inclusive", "self")
            }
            kept = measured["lanes"] if lanes else []
            found.setdefault(measured["id"], []).append({"placement": number, **readings, "lanes": kept})
    for name, runs in found.items():
        known = [run for run in runs if run["self"]["work_ns"] is not None] or runs[:1]
        times = [run["self"]["work_ns"] for run in known]
        median = known[times.index(sorted(times)[(len(times) - 1) // 2])]
        regions[name]["runs"].append(median | ({"repeats_ns": times} if len(reports) > 1 and None not in times else {}))


def _sum(readings: list[dict[str, Any]], page_share: float) -> dict[str, Any]:
    """Of all lanes that have a time; null where none has. fast_share is r_dram_acc of Eq. 2: accesses to tier 0 of all
    to main memory, null without any. Real machines do not count them by tier: there the share of the pages stands for
    it, which chance chose."""
    known = [reading for reading in readings if reading["time_ns"] is not None]
    if not known:
        return readings[0] | {"fast_share": None}
    counts = [sum(column) for column in zip(*(reading["accesses"] for reading in known), strict=False)]
    fast_share = counts[0] / sum(counts) if any(counts) else None
    return {
        **{key: sum(reading[key] for reading in known) for key in ("executions", "time_ns", "work_ns")},
        "events": {name: _total([reading["events"][name] for reading in known]) for name in known[0]["events"]},
        "accesses": counts,
        "fast_share": fast_share if counts else page_share,
    }


def _total(values: list[int | None]) -> int | None:
    return None if None in values else sum(values)
