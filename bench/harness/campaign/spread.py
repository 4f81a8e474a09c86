"""Times hang a little on where the program's heap lies: a cell is several runs with other paddings, and a margin counts
when it is larger than what they spread over."""

from __future__ import annotations

import math
from typing import Any

from harness.errors import BenchError

# LBHM_HEAP_PADDING, bytes: the heap as it is, 3.5 lines on (malloc makes 224 of 208), and nearly a page on.
PADDINGS = (0, 208, 4000)
INSIDE = "~"  # in front of a margin that lies inside the spread


def median_of(name: str, runs: list[dict[str, Any]]) -> dict[str, Any]:
    """The run in the middle (of an even number the slower one), with all times and their spread: (longest - shortest) /
    median. Raises BenchError where results differ."""
    if len({run["checksum"] for run in runs}) > 1:
        raise BenchError(f"{name}: the result depends on LBHM_HEAP_PADDING or LBHM_SEED")
    middle = sorted(runs, key=lambda run: run["makespan_ns"])[len(runs) // 2]
    times = [run["makespan_ns"] for run in runs]
    return middle | {"makespans_ns": times, "spread": round((max(times) - min(times)) / middle["makespan_ns"], 4)}


def times_of(cell: dict[str, Any]) -> list[float]:
    return cell.get("makespans_ns") or [cell["makespan_ns"]]


def gain_range(pairs: list[tuple[dict, dict]]) -> tuple[float, float] | None:
    """pairs: (cell of the policy, cell of the peer) by application. The least and the largest geometric mean of
    peer / policy - 1 that any choice of their runs gives; None of no pairs."""
    if not pairs:
        return None
    ends = []
    for of_peer, of_policy in ((min, max), (max, min)):
        logs = [math.log(of_peer(times_of(peer)) / of_policy(times_of(policy))) for policy, peer in pairs]
        ends.append(math.exp(sum(logs) / len(logs)) - 1)
    return ends[0], ends[1]


def inside_spread(pairs: list[tuple[dict, dict]]) -> bool:
    """True if the runs do not say who is ahead."""
    ends = gain_range(pairs)
    return ends is not None and len(pairs[0][0].get("makespans_ns", ())) > 1 and ends[0] <= 0 <= ends[1]
