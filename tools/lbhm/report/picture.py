"""The data of all pictures: from a run report, a comparison, or one with several capacities, to plain values.

Every exporter (terminal_view, html_page) shows this and nothing else, so they agree. Times in ns, sizes in bytes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from lbhm.base.units import format_bytes, format_time
from lbhm.objects.objects import shown_names
from lbhm.program.symbols import region_names
from lbhm.report.comparison_lines import bought_lines, memory_line, remark_lines
from lbhm.report.lane_bars import region_pictures
from lbhm.report.object_rows import object_rows
from lbhm.report.over_time import over_time
from lbhm.report.unnamed import unnamed_lines
from lbhm.run.run_table import summary_lines

Picture = dict[str, Any]
_COPIED = ("policy", "makespan_ns", "acv", "fast_access_share", "migrated_bytes", "decision_ns")


def picture_of(found: dict[str, Any], files: Iterable[Path] = ()) -> Picture:
    """found: lbhm.report/1, lbhm.compare/1, lbhm.capacities/1, or reports of several ranks (lbhm.ranks/1). files: the
    program and its libraries, for names."""
    files = list(files)
    picture = _of_any(found, files)
    regions = (region["name"] for region in picture["regions"])
    objects = (row["shown"] for run in picture["runs"] for row in run["objects"])
    return picture | {"lines": [*picture["lines"], *unnamed_lines(regions, objects, files)]}


def _of_any(found: dict[str, Any], files: list[Path]) -> Picture:
    if found["schema"] == "lbhm.report/1":
        return _of_run(found, files)
    if found["schema"] == "lbhm.ranks/1":
        return _of_ranks(found["ranks"], files)
    if found["schema"] == "lbhm.capacities/1":
        comparisons = found["comparisons"]
        shown = max(comparisons, key=lambda one: -abs(one["fast_capacity_bytes"] / one["footprint_bytes"] - 0.25))
        picture = _of_comparison(shown, files)
        more = f"the pictures below the curve are of {format_bytes(shown['fast_capacity_bytes'])} of fast memory"
        return picture | {
            "lines": [*picture["lines"], more],
            "capacities": [_capacity(one) for one in comparisons],
            "bought": bought_lines(comparisons),
        }
    return _of_comparison(found, files)


def _of_run(report: dict[str, Any], files: list[Path]) -> Picture:
    threads = max((len(region["tasks"]) for region in report["regions"]), default=1)
    title = Path(report.get("program", "a program")).name
    return _picture(title, report, [report], files) | {
        "lines": summary_lines(report, threads),
        "remarks": list(report["remarks"]),
        "virtual": report["virtual_time"],
    }


def _of_ranks(reports: list[dict[str, Any]], files: list[Path]) -> Picture:
    """A run for each; each has a machine, or its part of one, to itself."""
    title = Path(reports[0].get("program", "a program")).name
    sums = {key: sum(report[key] for report in reports) for key in ("footprint_bytes", "fast_capacity_bytes")}
    picture = _picture(title, reports[0] | sums, reports, files)
    for run, report in zip(picture["runs"], reports, strict=True):
        run["policy"] = f"rank {report['rank']}"
    last = max(reports, key=lambda report: report["makespan_ns"])
    lines = [f"{title}: {len(reports)} ranks, the longest is rank {last['rank']}: {format_time(last['makespan_ns'])}"]
    return picture | {
        "runs_are": "rank",
        "lines": lines,
        "remarks": [f"rank {report['rank']}: {remark}" for report in reports for remark in report["remarks"]],
        "virtual": reports[0]["virtual_time"],
    }


def _of_comparison(comparison: dict[str, Any], files: list[Path]) -> Picture:
    command = comparison.get("command", ["a program"])
    footprint = comparison["footprint_bytes"]
    picture = _picture(Path(command[0]).name, comparison, comparison["runs"], files)
    reference = comparison.get("reference", {}).get("makespan_ns")
    for run in picture["runs"]:
        run["speedup"] = reference / run["makespan_ns"] if reference and run["makespan_ns"] else None
    memory = f"footprint {format_bytes(footprint)}" if footprint else ""
    return picture | {
        "lines": [" ".join([Path(command[0]).name, *command[1:]]), memory_line(comparison, memory)],
        "remarks": [line.removeprefix("remark: ") for line in remark_lines(comparison["runs"])],
        "virtual": comparison.get("times") == "virtual",
    }


def _picture(title: str, whole: dict[str, Any], runs: list[dict[str, Any]], files: list[Path]) -> Picture:
    name = region_names(files)
    shown = shown_names(runs, files)
    regions = region_pictures(runs, name)
    return {
        "title": title,
        "runs_are": "policy",
        "machine": whole["machine"],
        "footprint": whole["footprint_bytes"],
        "capacity": whole["fast_capacity_bytes"],
        "tiers": next((run["tiers"] for run in runs if run.get("tiers")), []),
        "regions": regions,
        "runs": [_run(run, shown.get, name) for run in runs],
        "capacities": [],
        "bought": [],
    }


def _run(run: dict[str, Any], shown: Callable[[str, str], str], name: Callable[[str], str]) -> dict[str, Any]:
    capacity = run.get("fast_capacity_bytes", 0)
    rows = object_rows(run, shown, capacity)
    return {
        **{key: run[key] for key in _COPIED},
        "capacity": capacity,
        "speedup": None,
        "objects": rows,
        "time": over_time(run, [row["name"] for row in rows]),
        "plans": len(run.get("plans", [])),
    }


def _capacity(comparison: dict[str, Any]) -> dict[str, Any]:
    return {
        "bytes": comparison["fast_capacity_bytes"],
        "share": comparison["fast_capacity_bytes"] / comparison["footprint_bytes"],
        "times": {run["policy"]: run["makespan_ns"] for run in comparison["runs"]},
    }
