"""python -m lbhm.conclude FILE: one true sentence about a comparison, for the end of ./quickstart."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from lbhm.base.units import format_share
from lbhm.files.json_reader import read_json


def conclusion(comparison: dict[str, Any], ours: str = "lbhm", theirs: str = "first-touch") -> str:
    """Says what the numbers say, also when they do not flatter."""
    runs = {run["policy"]: run for run in comparison["runs"]}
    time = 1 - runs[ours]["makespan_ns"] / runs[theirs]["makespan_ns"]
    memory = format_share(comparison["fast_capacity_bytes"] / comparison["footprint_bytes"])
    if abs(time) < 0.0005:
        told = f"finishes no earlier than under {theirs}"
    else:
        told = f"finishes {format_share(abs(time))} {'earlier' if time > 0 else 'later'} than under {theirs}"
    before, after = runs[theirs]["acv"], runs[ours]["acv"]
    shrunk = after * runs[ours]["makespan_ns"] < before * runs[theirs]["makespan_ns"]  # standard deviations
    if after < before:
        evened = "differ less"
    else:
        evened = "differ by less time, but by a larger part of it" if shrunk else "do not differ less"
    return (
        f"With {memory} of its footprint in fast memory, under {ours} the program {told}, "
        f"and the times of its tasks {evened} (A.C.V. {after:.3f} against {before:.3f})."
    )


if __name__ == "__main__":
    print(conclusion(read_json(Path(sys.argv[1]))))
