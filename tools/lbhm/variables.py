"""Variables of a program and its libraries as rows of lbhm objects: what tasks accessed of them, exactly."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lbhm.symbols import Symbol, Symbols, readable

if TYPE_CHECKING:
    from lbhm.page_counts import PageCounts

LEAST_BYTES = 64 << 10  # of a variable that has a row of its own, as of a block that is an object
REST = "no objects: stacks, small blocks, other variables"

Row = dict[str, Any]


def counted_variables(counts: PageCounts, files: Iterable[Path]) -> list[Row]:
    """A row a variable of 64 KiB or more, by its symbol, and one for all else that no object holds.

    files: the program and its libraries. A page belongs to the variable that has most of it.
    """
    known = {path.name: path for path in files}
    page_bytes = counts.header["page_bytes"]
    rest = _row("unmanaged", REST, 0, counts.unmanaged_pages * page_bytes)
    rest["by_lane"] = {str(lane): accesses for lane, accesses in counts.unmanaged_by_lane().items()}
    rows: list[Row] = []
    for file, by_lane in counts.variables.items():
        owners = _owners({page for pages in by_lane.values() for page, _ in pages}, known.get(file), page_bytes)
        row_of = {
            variable: _row(f"{file}+{variable.begin:#x}", readable(variable.name), 1, variable.end - variable.begin)
            for variable in owners.values()
        }
        rest["bytes"] -= len(owners) * page_bytes
        for lane, pages in by_lane.items():
            for page, accesses in pages:
                if page in owners:
                    _add(row_of[owners[page]], str(lane), accesses)
                    _add(rest, str(lane), -accesses)
        rows += row_of.values()
    for row in [*rows, rest]:
        row["by_lane"] = {lane: accesses for lane, accesses in row["by_lane"].items() if accesses > 0}
        row["accesses"] = sum(row["by_lane"].values())
    return [row for row in [*rows, rest] if row["accesses"]]


def _row(name: str, shown: str, objects: int, size: int) -> Row:
    row = {"name": name, "shown": shown, "objects": objects, "bytes": size, "patterns": [], "by_lane": {}, "sites": []}
    return row | {"managed": False}


def _add(row: Row, lane: str, accesses: int) -> None:
    row["by_lane"][lane] = row["by_lane"].get(lane, 0) + accesses


def _owners(pages: Iterable[int], path: Path | None, page_bytes: int) -> dict[int, Symbol]:
    """By page the large variable that has most of it; pages of none are left out."""
    symbols = Symbols(path, "STT_OBJECT").all if path else []
    large = [symbol for symbol in symbols if symbol.end - symbol.begin >= LEAST_BYTES]

    def part(variable: Symbol, page: int) -> int:
        return min(variable.end, (page + 1) * page_bytes) - max(variable.begin, page * page_bytes)

    found = {}
    for page in pages if large else ():
        most = max(large, key=lambda variable: part(variable, page))
        if part(most, page) > 0:
            found[page] = most
    return found
