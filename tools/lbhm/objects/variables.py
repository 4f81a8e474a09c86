"""Variables of a program and its libraries as rows of lbhm objects: what tasks accessed of them, exactly."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lbhm.program.symbols import Symbol, Symbols, readable

if TYPE_CHECKING:
    from lbhm.files.page_counts import PageCounts

LEAST_BYTES = 64 << 10  # of a variable that has a row of its own, as of a block that is an object
REST = "no objects: stacks, small blocks, files, other variables"

Row = dict[str, Any]


def counted_variables(counts: PageCounts, files: Iterable[Path], by_phase: bool = False) -> list[Row]:
    """A row a variable of 64 KiB or more, by its symbol, and one for all else that no object holds.

    files: the program and its libraries. A page belongs to the variable that has most of it. by_phase: a row of each of
    them a parallel region that accessed it.
    """
    known = {path.name: path for path in files}
    page_bytes = counts.header["page_bytes"]
    rest_bytes = counts.unmanaged_pages * page_bytes
    rest = counts.accesses_by_object(by_phase)[-1]
    rows: dict[tuple[str, int | None], Row] = {}
    for file, users in counts.variables.items():
        owners = _owners({page for pages in users.values() for page, _ in pages}, known.get(file), page_bytes)
        rest_bytes -= len(owners) * page_bytes
        for (of_region, lane), pages in users.items():
            region = of_region if by_phase else None
            for page, accesses in pages:
                if page not in owners:
                    continue
                variable = owners[page]
                name = f"{file}+{variable.begin:#x}"
                fresh = _row(name, readable(variable.name), 1, variable.end - variable.begin) | counts.phase_of(region)
                _add(rows.setdefault((name, region), fresh), lane, accesses)
                rest[region][lane] -= accesses
    for region, by_lane in rest.items():
        row = rows["unmanaged", region] = _row("unmanaged", REST, 0, rest_bytes) | counts.phase_of(region)
        for lane, accesses in by_lane.items():
            _add(row, lane, accesses)
    return [row for row in rows.values() if row["accesses"]]


def _row(name: str, shown: str, objects: int, size: int) -> Row:
    row = {"name": name, "shown": shown, "objects": objects, "bytes": size, "patterns": [], "accesses": 0}
    return row | {"by_lane": {}, "sites": [], "managed": False}


def _add(row: Row, lane: int, accesses: int) -> None:
    if accesses > 0:
        row["by_lane"][str(lane)] = row["by_lane"].get(str(lane), 0) + accesses
        row["accesses"] += accesses


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
