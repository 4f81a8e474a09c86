"""What was measured of code regions, as a person reads it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rich.markup import escape
from rich.table import Table

from lbhm.base.units import format_count, format_factor, format_share, format_time
from lbhm.output.tables import NOTHING, plain_table
from lbhm.regions.region_table import place_of


def measured_table(data: dict[str, Any], rows: int = 24) -> Table:
    """A line a region, those that take longest first. gain: how much faster with all pages in fast memory."""
    numbers = ("executions", "all slow", "all fast", "gain", "in fast")
    table = plain_table("region", "where", *numbers, right=numbers)
    for column in table.columns[:2]:
        column.no_wrap = True
    last = len(data["placements"]) - 1
    longest = sorted(data["regions"], key=lambda region: -_time(region, 0))
    for region in longest[:rows]:
        slow, fast = _time(region, 0), _time(region, last)
        table.add_row(
            region["id"],
            escape(place_of(region | {"file": Path(region["file"]).name})),
            format_count(_run(region, 0).get("executions", 0)),
            format_time(slow),
            format_time(fast),
            format_factor(slow / fast) if fast else NOTHING,
            _shares(region),
        )
    return table


def result_line(data: dict[str, Any], rows: int = 24) -> str:
    measured = sum(any(run["inclusive"]["executions"] for run in region["runs"]) for region in data["regions"])
    return (
        f"{len(data['regions'])} regions executed, {measured} measured, {min(rows, len(data['regions']))} shown. Times "
        "of all measured executions and lanes, nested regions included; in fast: share of the main-memory accesses "
        "over the placements between all slow and all fast"
    )


def unknown_line(data: dict[str, Any]) -> str | None:
    """What to do where regions nested in others ran too often for a time without them; None: nothing."""
    without = sum(
        any(run["inclusive"]["executions"] and run["self"]["time_ns"] is None for run in region["runs"])
        for region in data["regions"]
    )
    if not without:
        return None
    return (
        f"regions whose own time (self) is null: {without}. Regions nested in them ran more than {data['executions']} "
        "times, which --executions can raise, or an exception or longjmp left them"
    )


def _run(region: dict[str, Any], number: int) -> dict[str, Any]:
    return next((run["inclusive"] for run in region["runs"] if run["placement"] == number), {})


def _time(region: dict[str, Any], number: int) -> float:
    return _run(region, number).get("time_ns", 0)


def _shares(region: dict[str, Any]) -> str:
    shares = [run["inclusive"]["fast_share"] for run in region["runs"][1:-1]]
    known = [share for share in shares if share is not None]
    return f"{format_share(min(known))} to {format_share(max(known))}" if known else NOTHING
