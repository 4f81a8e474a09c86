"""Runs that are repeated: medians, and whether a difference is larger than the spread."""

from __future__ import annotations

from typing import Any

from lbhm.base.units import format_time
from lbhm.execute.ending import Outcome


def median_of(outcomes: list[Outcome]) -> Outcome:
    """The run in the middle by time; of an even number the faster one of the two."""
    return sorted(outcomes, key=lambda outcome: outcome.report["makespan_ns"])[(len(outcomes) - 1) // 2]


def times_of(outcomes: list[Outcome]) -> list[float]:
    """In the order of the runs."""
    return [outcome.report["makespan_ns"] for outcome in outcomes]


def spread_of(run: dict[str, Any]) -> str:
    """Of a run of a comparison, the shortest and the longest time: '812 ms to 840 ms'."""
    times = run.get("times_ns") or [run["makespan_ns"]]
    return f"{format_time(min(times))} to {format_time(max(times))}"


def stands_out(best: dict[str, Any], others: list[dict[str, Any]]) -> bool:
    """All its times are shorter than all times of every other run. Without repetitions there is no spread."""
    if "times_ns" not in best:
        return True
    return all(max(best["times_ns"]) < min(other["times_ns"]) for other in others if "times_ns" in other)
