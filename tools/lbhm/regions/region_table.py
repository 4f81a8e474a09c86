"""The code regions of a linked file, read from the section that the plugin wrote (include/lbhm/code_regions.h)."""

from __future__ import annotations

import os
import struct
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from rich.markup import escape
from rich.table import Table

from lbhm.output.tables import NOTHING, plain_table
from lbhm.program.elf_section import LINKED, section
from lbhm.program.symbols import readable

_SECTION = "lbhm_regions"
_RECORD = struct.Struct("<IIQIHH")  # bytes, line, id, slot, kind, flags; then the texts
_KINDS = ("loop", "parallel", "worksharing")
_LOCAL, _UNMARKED = 1, 2


def regions_in(path: Path) -> list[dict[str, Any]]:
    """The regions of a program or library in the order of the link; none if the file is no such thing.

    id: 16 hexadecimal digits; line: 0 if unknown; marked: False if the region can only be listed.
    """
    return _parse(section(path, _SECTION, LINKED))


def _parse(data: bytes) -> list[dict[str, Any]]:
    regions: dict[int, dict[str, Any]] = {}
    at = 0
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
    file = _from_here(region["file"])
    return f"{file}:{region['line']}" if region["line"] else file


def _from_here(file: str) -> str:
    """As a person in this folder would call the file: CMake gives compilers absolute paths."""
    return os.path.relpath(file) if Path(file).is_relative_to(Path.cwd()) else file


def region_list(regions: list[dict[str, Any]], name: Callable[[str], str] = readable) -> Table:
    table = plain_table("region", "where", "function", "kind")
    for column in table.columns[:1]:
        column.no_wrap = True
    for region in regions:
        kind = region["kind"] if region["marked"] else f"{region['kind']}, not measurable"
        table.add_row(region["id"], escape(place_of(region)), escape(name(region["function"]) or NOTHING), kind)
    return table


def count_line(regions: list[dict[str, Any]]) -> str:
    kinds = [(kind, sum(region["kind"] == kind for region in regions)) for kind in _KINDS]
    return f"{len(regions)} regions: " + ", ".join(f"{count} {kind}" for kind, count in kinds if count)
