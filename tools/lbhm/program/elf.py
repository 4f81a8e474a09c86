"""What a program is made of, read from its ELF file and the libraries that the loader would give it; sections of such
files, where the plugin leaves what it has to say."""

from __future__ import annotations

import os
import re
import struct
import subprocess
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from elftools.common.exceptions import ELFError
from elftools.elf.elffile import ELFFile

from lbhm.base.errors import Refusal

PLUGIN_SECTION = ".lbhm.module"  # LBHM_EMU_SECTION of include/lbhm/instrumentation.h
LINKED = ("ET_EXEC", "ET_DYN")  # programs and shared libraries
_RECORD = struct.Struct("<4I")  # struct lbhm_emu_module: abi, sites, skipped, reserved
_LIBRARY = re.compile(r"^\s*(?:(\S+) => )?(/\S+) \(0x[0-9a-f]+\)$")
# What omp_alloc and the directive `allocate` call.
_ALLOCATORS = (
    *("omp_alloc", "omp_calloc", "omp_realloc", "omp_aligned_alloc", "omp_aligned_calloc"),
    *("__kmpc_alloc", "__kmpc_calloc", "__kmpc_aligned_alloc"),
)
_OURS = Path("/lib64/ld-linux-x86-64.so.2")  # the loader, where the ABI of x86-64 has it
_SCRIPTS = 5  # run by scripts, as in the kernel
_BOTH_LEAVE = ("lbhm_patterns", "lbhm_blocks")  # LBHM_PATTERNS_SECTION, LBHM_BLOCKS_SECTION
_MISSING = re.compile(r"^\s*(\S+) => not found$")


@dataclass
class Program:
    """elf: False for scripts, of which nothing else is known. plugin_versions: by instrumented file, libraries too.
    foreign: the loader that starts it, or a script's interpreter, if it is not ours: of musl, another glibc, 32 bits.
    asks_openmp: it or a library calls OpenMP's allocators. looked_at: it or a library was built with either plugin.
    """

    path: Path
    elf: bool = False
    loader: str = ""  # of a dynamic program
    foreign: str = ""
    plugin_versions: dict[Path, frozenset[int]] = field(default_factory=dict)
    libraries: dict[str, Path] = field(default_factory=dict)  # name asked for -> file
    missing: list[str] = field(default_factory=list)
    asks_openmp: bool = False
    looked_at: bool = False

    @property
    def how_built(self) -> str:
        """Of one that is not instrumented: the plugin that `lbhm cc` adds without --emulate only looks and counts."""
        plugin = "LB-HM's plugin"
        return f"built with {plugin}, but without --emulate" if self.looked_at else f"not built with {plugin}"

    @property
    def dynamic(self) -> bool:
        return bool(self.loader)

    @property
    def instrumented(self) -> bool:
        return bool(self.plugin_versions)

    def needs(self, *prefixes: str) -> bool:
        """True if a library whose name starts with one of the prefixes is loaded with the program."""
        names = set(self.libraries) | {path.resolve().name for path in self.libraries.values()}
        return any(name.startswith(prefix) for name in names for prefix in prefixes)


def section(path: Path, name: str, types: tuple[str, ...] | None = None) -> bytes:
    """The bytes of a section; empty if there is none, if the file is not of these types, or is no ELF file at all."""
    try:
        with path.open("rb") as file:
            elf = ELFFile(file)
            found = elf.get_section_by_name(name) if types is None or elf["e_type"] in types else None
            return found.data() if found else b""
    except (OSError, ELFError):
        return b""


def versions_in(path: Path) -> frozenset[int]:
    """The plugin versions that built parts of this file; empty if none did, or if it is no ELF file."""
    data = section(path, PLUGIN_SECTION)
    whole = len(data) - len(data) % _RECORD.size
    return frozenset(abi for abi, *_ in _RECORD.iter_unpack(data[:whole]))


def _loader(path: Path) -> str:
    with path.open("rb") as file:
        found = (segment for segment in ELFFile(file).iter_segments() if segment["p_type"] == "PT_INTERP")
        return next((segment.get_interp_name() for segment in found), "")


def _foreign(path: Path, scripts: int = 0) -> str:
    """Program.foreign."""
    try:
        with path.open("rb") as file:
            first = file.readline(256)
        if first.startswith(b"#!"):
            words = first[2:].split()
            return _foreign(Path(os.fsdecode(words[0])), scripts + 1) if words and scripts < _SCRIPTS else ""
        loader = _loader(path)
        return loader if loader and not Path(loader).samefile(_OURS) else ""
    except (OSError, ELFError):  # it is not here, or no program
        return ""


def _libraries(path: Path) -> tuple[dict[str, Path], list[str]]:
    """What the loader finds, LD_PRELOAD and LD_LIBRARY_PATH included, and what it does not. $ORIGIN is where the
    program itself is, not a link to it."""
    words, environment = ["ldd", str(path.resolve())], {**os.environ, "LC_ALL": "C"}
    try:
        listing = subprocess.run(words, capture_output=True, text=True, env=environment)
    except FileNotFoundError:
        raise Refusal("ldd, which tells a program's libraries, is not in PATH; install it (Debian: libc-bin)") from None
    found: dict[str, Path] = {}
    missing: list[str] = []
    for line in listing.stdout.splitlines():
        if match := _LIBRARY.match(line):
            found[match[1] or Path(match[2]).name] = Path(match[2])
        elif match := _MISSING.match(line):
            missing.append(match[1])
    return found, missing


def _asks_openmp(path: Path) -> bool:
    names = section(path, ".dynstr")
    if not any(name.encode() + b"\0" in names for name in _ALLOCATORS):
        return False
    with path.open("rb") as file:
        symbols = ELFFile(file).get_section_by_name(".dynsym")
        return any(
            symbol.name in _ALLOCATORS and symbol["st_shndx"] == "SHN_UNDEF" for symbol in symbols.iter_symbols()
        )


@cache
def inspect(path: Path) -> Program:
    """Once a command, for it takes long. What is no ELF file is a script. Raises Refusal without ldd."""
    program = Program(path, foreign=_foreign(path))
    with path.open("rb") as file:
        program.elf = file.read(4) == b"\x7fELF"
    if not program.elf:
        return program
    try:
        program.loader = _loader(path)
    except ELFError:
        return program
    if program.dynamic and not program.foreign:
        program.libraries, program.missing = _libraries(path)
    files = [path, *program.libraries.values()]
    program.asks_openmp = any(_asks_openmp(file) for file in files)
    program.looked_at = any(section(file, name) for file in files for name in _BOTH_LEAVE)
    found = {file: versions_in(file) for file in files}
    program.plugin_versions = {file: versions for file, versions in found.items() if versions}
    return program
