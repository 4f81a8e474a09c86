"""What is known of a run over time: where objects lie, how busy each tier is, what moves."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

MOST_COLUMNS = 120
OTHERS = "everything else"


def over_time(run: dict[str, Any], names: list[str], most: int = MOST_COLUMNS) -> dict[str, Any] | None:
    """Columns end at `times`. lies: by object (in the order of `names`) and tier, % of what there is of it then; null
    before its birth and after its death. lanes: by lane and tier, % of its sampled accesses in the column; null without
    any. busy: by tier, % of its bandwidth. moved: bytes a column."""
    timeline = run.get("timeline")
    if not timeline:
        return None
    times = timeline["times_ns"]
    kept = _evenly(len(times), most)
    rows = {row_name(row): row for row in all_rows(timeline)}
    lies = [[_shares(rows[name], kept, tier) for tier in range(len(rows[name]["tiers_bytes"]))] for name in names]
    return {
        "times": [times[at] for at in kept],
        "lies": lies,
        "lanes": [_lane(lane, kept) for lane in timeline.get("lanes", [])],
        "busy": [_rates(line, times, kept) for line in timeline["busy_ns"]],
        "used": [[line[at] for at in kept] for line in timeline["used_bytes"]],
        "moved": _steps(timeline["moved_bytes"], kept),
        "complete": timeline.get("complete", True),
    }


def row_name(row: dict[str, Any]) -> str:
    return row["name"] or f"site {row['site']}"


def all_rows(timeline: dict[str, Any]) -> list[dict[str, Any]]:
    """The objects, and, where it is known, what lies in the tiers beside them."""
    rows = list(timeline["objects"])
    used = timeline["used_bytes"]
    if not used:
        return rows
    rest = [
        [
            max(0, line[at] - sum(row["tiers_bytes"][tier][at] for row in rows))
            for at in range(len(timeline["times_ns"]))
        ]
        for tier, line in enumerate(used)
    ]
    most = max((sum(moment) for moment in zip(*rest, strict=True)), default=0)
    if not most:
        return rows
    return [*rows, {"name": OTHERS, "site": "", "objects": 0, "bytes": most, "tiers_bytes": rest}]


def _evenly(count: int, most: int) -> list[int]:
    """Places of at most `most` of `count` moments; the last one among them."""
    if count <= most:
        return list(range(count))
    return [round((place + 1) * count / most) - 1 for place in range(most)]


def _shares(row: dict[str, Any], kept: list[int], tier: int) -> list[int | None]:
    found = []
    for at in kept:
        there = sum(line[at] for line in row["tiers_bytes"])
        found.append(round(100 * row["tiers_bytes"][tier][at] / there) if there else None)
    return found


def _lane(of: dict[str, Any], kept: list[int]) -> dict[str, Any]:
    tiers = [_steps(line, kept) for line in of["tiers_samples"]]
    sums = [sum(column) for column in zip(*tiers, strict=True)]
    served = [[round(100 * n / all_) if all_ else None for n, all_ in zip(tier, sums, strict=True)] for tier in tiers]
    return {"lane": of["lane"], "served": served}


def _steps(line: list[float], kept: list[int]) -> list[float]:
    """What was added in each column."""
    return [line[kept[0]], *(line[after] - line[before] for before, after in pairwise(kept))] if kept else []


def _rates(line: list[float], times: list[float], kept: list[int]) -> list[float]:
    """Busy part of each column, in %. A long copy is counted when it begins."""
    return [
        round(min(100.0, 100 * busy / time), 1) if time > 0 else 0.0
        for busy, time in zip(_steps(line, kept), _steps(times, kept), strict=True)
    ]
