"""What must be known to judge a comparison, in sentences: where it ran, what its runs remark, what more memory buys."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Any

from lbhm.base.units import format_bytes, format_share, format_time
from lbhm.execute.execute import ORACLE, UNLIMITED
from lbhm.run.run_table import correlation_of, plural

_NUMBER = re.compile(r"(?<![\w.])\d+(?:\.\d+)?(?!\w)")  # in a remark; not a part of a name


def memory_line(comparison: dict[str, Any], memory: str) -> str:
    """Where the program ran. memory: what is said of it, or nothing."""
    threads, times = plural(comparison["threads"], "thread"), f"{comparison['times']} times"
    parts = [memory, threads, correlation_of(comparison), times]
    return f"{comparison['machine']}: {'; '.join(part for part in parts if part)}"


def remark_lines(runs: list[dict[str, Any]]) -> list[str]:
    """Each remark once, with the policies that it is about unless it is about all. Of remarks that differ in numbers
    alone the first stands for all."""
    about: dict[str, list[tuple[str, str]]] = {}
    for run in runs:
        for remark in run["remarks"]:
            about.setdefault(_NUMBER.sub("#", remark), []).append((run["policy"], remark))
    return [_remark_line(found, len(runs)) for found in about.values()]


def _remark_line(found: list[tuple[str, str]], runs: int) -> str:
    """found: policies, and the remark of each."""
    first, remark = found[0]
    alike = len({text for _, text in found}) == 1
    whom = [] if len(found) == runs else [", ".join(dict.fromkeys(policy for policy, _ in found))]
    whom += [] if alike else [f"numbers of {first}"]
    return f"remark ({'; '.join(whom)}): {remark}" if whom else f"remark: {remark}"


def bought_lines(comparisons: list[dict[str, Any]]) -> list[str]:
    """From each capacity to the next."""
    return [_bought(less, more) for less, more in pairwise(comparisons) if less["footprint_bytes"]]


def _bought(less: dict[str, Any], more: dict[str, Any]) -> str:
    """What the policy that is best with more memory gains by it."""
    before, after = judged_times(less), judged_times(more)
    both = [policy for policy in after if policy in before]
    added = format_bytes(more["fast_capacity_bytes"] - less["fast_capacity_bytes"])
    if not both:
        return f"{added} more fast memory: no policy ran with both"
    best = min(both, key=after.get)
    time = before[best] - after[best]
    told = f"{format_time(abs(time))} {'less' if time >= 0 else 'more'} under {best}"
    return f"{added} more fast memory ({fast_share(less)} to {fast_share(more)}): {told}"


def times_by_policy(comparison: dict[str, Any]) -> dict[str, float]:
    return {run["policy"]: run["makespan_ns"] for run in comparison["runs"]}


def judged_times(comparison: dict[str, Any]) -> dict[str, float]:
    """Times without those of the references."""
    return {policy: time for policy, time in times_by_policy(comparison).items() if policy not in (UNLIMITED, ORACLE)}


def fast_share(comparison: dict[str, Any]) -> str:
    return format_share(comparison["fast_capacity_bytes"] / comparison["footprint_bytes"])
