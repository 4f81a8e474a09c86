"""Ids of sites that a rebuild does not change: for placements and profiles that are older than the program.

The runtime knows a site by the build-id of each module and the offsets of its calls; both change with every build. The
portable id is made of each call's function, the function that it calls, and which of the calls from the one to the
other it is, in the order of the code. Comments, lines, other functions and debug information change nothing of that,
as a line number, counted from the file's or from the function's begin, would. Not the same any more: renamed functions,
another call of the same function in front, and what another compiler or level of optimisation inlines elsewhere.
"""

from __future__ import annotations

import hashlib
import re
import shutil
import subprocess
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from lbhm.program.symbols import PLACE, PlaceSymbols, Symbol

DIGITS = 16
_DISASSEMBLERS = ("llvm-objdump-19", "objdump")  # the same options; of the answers only calls and addresses are read
_INSTRUCTION = re.compile(r"^\s*(?P<address>[0-9a-f]+):\s+(?P<what>\S+)\s*(?P<operands>.*)$")
_CALLS = re.compile(r"(callq?|blr?)$")
_DIRECT = re.compile(r"^(?:0x)?[0-9a-f]+ <(?P<callee>[^>+]+?)(?:@plt)?>$")

Site = dict[str, Any]  # of a run report


class SiteIds:
    """Portable ids of the sites of runs of one program. files: the program and its libraries."""

    def __init__(self, files: Iterable[Path]) -> None:
        files = list(files)
        self._functions, self._variables = PlaceSymbols(files), PlaceSymbols(files, "STT_OBJECT")
        self._calls: dict[tuple[str, Symbol], dict[int, str]] = {}

    def of(self, site: Site) -> str | None:
        """16 hexadecimal digits. None: no symbol tells the function that asked (the file is stripped or not here), or
        there is no objdump."""
        if site["kind"] == "name":
            return _hash("name", site["name"])
        if site["kind"] == "variable":
            variable, inside = self._variables.at(site["name"])
            return _hash("variable", f"{_name(variable)} {inside}") if variable else None
        calls = [self._call(place) for place in site["calls"]]
        named = site["calls"].index(site["name"]) if site["name"] in site["calls"] else 0
        return _hash("calls", *(text for text, _ in calls)) if calls[named][1] else None

    def by_hash(self, sites: Iterable[Site]) -> dict[str, str]:
        """The ids of those that have one, by the hash that the runtime knows them by."""
        found = ((site["site"], self.of(site)) for site in sites)
        return {hash_: portable for hash_, portable in found if portable}

    def _call(self, place: str) -> tuple[str, bool]:
        """The call in words, and whether its function is known; of other files only the file counts."""
        match = PLACE.match(place)
        if not match:
            return place, False
        file = match["file"]
        function, _ = self._functions.at(place, before=1)
        if function is None:
            return file, False
        if (file, function) not in self._calls:
            self._calls[file, function] = _calls_in(self._functions.files[file], function)
        call = self._calls[file, function].get(int(match["offset"], 16))
        return f"{_name(function)} {call}", call is not None


def _name(symbol: Symbol) -> str:
    """Names that one source file has for itself may come again in another."""
    return f"{symbol.file}:{symbol.name}" if symbol.file else symbol.name


def _hash(*words: str) -> str:
    return hashlib.sha256("\n".join(words).encode()).hexdigest()[:DIGITS]


def _calls_in(path: Path, function: Symbol) -> dict[int, str]:
    """By the address behind each call: 'malloc 2' of the second call of malloc; '* 1' through a pointer."""
    tool = next(filter(shutil.which, _DISASSEMBLERS), None)
    if tool is None:
        return {}
    limits = (f"--start-address={function.begin:#x}", f"--stop-address={function.end:#x}")
    command = [tool, "-d", "--no-show-raw-insn", *limits, str(path)]
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
    found: dict[int, str] = {}
    times: dict[str, int] = {}
    open_call = None
    for line in done.stdout.splitlines():
        match = _INSTRUCTION.match(line)
        if not match:
            continue
        if open_call:
            found[int(match["address"], 16)] = open_call
        open_call = None
        if _CALLS.match(match["what"]):
            direct = _DIRECT.match(match["operands"])
            callee = direct["callee"] if direct else "*"
            times[callee] = times.get(callee, 0) + 1
            open_call = f"{callee} {times[callee]}"
    if open_call:
        found[function.end] = open_call
    return found
