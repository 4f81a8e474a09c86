"""What the plugin found in a program's loops: read from its files, checked against its sources, as a table."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.markup import escape
from rich.table import Table

from lbhm.base.errors import Refusal
from lbhm.base.units import format_share
from lbhm.files.json_reader import parse_json
from lbhm.files.report import faults
from lbhm.output.tables import NOTHING, plain_table
from lbhm.program.elf import section
from lbhm.program.symbols import is_fortran, readable, with_readable_names

SECTION = "lbhm_patterns"  # LBHM_PATTERNS_SECTION of include/lbhm/compiled_patterns.h
LEAST_SHARE = 0.001  # of the accesses of a nest: what is rarer is left out of the table
HASH_DIGITS = 16  # of the SHA-256 of a source file, as the plugin writes it


def modules_in(path: Path) -> list[dict[str, Any]]:
    """The module texts of a file, read; empty if the plugin built nothing of it. Raises Refusal for broken ones."""
    return [_module(path, text) for text in section(path, SECTION).split(b"\0") if text]


def _module(path: Path, text: bytes) -> dict[str, Any]:
    try:
        module = parse_json(text)
    except ValueError as error:
        raise Refusal(f"{path}: its access patterns are not JSON ({error}); build it again with the plugin") from None
    for error in faults("patterns-module", module):
        raise Refusal(
            f"{path}: its access patterns are malformed at {error.json_path} ({error.message}); they come from another "
            "version of the plugin: build the program again"
        )
    return module


def patterns_file(program: Path, modules: list[dict[str, Any]]) -> dict[str, Any]:
    """The content of a patterns file (docs/files.md), which LBHM_PATTERNS takes."""
    return {"schema": "lbhm.patterns/1", "program": str(program), "modules": modules}


def stale_sources(modules: list[dict[str, Any]]) -> Iterator[str]:
    """Sources that are no longer as they were when the program was built. What is not here cannot be checked."""
    for module in modules:
        source = Path(module["directory"], module["source"])
        if module["source_hash"] is None or not source.is_file():
            continue
        if hashlib.sha256(source.read_bytes()).hexdigest()[:HASH_DIGITS] != module["source_hash"]:
            yield str(source)


@dataclass
class Line:
    """Accesses of one nest to one object with one pattern in one source line. nest: its number in the module."""

    nest: int
    region: str
    object: str
    type: str
    pattern: str
    stride: str
    access: str
    line: str
    share: float


def lines_of(module: dict[str, Any], parallel_only: bool = False) -> Iterator[Line]:
    """The rows of a module's table, the most frequent of each nest first."""
    for number, nest in enumerate(module["nests"]):
        if parallel_only and not nest["parallel"]:
            continue
        merged: dict[tuple[str, ...], float] = {}
        fortran = is_fortran(nest["function"])
        names = {base["number"]: _object(base["name"] or "?", fortran) for base in nest["bases"]}
        for access in nest["accesses"]:
            key = (
                names[access["base"]],
                access["type"],
                _pattern(access),
                with_readable_names(str(access.get("step") or access["stride"] or NOTHING)),
                "write" if access["write"] else "read",
                str(access["line"] or NOTHING),
            )
            merged[key] = merged.get(key, 0) + access["frequency"]
        total = sum(merged.values()) or 1
        for key, frequency in sorted(merged.items(), key=lambda item: -item[1]):
            yield Line(number, _region(nest), *key, frequency / total)


def table_of(lines: list[Line]) -> Table:
    numbers = ("stride", "share", "line")
    table = plain_table("region", "object", "type", "pattern", "stride", "access", "share", "line", right=numbers)
    for at, widest in ((0, None), (1, None), (3, 14), (4, 10)):  # a stride may be a formula
        column = table.columns[at]
        column.no_wrap, column.overflow, column.max_width = False, "fold", widest
    last = None
    shown = [line for line in lines if line.share >= LEAST_SHARE]
    for line in shown:
        first = (line.nest, line.region) != last
        if first and last:
            table.add_section()
        last = (line.nest, line.region)
        cells = (line.object, line.type, line.pattern, line.stride, line.access, format_share(line.share), line.line)
        table.add_row(*map(escape, (line.region if first else "", *cells)))
    table.caption = "share: of the loop nest's accesses, as the compiler guesses loops and branches to run"
    if left_out := len(lines) - len(shown):
        table.caption += f"; {left_out} lines below {format_share(LEAST_SHARE)} are left out (--json FILE has all)"
    return table


def _region(nest: dict[str, Any]) -> str:
    place = f"{Path(nest['file']).name}:{nest['line']}" if nest["line"] else ""
    kind = " (parallel)" if nest["parallel"] else ""
    return " ".join(filter(None, (readable(nest["function"]), place))) + kind


def _object(name: str, fortran: bool) -> str:
    """A COMMON block has an underscore at its end; a member of a class may have one, too."""
    return with_readable_names(readable(name) if fortran else name)


def _pattern(access: dict[str, Any]) -> str:
    kind = access["kind"]
    if kind == "stencil":
        depends = ", by input" if access["input_dependent"] else ""
        return f"stencil {access['dimensions']}D {access['points']}{depends}"
    if access.get("advance") == "sometimes":
        return f"{kind} (at times)"
    return f"{kind} (transpose)" if access.get("order") == "transpose" else kind
