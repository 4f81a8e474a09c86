"""What lbhm compare is asked for, and the runs that it has made so far; of repeated ones, medians, and whether a
difference is larger than the spread."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from lbhm.base.errors import Refusal
from lbhm.base.units import FastMemory, format_time
from lbhm.execute.ending import Ending, Outcome
from lbhm.execute.execute import ORACLE, REFERENCE, Setup


@dataclass(frozen=True)
class Comparison:
    setup: Setup
    policies: list[str]
    fast: FastMemory | None
    scripted: bool  # the program is a script, of which nothing is known before it ran
    pattern: re.Pattern[str] | None = None  # --result
    repeat: int = 1
    later: tuple[FastMemory, ...] = ()  # of comparisons that follow: what is wrong with them is said at once
    plan: str | None = None  # of the oracle: this one alone

    @property
    def oracle(self) -> bool:
        return ORACLE in self.policies


def order_of(policies: list[str]) -> list[str]:
    """The order of the runs: the reference first (it also tells the footprint), whether it was asked for or not.
    The oracle is not among them: it takes several."""
    return [REFERENCE, *(policy for policy in policies if policy not in (REFERENCE, ORACLE))]


@dataclass
class Runs:
    """By policy, in the order of the runs. lost: what ended without a report; of the reference only a repetition can,
    and its other runs stay. refused: what could not be run. again: of the same policies, all runs but the first."""

    outcomes: dict[str, Outcome] = field(default_factory=dict)
    lost: dict[str, Ending] = field(default_factory=dict)
    refused: dict[str, Refusal] = field(default_factory=dict)
    again: dict[str, list[Outcome]] = field(default_factory=dict)


def median_of(outcomes: list[Outcome]) -> Outcome:
    """The run in the middle by time; of an even number the faster one of the two."""
    return sorted(outcomes, key=lambda outcome: outcome.report["makespan_ns"])[(len(outcomes) - 1) // 2]


def spread_of(run: dict[str, Any]) -> str:
    """Of a run of a comparison, the shortest and the longest time: '812 ms to 840 ms'."""
    times = run.get("times_ns") or [run["makespan_ns"]]
    return f"{format_time(min(times))} to {format_time(max(times))}"


def stands_out(best: dict[str, Any], others: list[dict[str, Any]]) -> bool:
    """All its times are shorter than all times of every other run. Without repetitions there is no spread."""
    if "times_ns" not in best:
        return True
    return all(max(best["times_ns"]) < min(other["times_ns"]) for other in others if "times_ns" in other)
