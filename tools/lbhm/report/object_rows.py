"""The objects of a run: how large, where they are, how much they are used, what was planned, and why."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable
from typing import Any

from lbhm.report.over_time import OTHERS, all_rows, row_name
from lbhm.report.reasons import Facts, reason

Row = dict[str, Any]
_UNPLANNED = {"accesses": None, "patterns": "", "at_once": None, "planned": None, "names": []}
_INDEX = re.compile(r"\[\d+\]")


def object_rows(run: dict[str, Any], shown: Callable[[str, str], str], capacity: int) -> list[Row]:
    """A row an object (all of a name, or of a site), the most used first; those that nobody counted by size. shown: its
    name as a person knows it."""
    timeline = run.get("timeline")
    if not timeline:
        return []
    planned = _planned(run.get("plans", []))
    rows = [
        _row(found, planned.get(found["site"]) or planned.get(row_name(found)), shown) for found in all_rows(timeline)
    ]
    counted = sorted(
        (row for row in rows if row["accesses"] is not None), key=lambda row: -row["accesses"] / max(row["bytes"], 1)
    )
    total = sum(row["accesses"] for row in counted)
    full_at = _full_at(timeline, capacity)
    for row in rows:
        rank = next((number for number, other in enumerate(counted, 1) if other is row), None)
        row["share"] = row["accesses"] / total if row["accesses"] is not None and total else None
        row["why"] = reason(Facts(run["policy"], row, rank, len(counted), full_at))
    rows.sort(key=lambda row: (row["name"] == OTHERS, -(row["accesses"] or 0), -row["bytes"]))
    return rows


def _planned(plans: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """By site, or by name where reports know no sites: accesses that were counted, names, what the last plan wants."""
    found: dict[str, dict[str, Any]] = {}
    for plan in plans:
        in_plan: dict[str, list[dict[str, Any]]] = defaultdict(list)
        for of in plan.get("objects", []):
            in_plan[of.get("site") or of["name"]].append(of)
        for key, parts in in_plan.items():
            row = found.setdefault(key, {"accesses": None, "names": []})
            counted = [of["counted_accesses"] for of in parts if of["counted_accesses"] is not None]
            if counted:
                row["accesses"] = (row["accesses"] or 0) + sum(counted)
            row["planned"] = sum(of["planned_fast_bytes"] for of in parts)
            row["at_once"] = len(parts)
            row["patterns"] = " ".join(sorted({of["kind"] for of in parts if of.get("kind")}))
            row["names"] = list(dict.fromkeys([*row["names"], *(of["name"] for of in parts)]))
    return found


def together(names: list[str]) -> str:
    """'A[*].values' of 'A[0].values' and 'A[1].values'; at most two such names."""
    alike: dict[str, list[str]] = defaultdict(list)
    for name in names:
        alike[_INDEX.sub("[*]", name)].append(name)
    shown = [common if len(all_of) > 1 else all_of[0] for common, all_of in alike.items()]
    return ", ".join(shown[:2]) + (", ..." if len(shown) > 2 else "")


def _row(found: Row, planned: dict[str, Any] | None, shown: Callable[[str, str], str]) -> Row:
    name = row_name(found)
    moments = list(zip(*found["tiers_bytes"], strict=True))
    alive = [moment for moment in moments if sum(moment)]
    last = alive[-1] if alive else [0] * len(found["tiers_bytes"])
    fast = [moment[0] / sum(moment) for moment in alive]
    place, planned = shown(name, name), planned or _UNPLANNED
    called = together([other for other in planned["names"] if other not in (name, place)])
    return {
        "name": name,
        "shown": called or place,
        "place": place if called else "",
        "objects": found.get("objects", 1),
        "bytes": found["bytes"],
        "lies": list(last),
        "fast": fast[-1] if fast else None,
        "mean_fast": sum(fast) / len(fast) if fast else None,
        "first_fast": fast[0] if fast else None,
        "least_fast": min(fast, default=None),
        "most_fast": max(fast, default=None),
        **{key: planned[key] for key in ("accesses", "patterns", "at_once", "planned")},
    }


def _full_at(timeline: dict[str, Any], capacity: int) -> float | None:
    """When fast memory was full for the first time."""
    fast = timeline["used_bytes"][0] if timeline["used_bytes"] else []
    full = 0.98 * capacity
    return next((time for time, used in zip(timeline["times_ns"], fast, strict=False) if used >= full > 0), None)
