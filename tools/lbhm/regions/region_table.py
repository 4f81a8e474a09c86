"""The code regions of a linked file, read from the section that the plugin wrote (include/lbhm/code_regions.h), and
what was measured of them, as a person reads it."""

from __future__ import annotations

import os
import struct
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from rich.markup import escape
from rich.table import Table

from lbhm.base.units import format_count, format_factor, format_share, format_time
from lbhm.output.tables import NOTHING, plain_table
from lbhm.program.elf import LINKED, section
from lbhm.program.symbols import readable

_SECTION = "lbhm_regions"
_RECORD = struct.Struct("<IIQIHH")  # bytes, line, id, slot, kind, flags; then the texts
_KINDS = ("loop", "parallel", "worksharing")
_LOCAL, _UNMARKED = 1, 2


def regions_in(path: Path) -> list[dict[str, Any]]:
    """The regions of a program or library in the order of the link; none if the file is no such thing.

    id: 16 hexadecimal digits; line: 0 if unknown; marked: False if the region can only be listed.
    """
    data, at = section(path, _SECTION, LINKED), 0
    regions: dict[int, dict[str, Any]] = {}
    while at + _RECORD.size <= len(data):
        size, line, number, _, kind, flags = _RECORD.unpack_from(data, at)
        if size < _RECORD.size:
            break
        file, function, *_ = [*data[at + _RECORD.size : at + size].split(b"\0"), b"", b""]
        at += size
        while number in regions and flags & _LOCAL:  # as RegionBook::add counts them in the runtime
            number = (number + 1) % 2**64
        regions.setdefault(
            number,
            {
                "id": f"{number:016x}",
                "file": os.fsdecode(file),
                "line": line,
                "function": os.fsdecode(function),
                "kind": _KINDS[kind] if kind < len(_KINDS) else _KINDS[0],
                "marked": not flags & _UNMARKED,
            },
        )
    return list(regions.values())


def regions_json(paths: Iterable[Path]) -> dict[str, Any]:
    """lbhm.regions/1 (schemas/regions.schema.json); files without regions are left out."""
    found = ((path, regions_in(path)) for path in paths)
    return {
        "schema": "lbhm.regions/1",
        "files": [{"path": str(path), "regions": regions} for path, regions in found if regions],
    }


def place_of(region: dict[str, Any]) -> str:
    """As a person in this folder would call the file: CMake gives compilers absolute paths."""
    file = region["file"]
    shown = os.path.relpath(file) if Path(file).is_relative_to(Path.cwd()) else file
    return f"{shown}:{region['line']}" if region["line"] else shown


def region_list(regions: list[dict[str, Any]]) -> Table:
    table = plain_table("region", "where", "function", "kind", whole=["region"])
    for region in regions:
        kind = region["kind"] if region["marked"] else f"{region['kind']}, not measurable"
        table.add_row(region["id"], escape(place_of(region)), escape(readable(region["function"]) or NOTHING), kind)
    return table


def count_line(regions: list[dict[str, Any]]) -> str:
    kinds = [(kind, sum(region["kind"] == kind for region in regions)) for kind in _KINDS]
    return f"{len(regions)} regions: " + ", ".join(f"{count} {kind}" for kind, count in kinds if count)


def measured_table(data: dict[str, Any], rows: int = 24) -> Table:
    """A line a region, those that take longest first. gain: how much faster with all pages in fast memory."""
    numbers = ("executions", "all slow", "all fast", "gain", "in fast")
    table = plain_table("region", "where", *numbers, right=numbers, whole=["region", "where"])
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
