"""Places that no symbol gives a name to, and what to do about it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

_PLACE = re.compile(r"(?P<file>[^\s<]+)\+0x[0-9a-f]+")
# What libomp and LB-HM open to learn of memories (memkind by way of daxctl opens libkmod): no name of theirs tells
# anybody about the program.
_OF_RUNTIMES = re.compile(r"lib(memkind|daxctl|ndctl|kmod|udev|hwloc|pciaccess|numa|papi|pfm)\.so")
_SITE = re.compile(r"site [0-9a-f]+$")


def unnamed_lines(regions: Iterable[str], objects: Iterable[str], files: Iterable[Path]) -> list[str]:
    """A sentence a file that has such places. regions, objects: as they are shown. files: program and libraries."""
    here = {path.name for path in files}
    found: dict[str, dict[str, int]] = {}
    for kind, names in (("region", regions), ("object", objects)):
        for name in dict.fromkeys(names):
            if file := _file_of(name):
                of_file = found.setdefault(file, {"region": 0, "object": 0})
                of_file[kind] += 1
    return [f"{_counted(counts)}: {_why(file, file in here)}" for file, counts in found.items()]


def _file_of(name: str) -> str | None:
    """What a person would have to look into; None for names, and where nobody has to."""
    place = _PLACE.match(name)
    if place and _OF_RUNTIMES.match(place["file"]):
        return None
    return place["file"] if place else "the program" if _SITE.match(name) else None


def _counted(counts: dict[str, int]) -> str:
    parts = [f"{number} {kind}{'s' if number > 1 else ''}" for kind, number in counts.items() if number]
    return f"{' and '.join(parts)} {'has' if sum(counts.values()) == 1 else 'have'} no name"


def _why(file: str, here: bool) -> str:
    if ".so" in file:
        return f"{file} is a library without symbols for it; where it is a package, another one has its debug symbols"
    if here:
        return f"{file} has no symbol there; build it with -g, without -s and strip, and run it again"
    return f"{file} is not where it was when it ran; make the report where it is, built with -g"
