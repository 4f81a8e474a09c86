"""Why an object is where it is, in a sentence, from what the report knows of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from lbhm.base.units import format_bytes, format_share, format_time
from lbhm.report.over_time import OTHERS

_ALL, _NONE, _MUCH = 0.97, 0.03, 0.1  # of its pages: places of large objects are estimates
_RULES = {
    "slow-only": "slow-only keeps everything in slow memory",
    "fast-only": "fast-only has all the fast memory that it wants",
    "interleave": "interleave deals pages out in turn",
    "scatter": "scatter deals pages out by chance",
    "memory-mode": "in memory-mode fast memory is a cache that the hardware keeps",
    "oracle": "the oracle's plan, made from exact counts, wants it so",
}


@dataclass(frozen=True)
class Facts:
    """rank: of its accesses per byte among `ranked` objects, from 1. full_at: when fast memory was full first."""

    policy: str
    row: dict[str, Any]
    rank: int | None
    ranked: int
    full_at: float | None


def reason(facts: Facts) -> str:
    """One sentence, or two."""
    row = facts.row
    if row["fast"] is None:
        return "No page of it was touched while somebody looked."
    if row["name"] == OTHERS:
        return f"{_where(row)}: stacks, globals and blocks that are no objects; nobody plans for them."
    rule = _RULES.get(facts.policy)
    if rule:
        return f"{_where(row)}: {rule}."
    if facts.policy == "first-touch":
        return f"{_where(row)}: {_first_touch(facts)}."
    return f"{_where(row)}: {_by_use(facts)}."


def _where(row: dict[str, Any]) -> str:
    if row["fast"] >= _ALL:
        return "In fast memory"
    if row["fast"] <= _NONE:
        return "In slow memory"
    return f"{format_share(row['fast'])} in fast memory"


def _first_touch(facts: Facts) -> str:
    full = f" (after {format_time(facts.full_at)})" if facts.full_at else ""
    if facts.row["fast"] >= _ALL:
        return "it was touched while fast memory had room, and nothing moves it"
    if facts.row["fast"] <= _NONE:
        return f"it was touched when fast memory was full already{full}, and nothing moves it"
    return f"fast memory was full{full} before all of it was touched, and nothing moves it"


def _by_use(facts: Facts) -> str:
    row = facts.row
    if row["accesses"] is None:
        return _uncounted(facts)
    used = f"{format_share(row['share'] or 0)} of the counted accesses go to {format_bytes(row['bytes'])}"
    if facts.ranked > 1:
        used += f", number {facts.rank} of {facts.ranked} by accesses a byte"
    if row["fast"] >= _ALL:
        return f"{used}; it fits"
    if row["at_once"] < row["objects"]:
        return f"{used}; a phase works on {row['at_once']} of its {row['objects']} objects, and the others need no room"
    if row["fast"] <= _NONE:
        return f"{used}; fast memory went to what tasks that would be last gain more from"
    return f"{used}; its hottest pages came, and the rest would have gained less than what is there now"


def _uncounted(facts: Facts) -> str:
    row, moved = facts.row, facts.policy
    change = row["fast"] - row["first_fast"]
    if row["most_fast"] - row["least_fast"] < _NONE:
        return f"it is there since it was touched; {moved} moved little of it"
    if abs(change) < _MUCH:
        between = f"between {format_share(row['least_fast'])} and {format_share(row['most_fast'])}"
        return f"{moved} moved its pages up and down with their use, {between} of them were in fast memory"
    if change > 0:
        return f"{moved} found its pages used and moved them up ({format_share(row['first_fast'])} at first)"
    return f"{moved} moved pages down to make room ({format_share(row['first_fast'])} was fast at first)"
