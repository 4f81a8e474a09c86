"""Names of places: 'app+0x1a2b', where a block of the heap was asked for, is a line of source that a person knows."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from lbhm.symbols import region_names

_PLACE = re.compile(r"^(?P<file>.+)\+0x(?P<offset>[0-9a-f]+)$")
_LINES = ("llvm-addr2line-19", "addr2line")  # the same options, the same answers


def place_names(places: Iterable[str], files: Iterable[Path]) -> dict[str, str]:
    """By place: 'solve.c:12 (relax)' where there is debug information, else the function, else the place itself.

    files: the program and its libraries. A place is where a call returns to, so the call is the byte before.
    """
    files = list(files)
    known = {path.name: path for path in files}
    function_of = region_names(files)
    found: dict[str, str] = {}
    by_file: dict[str, list[tuple[str, int]]] = {}
    for place in places:
        match = _PLACE.match(place)
        if match and match["file"] in known:
            by_file.setdefault(match["file"], []).append((place, int(match["offset"], 16) - 1))
        else:
            found[place] = place
    for file, calls in by_file.items():
        lines = _lines(known[file], [call for _, call in calls])
        for (place, call), line in zip(calls, lines, strict=True):
            unknown = f"{file}+{call:#x}"
            function = function_of(unknown)
            named = place if function == unknown else function
            found[place] = named if line is None else f"{line} ({named})"
    return found


def name_places(rows: list[dict[str, Any]], files: Iterable[Path]) -> None:
    """Adds "shown" to each row, what a person calls its "name"; and "phase_shown" where there is a "phase"."""
    keys = [key for key in ("name", "phase") if any(key in row for row in rows)]
    names = place_names({row[key] for row in rows for key in keys}, files)
    for row in rows:
        row["shown"] = names[row["name"]]
        if "phase" in row:
            row["phase_shown"] = names[row["phase"]] + (f", {row['kind']}" if row["kind"] else "")


def _lines(file: Path, offsets: list[int]) -> list[str | None]:
    """'solve.c:12' of each, None without debug information."""
    tool = next(filter(shutil.which, _LINES), None)
    if tool is None:
        return [None] * len(offsets)
    command = [tool, "-e", str(file), *map(hex, offsets)]
    answers = subprocess.run(command, capture_output=True, text=True, check=False).stdout.splitlines()
    if len(answers) != len(offsets):
        return [None] * len(offsets)
    return [None if answer.startswith("??") or ":" not in answer else _line(answer) for answer in answers]


def _line(answer: str) -> str | None:
    """'a.c:3 (discriminator 2)' is 'a.c:3'; a line 0 is none."""
    file, _, line = answer.split(" ")[0].rpartition(":")
    return f"{Path(file).name}:{line}" if line.isdigit() and int(line) > 0 else None
