"""Names of places: 'app+0x1a2b', where a block of the heap was asked for, is a line of source that a person knows."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from lbhm.program.symbols import PLACE, PlaceSymbols, distinct_names, readable

_LINES = ("llvm-addr2line-19", "addr2line")  # the same options, the same answers
# What asks for memory on somebody's behalf: nobody looks for it in his own program.
_LIBRARY_FILE = re.compile(r"/usr/(include|lib)/|/include/c\+\+/")
_LIBRARY_FUNCTION = re.compile(r"(std|__gnu_cxx)::|operator new|_Fortran|Fortran::runtime")
_LIBRARY_MODULE = re.compile(r"lib(stdc\+\+|c\+\+|gfortran|flang|Fortran)")


@dataclass(frozen=True)
class Frame:
    """A call as a person knows it, inlined ones too. library: of the runtime of C++ or Fortran."""

    text: str  # 'solve.c:12 (relax)', 'relax', or the place itself
    library: bool


Frames = dict[str, list[Frame]]  # by place, innermost first; never empty


def frames_of(places: Iterable[str], files: Iterable[Path]) -> Frames:
    """By place, where a call returns to: the calls that the compiler made one of. The call is the byte before.

    files: the program and its libraries.
    """
    symbols = PlaceSymbols(files)
    found: Frames = {}
    by_file: dict[str, list[tuple[str, int]]] = {}
    for place in places:
        match = PLACE.match(place)
        if match and match["file"] in symbols.files:
            by_file.setdefault(match["file"], []).append((place, int(match["offset"], 16) - 1))
        else:
            found[place] = [Frame(place, bool(_LIBRARY_MODULE.match(place)))]
    for file, calls in by_file.items():
        for (place, _), lines in zip(calls, _lines(symbols.files[file], [call for _, call in calls]), strict=True):
            symbol, _ = symbols.at(place, before=1)
            lines = lines or [(symbol.name if symbol else "", "", "")]
            found[place] = [_frame(place, *line) for line in lines]
    return found


def _frame(place: str, function: str, path: str, line: str) -> Frame:
    name = readable(function) if function else place
    library = bool(_LIBRARY_FILE.search(path) or _LIBRARY_FUNCTION.match(name) or _LIBRARY_MODULE.match(place))
    return Frame(f"{Path(path).name}:{line} ({name})" if line else name, library)


def place_names(places: Iterable[str], files: Iterable[Path]) -> dict[str, str]:
    """By place: 'solve.c:12 (relax)' where there is debug information, else the function, else the place itself."""
    frames = frames_of(places, files)
    return {place: path_of([place], frames)[0] for place in frames}


def construct_names(regions: Iterable[str], files: Iterable[Path]) -> dict[str, str]:
    """The same of parallel regions, which are the places where the functions that the compiler made of them begin.

    Those that look alike are told apart by their order in the code.
    """
    inside = {region: _behind_first_byte(region) for region in regions}
    names = place_names(inside.values(), files)
    known = {region: names[place] if names[place] != place else region for region, place in inside.items()}
    return distinct_names(known, known.__getitem__)


def _behind_first_byte(place: str) -> str:
    match = PLACE.match(place)
    return f"{match['file']}+{int(match['offset'], 16) + 1:#x}" if match else place


def path_of(calls: Iterable[str], frames: Frames) -> list[str]:
    """The calls in words, innermost first, from the one that a person would look for; never empty for any call."""
    all_of = [frame for call in calls for frame in frames[call]]
    return [frame.text for frame in all_of if not frame.library] or [frame.text for frame in all_of[-1:]]


def call_of(calls: list[str], frames: Frames) -> str:
    """The one of the calls that path_of begins with: in a line, or a function without lines, there may be several."""
    return next((call for call in calls if not all(frame.library for frame in frames[call])), calls[-1])


def variable_names(places: Iterable[str], files: Iterable[Path]) -> dict[str, str]:
    """By place of a variable: its name ('field::values', 'grid+0x40'); the place itself where no symbol tells it."""
    variables = PlaceSymbols(files, "STT_OBJECT")
    found = {}
    for place in places:
        symbol, inside = variables.at(place)
        found[place] = readable(symbol.name) + (f"+{inside:#x}" if inside else "") if symbol else place
    return found


def _lines(file: Path, offsets: list[int]) -> list[list[tuple[str, str, str]]]:
    """(function, path, line) of each and of what it was inlined into; empty without debug information."""
    tool = next(filter(shutil.which, _LINES), None)
    if tool is None:
        return [[] for _ in offsets]
    command = [tool, "-a", "-f", "-i", "-e", str(file), *map(hex, offsets)]
    answers = subprocess.run(command, capture_output=True, text=True, check=False).stdout
    groups = [group.splitlines()[1:] for group in re.split(r"^(?=0x[0-9a-f]+$)", answers, flags=re.MULTILINE)[1:]]
    if len(groups) != len(offsets):
        return [[] for _ in offsets]
    found = []
    for group in groups:
        lines = [(function, *_line(answer)) for function, answer in zip(group[::2], group[1::2], strict=False)]
        found.append([line for line in lines if line[2] and line[0] != "??"])
    return found


def _line(answer: str) -> tuple[str, str]:
    """'/src/a.c:3 (discriminator 2)' is ('/src/a.c', '3'); a line 0 is none."""
    path, _, line = answer.split(" (")[0].rpartition(":")
    return (path, line) if line.isdigit() and int(line) > 0 else ("", "")
