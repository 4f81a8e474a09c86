"""Who waits for whom: by region and run, how long each task worked and how long it waited for the last one."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable
from typing import Any

from lbhm.program.symbols import distinct_names

MOST_REGIONS = 200  # in the table; the rest is one line
WITH_BARS = 24
INSTANCES = 12  # of a region that are kept
MOST_BARS = 64

Region = dict[str, Any]


def region_pictures(runs: list[dict[str, Any]], name: Callable[[str], str]) -> list[Region]:
    """A record a region, those that take longest (under the first run) first, with one record a run in each."""
    by_run = [_instances(run) for run in runs]
    places = list(dict.fromkeys(place for found in by_run for place in found))
    places.sort(key=lambda place: -sum(region["time_ns"] for region in by_run[0].get(place, ())))
    shown = distinct_names(places[:MOST_REGIONS], name)
    regions = [_region(place, shown[place], by_run, number < WITH_BARS) for number, place in enumerate(shown)]
    rest = places[MOST_REGIONS:]
    if rest:
        merged = [{"others": [one for place in rest for one in found.get(place, [])]} for found in by_run]
        regions.append(_region("others", f"{len(rest)} shorter regions", merged, False))
    return regions


def _instances(run: dict[str, Any]) -> dict[str, list[Region]]:
    found: dict[str, list[Region]] = defaultdict(list)
    for region in run["regions"]:
        found[str(region["region"])].append(region)
    return found


def _region(place: str, shown: str, by_run: list[dict[str, list[Region]]], bars: bool) -> Region:
    kept = _kept(by_run[0].get(place) or next((found[place] for found in by_run if found.get(place)), []))
    return {
        "name": shown,
        "kept": kept if bars else [],
        "runs": [_of_run(found.get(place, []), kept if bars else []) for found in by_run],
    }


def _kept(instances: list[Region]) -> list[int]:
    """Numbers of instances to look at: the longest of all but the first, the first, and some more, by number."""
    numbers = [region["instance"] for region in instances]
    if not numbers:
        return []
    longest = max(instances[1:] or instances, key=lambda region: region["time_ns"])["instance"]
    step = max(1, len(numbers) // INSTANCES)
    others = [number for number in numbers[::step] if number != longest]
    return sorted({longest, *others[: INSTANCES - 1]}, key=lambda number: (number != longest, number))


def _of_run(instances: list[Region], kept: list[int]) -> dict[str, Any]:
    tasks = [task for region in instances for task in region["tasks"]]
    accesses = sum(task["accesses"] for task in tasks)
    there = sum(region["time_ns"] * len(region["tasks"]) for region in instances)
    worked = sum(task["time_ns"] for task in tasks)
    last = Counter(
        max(region["tasks"], key=lambda task: task["time_ns"])["lane"] for region in instances if region["tasks"]
    )
    slowest, times_last = last.most_common(1)[0] if last else (None, 0)
    by_number = {region["instance"]: region for region in instances}
    return {
        "instances": len(instances),
        "tasks": max((len(region["tasks"]) for region in instances), default=0),
        "time": sum(region["time_ns"] for region in instances),
        "waiting": max(0.0, 1 - worked / there) if there else None,
        "last": slowest,
        "times_last": times_last,
        "fast": sum(task["fast_accesses"] for task in tasks) / accesses if accesses else None,
        "bars": [_bars(by_number[number]) if number in by_number else None for number in kept],
    }


def _bars(region: Region) -> dict[str, Any]:
    """Tasks by number; neighbours as one where there are too many, of which the longest counts."""
    tasks = sorted(region["tasks"], key=lambda task: task["lane"])
    size = -(-len(tasks) // MOST_BARS)
    groups = [tasks[at : at + size] for at in range(0, len(tasks), size)] if tasks else []
    return {"time": region["time_ns"], "tasks": [[_label(group), *_longest(group)] for group in groups]}


def _label(tasks: list[dict[str, Any]]) -> str:
    first, last = tasks[0], tasks[-1]
    if first is last:
        return str(first.get("name") or first["lane"])
    return f"{first['lane']}-{last['lane']}"


def _longest(tasks: list[dict[str, Any]]) -> tuple[float, float | None]:
    task = max(tasks, key=lambda task: task["time_ns"])
    return task["time_ns"], task["predicted_ns"]
