"""The objects of a run: how large, where they are, how much they are used, what was planned, and why."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable
from typing import Any

from lbhm.base.units import format_bytes, format_share, format_time
from lbhm.report.over_time import OTHERS, all_rows, row_name

Row = dict[str, Any]
_UNPLANNED = {"accesses": None, "patterns": "", "at_once": None, "planned": None, "names": []}
_INDEX = re.compile(r"\[\d+\]")
_ALL, _NONE, _MUCH = 0.97, 0.03, 0.1  # of its pages: places of large objects are estimates
_RULES = {
    "slow-only": "slow-only keeps everything in slow memory",
    "fast-only": "fast-only has all the fast memory that it wants",
    "interleave": "interleave deals pages out in turn",
    "scatter": "scatter deals pages out by chance",
    "memory-mode": "in memory-mode fast memory is a cache that the hardware keeps",
    "oracle": "the oracle's plan, made from exact counts, wants it so",
}


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
        row["why"] = _reason(run["policy"], row, rank, len(counted), full_at)
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


def _reason(policy: str, row: Row, rank: int | None, ranked: int, full_at: float | None) -> str:
    """Why it is where it is, in a sentence or two. rank: of its accesses per byte among `ranked` objects, from 1.
    full_at: when fast memory was full first."""
    if row["fast"] is None:
        return "No page of it was touched while somebody looked."
    if row["name"] == OTHERS:
        return f"{_where(row)}: stacks, globals and blocks that are no objects; nobody plans for them."
    if policy in _RULES:
        return f"{_where(row)}: {_RULES[policy]}."
    if policy == "first-touch":
        return f"{_where(row)}: {_first_touch(row, full_at)}."
    if row["accesses"] is None:
        return f"{_where(row)}: {_uncounted(row, policy)}."
    used = f"{format_share(row['share'] or 0)} of the counted accesses go to {format_bytes(row['bytes'])}"
    if ranked > 1:
        used += f", number {rank} of {ranked} by accesses a byte"
    return f"{_where(row)}: {used}; {_by_use(row)}."


def _where(row: Row) -> str:
    if row["fast"] >= _ALL:
        return "In fast memory"
    if row["fast"] <= _NONE:
        return "In slow memory"
    return f"{format_share(row['fast'])} in fast memory"


def _first_touch(row: Row, full_at: float | None) -> str:
    full = f" (after {format_time(full_at)})" if full_at else ""
    if row["fast"] >= _ALL:
        return "it was touched while fast memory had room, and nothing moves it"
    if row["fast"] <= _NONE:
        return f"it was touched when fast memory was full already{full}, and nothing moves it"
    return f"fast memory was full{full} before all of it was touched, and nothing moves it"


def _by_use(row: Row) -> str:
    if row["fast"] >= _ALL:
        return "it fits"
    if row["at_once"] < row["objects"]:
        return f"a phase works on {row['at_once']} of its {row['objects']} objects, and the others need no room"
    if row["fast"] <= _NONE:
        return "fast memory went to what tasks that would be last gain more from"
    return "its hottest pages came, and the rest would have gained less than what is there now"


def _uncounted(row: Row, moved: str) -> str:
    change = row["fast"] - row["first_fast"]
    if row["most_fast"] - row["least_fast"] < _NONE:
        return f"it is there since it was touched; {moved} moved little of it"
    if abs(change) < _MUCH:
        between = f"between {format_share(row['least_fast'])} and {format_share(row['most_fast'])}"
        return f"{moved} moved its pages up and down with their use, {between} of them were in fast memory"
    if change > 0:
        return f"{moved} found its pages used and moved them up ({format_share(row['first_fast'])} at first)"
    return f"{moved} moved pages down to make room ({format_share(row['first_fast'])} was fast at first)"
