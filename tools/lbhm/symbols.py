"""Names of regions: 'program+0x31e90' of a report is the function that a person knows it by."""

from __future__ import annotations

import re
import shutil
import subprocess
from bisect import bisect_right
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path

from elftools.common.exceptions import ELFError
from elftools.elf.elffile import ELFFile

_PLACE = re.compile(r"^(?P<file>.+)\+0x(?P<offset>[0-9a-f]+)$")
# flang's names: _QPsolve, _QMfieldPsolve of a module, _QMfieldFouterPinner, _QQmain.
_FLANG = re.compile(r"_Q(?:Qmain|(?:M([a-z0-9_]+))?(?:F([a-z0-9_]+))?P([a-z0-9_]+))$")
_DEMANGLERS = ("llvm-cxxfilt-19", "c++filt")


def region_names(files: Iterable[Path]) -> Callable[[str], str]:
    """A function from a region of a report to its name; what no symbol tells keeps its place ('program+0x31e90')."""
    known = {path.name: path for path in files}
    tables: dict[str, list[tuple[int, int, str]]] = {}

    def name(region: str) -> str:
        place = _PLACE.match(region)
        if not place or place["file"] not in known:
            return region
        if place["file"] not in tables:
            tables[place["file"]] = _functions(known[place["file"]])
        symbol = _symbol_at(tables[place["file"]], int(place["offset"], 16))
        return readable(symbol) if symbol else region

    return name


def _functions(path: Path) -> list[tuple[int, int, str]]:
    """(first byte, end, symbol) of every function, sorted; empty if the file is stripped or cannot be read."""
    try:
        with path.open("rb") as file:
            table = ELFFile(file).get_section_by_name(".symtab")
            symbols = [s for s in table.iter_symbols() if s["st_info"]["type"] == "STT_FUNC"] if table else []
            return sorted((s["st_value"], s["st_value"] + s["st_size"], s.name) for s in symbols)
    except (OSError, ELFError):
        return []


def _symbol_at(functions: list[tuple[int, int, str]], offset: int) -> str | None:
    index = bisect_right(functions, offset, key=lambda function: function[0]) - 1
    if index < 0 or offset >= functions[index][1]:
        return None
    return functions[index][2]


@cache
def readable(symbol: str) -> str:
    """'spgemm::multiply' of '_ZN6spgemm8multiplyE....omp_outlined'."""
    function = re.split(r"\.omp_outlined|\._omp_fn|\.\.omp_par", symbol)[0]
    if fortran := _FLANG.match(function):
        return "::".join(part for part in fortran.groups() if part) or "main program"
    demangler = next(filter(shutil.which, _DEMANGLERS), None)
    if demangler is None or not function.startswith("_Z"):
        return function
    demangled = subprocess.run([demangler, function], capture_output=True, text=True, check=False).stdout.strip()
    return short_name(demangled) or function


def short_name(demangled: str) -> str:
    """'field::solve' of 'field::(anonymous namespace)::solve(int) (.omp_outlined)'."""
    return demangled.replace("(anonymous namespace)::", "").split("(")[0].strip()
