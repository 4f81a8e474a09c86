"""Names of symbols as people write them: 'field::solve' of '_QMfieldPsolve..omp_par', or of 'app+0x31e90'."""

from __future__ import annotations

import re
import shutil
import subprocess
from bisect import bisect_right
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from elftools.common.exceptions import ELFError
from elftools.elf.elffile import ELFFile

PLACE = re.compile(r"^(?P<file>.+)\+0x(?P<offset>[0-9a-f]+)$")
# What compilers add to the function that a parallel region, a task or a copy was taken from.
_ADDED = re.compile(r"\.omp_outlined|\.omp_task_entry|\._omp_fn|\.\.omp_par|\.(cold|part|constprop|isra)\b")
_MANGLED = re.compile(r"_Z[A-Za-z0-9_$.]+|_Q[A-Z][A-Za-z0-9_.]*")
# flang's names are made of lower-case words behind capital letters: module, submodule, function around it, procedure,
# variable or (EC) constant, namelist; B and a number is a BLOCK. _QMfieldPsolve, _QMfieldFouterPinner, _QFPinner of the
# main program, _QMfieldEvalues, _QMfieldFsolveB1Esum.
_FLANG = re.compile(r"_Q(?:[MSFP][a-z0-9_]*|B\d+)*(?:(?:EC?|N)(?P<type>\.[a-z]+\.)?[a-z0-9_.]*)?$")
_FLANG_WORD = re.compile(r"(?:[MSFPN]|EC?)(?:\.[a-z]+\.)?([a-z0-9_.]*)|B\d+")
_FLANG_MAIN = "_QQmain"
_FLANG_CONSTANT = re.compile(r"_QQ(?:cl|ro)[X.]")  # texts and arrays that stand in the source
# Procedures and COMMON blocks outside of modules, as all compilers of Fortran call them.
_EXTERNAL = re.compile(r"[a-z][a-z0-9_]*_$")
_DEMANGLERS = ("llvm-cxxfilt-19", "c++filt")
_OPERATOR = re.compile(r"\boperator(?: new| delete)?(?:\(\)|\[\]|[^\w\s(]+|(?=\()|(?: \w[\w:<>, *&]*)(?=\())")


@dataclass(frozen=True, order=True)
class Symbol:
    """A function or a variable. file: the source that alone knows it (static), else ''."""

    begin: int
    end: int
    name: str
    file: str


class Symbols:
    """The functions (or variables) of a file by offset; none if it cannot be read."""

    def __init__(self, path: Path, kind: str = "STT_FUNC") -> None:
        self.all = _symbols(path, kind)
        self._begins = [symbol.begin for symbol in self.all]

    def at(self, offset: int) -> Symbol | None:
        index = bisect_right(self._begins, offset) - 1
        return self.all[index] if index >= 0 and offset < self.all[index].end else None


def _symbols(path: Path, kind: str) -> list[Symbol]:
    """Those that the linker keeps for debuggers, else those that other files see."""
    try:
        with path.open("rb") as file:
            elf = ELFFile(file)
            table = elf.get_section_by_name(".symtab") or elf.get_section_by_name(".dynsym")
            found, source = [], ""
            for symbol in table.iter_symbols() if table else ():
                if symbol["st_info"]["type"] == "STT_FILE":
                    source = symbol.name
                elif symbol["st_info"]["type"] == kind and symbol["st_shndx"] != "SHN_UNDEF":
                    begin, local = symbol["st_value"], symbol["st_info"]["bind"] == "STB_LOCAL"
                    found.append(Symbol(begin, begin + symbol["st_size"], symbol.name, source if local else ""))
            return sorted(found)
    except (OSError, ELFError):
        return []


class PlaceSymbols:
    """The functions (or variables) of the program and its libraries by place: 'app+0x31e90'."""

    def __init__(self, files: Iterable[Path], kind: str = "STT_FUNC") -> None:
        self.files = {path.name: path for path in files}
        self._kind = kind
        self._tables: dict[str, Symbols] = {}

    def at(self, place: str, before: int = 0) -> tuple[Symbol | None, int]:
        """The symbol that has the byte so many before a place, and how far behind its begin that is."""
        match = PLACE.match(place)
        if not match or match["file"] not in self.files:
            return None, 0
        file, offset = match["file"], int(match["offset"], 16) - before
        if file not in self._tables:
            self._tables[file] = Symbols(self.files[file], self._kind)
        symbol = self._tables[file].at(offset)
        return symbol, offset - symbol.begin if symbol else 0


def region_names(files: Iterable[Path]) -> Callable[[str], str]:
    """A function from a region of a report to its name; what no symbol tells keeps its place ('program+0x31e90')."""
    symbols = PlaceSymbols(files)

    def name(region: str) -> str:
        symbol, _ = symbols.at(region)
        return readable(symbol.name) if symbol else region

    return name


def distinct_names(regions: Iterable[str], name: Callable[[str], str]) -> dict[str, str]:
    """By region; those of one function are told apart by their order in the code."""
    names = {region: name(region) for region in regions}
    alike: dict[str, list[str]] = {}
    for region, shown in names.items():
        alike.setdefault(shown, []).append(region)
    for shown, places in alike.items():
        for number, region in enumerate(sorted(places, key=lambda place: (len(place), place)), 1):
            names[region] = f"{shown}, region {number}" if len(places) > 1 else shown
    return names


@cache
def readable(symbol: str) -> str:
    """'spgemm::multiply' of '_ZN6spgemm8multiplyE....omp_outlined'; 'field::values' of '_QMfieldEvalues'; 'solve' of
    'solve_', which in C keeps its name but for the underscore, too: few names there end so."""
    name = _ADDED.split(symbol)[0]
    if name.startswith("_Q"):
        return _of_flang(name) or symbol
    if _EXTERNAL.match(name):
        return name[:-1]
    if name.startswith("_Z"):
        return short_name(_demangled(name)) or symbol
    return name or symbol


def _of_flang(name: str) -> str | None:
    if name.startswith(_FLANG_MAIN):
        return "main program"
    if _FLANG_CONSTANT.match(name):
        return "constant"
    known = _FLANG.match(name)
    if not known:
        return None
    words = "::".join(filter(None, _FLANG_WORD.findall(name)))
    return f"{words} (type)" if known["type"] else words


def is_fortran(function: str) -> bool:
    """By its symbol: flang's, or outside of modules."""
    return function.startswith("_Q") or bool(_EXTERNAL.match(_ADDED.split(function)[0]))


def with_readable_names(text: str) -> str:
    """The same text with symbols in it as people write them: '&field::values' of '&_QMfieldEvalues'."""
    return _MANGLED.sub(lambda found: readable(found[0]), text)


def _demangled(symbol: str) -> str:
    demangler = next(filter(shutil.which, _DEMANGLERS), None)
    if demangler is None:
        return symbol
    return subprocess.run([demangler, symbol], capture_output=True, text=True, check=False).stdout.strip()


def short_name(demangled: str) -> str:
    """'field::solve' of 'void field::(anonymous namespace)::solve(int) (.omp_outlined)': no types, no parameters."""
    text = demangled.replace("(anonymous namespace)::", "").removeprefix("decltype(auto) ")
    found, at, depth = "", 0, 0
    while at < len(text):
        if depth == 0 and (operator := _OPERATOR.match(text, at)):
            found, at = found + operator[0], operator.end()
            continue
        letter = text[at]
        if depth == 0 and letter == "(":
            end = _closing(text, at)
            if not text.startswith("::", end):
                break
            at = end
            continue
        depth += (letter in "<(") - (letter in ">)")
        type_ends = depth == 0 and letter == " " and text[at + 1 : at + 2] != "<"  # operator<< <char>
        found = "" if type_ends else found + letter
        at += 1
    return _ADDED.split(found)[0]


def _closing(text: str, at: int) -> int:
    """Behind the parenthesis that closes the one at `at`, and behind what says const."""
    depth = 0
    for end in range(at, len(text)):
        depth += (text[end] == "(") - (text[end] == ")")
        if depth == 0:
            return end + 1 + len(" const") * text.startswith(" const", end + 1)
    return len(text)
