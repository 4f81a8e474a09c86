"""A run as a trace for ui.perfetto.dev: Chrome's trace format, JSON with times in microseconds.

https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from lbhm.objects.objects import shown_names
from lbhm.program.symbols import region_names
from lbhm.report.over_time import all_rows, over_time, row_name

Event = dict[str, Any]
_PROGRAM, _MEMORY = 1, 2  # what Perfetto calls processes
_REGIONS, _PLANS = 10_000, 10_001  # threads of the program beside its lanes


def trace_of(report: dict[str, Any], files: Iterable[Path] = ()) -> dict[str, Any]:
    """Regions and plans, one track each; tasks by lane, at work and waiting; counters: bandwidth in use and bytes used
    of each tier, bytes moved, bytes of each object in fast memory."""
    files = list(files)
    return {
        "displayTimeUnit": "ns",
        "otherData": {key: report[key] for key in ("machine", "policy") if key in report},
        "traceEvents": [*_names(report), *_regions(report, files), *_plans(report), *_counters(report, files)],
    }


def _names(report: dict[str, Any]) -> Iterator[Event]:
    lanes = {task["lane"] for region in report["regions"] for task in region["tasks"]}
    processes = {_PROGRAM: f"{report.get('program', 'program')} ({report['policy']})", _MEMORY: report["machine"]}
    for process, name in processes.items():
        yield {"ph": "M", "name": "process_name", "pid": process, "args": {"name": name}}
    threads = {_REGIONS: "regions", _PLANS: "plans"} | {lane: f"lane {lane}" for lane in sorted(lanes)}
    for order, (thread, name) in enumerate(threads.items()):
        where = {"pid": _PROGRAM, "tid": thread}
        yield {"ph": "M", "name": "thread_name", **where, "args": {"name": name}}
        yield {"ph": "M", "name": "thread_sort_index", **where, "args": {"sort_index": order}}


def _slice(name: str, thread: int, begin: float, time: float, **args: Any) -> Event:
    at = {"ts": begin / 1000, "dur": time / 1000}
    return {"ph": "X", "cat": "task", "name": name, "pid": _PROGRAM, "tid": thread, **at, "args": args}


def _regions(report: dict[str, Any], files: list[Path]) -> Iterator[Event]:
    """Reports of older runtimes do not know when regions began: then one follows the other."""
    name, end = region_names(files), 0.0
    for region in report["regions"]:
        begin = region.get("begin_ns")
        begin = end if begin is None else begin
        end = begin + region["time_ns"]
        shown = name(str(region["region"]))
        yield _slice(shown, _REGIONS, begin, region["time_ns"], instance=region["instance"])
        for task in region["tasks"]:
            known = {key: task[key] for key in ("predicted_ns", "accesses", "fast_accesses") if task[key] is not None}
            yield _slice(task.get("name") or shown, task["lane"], begin, task["time_ns"], **known)
            waits = region["time_ns"] - task["time_ns"]
            if waits > 0:
                yield _slice("waits", task["lane"], begin + task["time_ns"], waits) | {"cname": "grey"}


def _plans(report: dict[str, Any]) -> Iterator[Event]:
    for plan in report.get("plans", []):
        if plan.get("begin_ns") is not None:
            moved = {key: plan[key] for key in ("moved_bytes", "evicted_bytes", "placed_bytes") if key in plan}
            known = {"instance": plan.get("instance"), "kind": plan.get("kind"), **moved}
            yield {
                **{"ph": "i", "s": "t", "cat": "plan", "name": f"plan for {plan.get('scope', 'a phase')}"},
                **{"pid": _PROGRAM, "tid": _PLANS, "ts": plan["begin_ns"] / 1000, "args": known},
            }


def _counters(report: dict[str, Any], files: list[Path]) -> Iterator[Event]:
    timeline = report.get("timeline")
    if not timeline:
        return
    tiers, shown = [tier["name"] for tier in report.get("tiers", [])], shown_names([report], files)
    rows = all_rows(timeline)
    for number, row in enumerate(rows):
        name = f"in fast memory: {number + 1} {shown.get(row_name(row), row_name(row))}"
        yield from _counter(name, "bytes", timeline["times_ns"], row["tiers_bytes"][0])
    found = over_time(report, [], most=len(timeline["times_ns"]))
    begins = [0, *found["times"][:-1]]
    for tier, name in enumerate(tiers):
        if found["busy"]:
            yield from _counter(f"{name}: bandwidth in use", "percent", begins, found["busy"][tier])
        if found["used"]:
            yield from _counter(f"{name}: used", "bytes", found["times"], found["used"][tier])
    yield from _counter("moved between memories", "bytes", timeline["times_ns"], timeline["moved_bytes"])


def _counter(name: str, unit: str, times: list[float], values: list[float]) -> Iterator[Event]:
    for time, value in zip(times, values, strict=True):
        yield {"ph": "C", "name": name, "pid": _MEMORY, "ts": time / 1000, "args": {unit: value}}
