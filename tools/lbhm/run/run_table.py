"""A run as a person reads it: what its report says, in a few lines, and a table of its regions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rich.table import Table

from lbhm.base.units import format_bytes, format_count, format_share, format_time
from lbhm.files.report import any_accesses
from lbhm.output.tables import NOTHING, CutName, or_nothing, plain_table
from lbhm.program.symbols import distinct_names

_NAME = 32  # of a region
_MUCH = 0.75  # of the footprint is managed: nothing has to be done


def summary_lines(report: dict[str, Any], threads: int) -> list[str]:
    """A run in a few lines."""
    times = "virtual" if report["virtual_time"] else "real"
    capacity, footprint = report["fast_capacity_bytes"], report["footprint_bytes"]
    limited = 0 < capacity <= footprint
    memory = f"fast memory {format_bytes(capacity)}, " if limited else "fast memory not limited, " if footprint else ""
    memory += f"footprint {format_bytes(footprint)}; " if footprint else ""
    acv = or_nothing(report["acv"], "{:.3f}".format)
    share = or_nothing(report["fast_access_share"] if any_accesses(report) else None, format_share)
    return [
        f"{format_time(report['makespan_ns'])} ({times}) under {report['policy']} on "
        f"{report['machine']}, {plural(threads, 'thread')}",
        f"A.C.V. of the tasks {acv}; {share} of the accesses in fast memory; "
        f"{format_bytes(report['migrated_bytes'])} migrated; {format_time(report['decision_ns'])} deciding",
        f"{memory}{correlation_of(report)}",
        *prediction_lines(report),
        *managed_lines([report], footprint),
    ]


def managed_lines(runs: list[dict[str, Any]], footprint: int) -> list[str]:
    """What share of the footprint LB-HM could place, and what to do where that is little."""
    timelines = [run["timeline"] for run in runs if run.get("timeline")]
    if not timelines or not footprint:
        return []
    most = max(managed_bytes(timeline) for timeline in timelines)
    if most >= _MUCH * footprint:
        return []
    return [
        f"{format_share(most / footprint)} of the footprint is managed, and the rest stays where it was touched first: "
        "managed are blocks of omp_alloc and, with --heap, those of malloc from LBHM_HEAP_MINIMUM on (docs/using.md)"
    ]


def managed_bytes(timeline: dict[str, Any]) -> int:
    """The most that lay in the tiers at one moment."""
    lines = [line for row in timeline["objects"] for line in row["tiers_bytes"]]
    return max((sum(moment) for moment in zip(*lines, strict=True)), default=0)


def prediction_lines(run: dict[str, Any]) -> list[str]:
    """How far the predictions of a run (or its report) were off and which step it was; nothing if it had none.

    The parts are mean absolute logarithms: 0.01, shown as 1 %, is an error of about 1 %.
    """
    of = run.get("prediction")
    if not of:
        return []
    line = f"prediction: {100 * of['mean_error']:.1f} % mean error over {plural(of['tasks'], 'task instance')}"
    if "median_error" in of:
        line += f", median {100 * of['median_error']:.1f} %, by time {100 * of['time_weighted_error']:.1f} %"
    names = {"counts": "counts", "homogeneous": "homogeneous times", "correlation": "correlation"}
    parts = [f"{name} {100 * of[key]:.1f} %" for key, name in names.items() if of[key] is not None]
    return [f"{line}: {', '.join(parts)}" if parts else line]


def plural(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def correlation_of(result: dict[str, Any]) -> str:
    """The function f of Eq. 2, which makes the predictions: trained models come by name."""
    return "analytic f" if result["correlation"] == "analytic" else f"f: {result['correlation']}"


def region_table(report: dict[str, Any], name: Callable[[str], str] = str, rows: int = 24) -> Table:
    """A line a region instance; the longest ones when there are more than `rows`. name: what to call a region."""
    numbers = ("instance", "tasks", "time", "A.C.V.", "accesses", "in fast", "prediction")
    table = plain_table("region", *numbers, right=numbers)
    regions = report["regions"]
    names = distinct_names((str(region["region"]) for region in regions), name)
    longest = sorted(regions, key=lambda region: -region["time_ns"])[:rows]
    for region in [region for region in regions if region in longest]:
        table.add_row(CutName(names[str(region["region"])], _NAME), str(region["instance"]), *_region_cells(region))
    if len(regions) > rows:
        table.caption = f"the {rows} longest of {len(regions)} region instances; --json FILE has all"
    return table


def _region_cells(region: dict[str, Any]) -> list[str]:
    tasks = region["tasks"]
    times = [task["time_ns"] for task in tasks] or [0]
    mean = sum(times) / len(times)
    deviation = (sum((time - mean) ** 2 for time in times) / len(times)) ** 0.5
    accesses = sum(task["accesses"] for task in tasks)
    fast = sum(task["fast_accesses"] for task in tasks)
    return [
        str(len(tasks)),
        format_time(region["time_ns"]),
        f"{deviation / mean:.3f}" if mean else NOTHING,
        format_count(accesses),
        format_share(fast / accesses) if accesses else NOTHING,
        _prediction_error(tasks),
    ]


def _prediction_error(tasks: list[dict[str, Any]]) -> str:
    """The mean error of the predictions, where there were any: 'within 4 %'."""
    errors = [
        abs(task["predicted_ns"] - task["time_ns"]) / task["time_ns"]
        for task in tasks
        if task["predicted_ns"] is not None and task["time_ns"]
    ]
    return f"off by {100 * sum(errors) / len(errors):.0f} %" if errors else NOTHING
