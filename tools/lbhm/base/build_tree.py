"""Where the parts of LB-HM are: in the tree that it is installed in, or in a build tree (LBHM_BUILD, build/release).

An installed command has a fixed place in its tree, <prefix>/lib/lbhm/python/lbhm, and looks for the rest from there:
the tree may be moved. In the source this folder is tools/lbhm.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

from lbhm.base.errors import Refusal

_PACKAGE = Path(__file__).resolve().parents[1]
INSTALLED = _PACKAGE.parent.name == "python"
SOURCE = _PACKAGE.parents[1]
AGAIN = "install LB-HM again (docs/install.md)" if INSTALLED else "build LB-HM again with ./quickstart"


class BuildTree:
    """No dataclass: importing that takes longer than a compiler's start (compiler_wrapper.py)."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.programs = root / "bin"  # those that measure
        self.include = SOURCE / "include"
        self.requirements = SOURCE / "tools" / "requirements.txt"  # the Python packages that lbhm doctor looks for
        self.presets = root / "share" / "lbhm" / "machines"  # machine files
        self._loaded_from(root / "lib")

    def _loaded_from(self, libraries: Path) -> None:
        """The folder of all that is loaded: runtime, plugins, modules."""
        self.libraries = libraries
        self.library = libraries / "liblbhm.so"  # the runtime: OMPT tool, allocators, engine, emulator
        self.heap = libraries / "liblbhm-heap.so"  # what stands in front of malloc (libc-ext)
        self.plugin = libraries / "liblbhm-plugin.so"  # of clang: instruments programs for the emulated machine
        self.patterns = libraries / "liblbhm-patterns.so"  # the same for real ones: finds patterns, counts blocks

    @property
    def kept(self) -> Path:
        """The folder of what takes long to find out: here, where this user may write here."""
        return data_folder() if INSTALLED or not os.access(self.root, os.W_OK) else self.root

    def need_library(self, emulated: bool = True) -> Path:
        """The runtime's path: on real machines it stands in front of fewer functions. Raises Refusal when it is not
        built."""
        library = self.library if emulated else self.libraries / "host" / self.library.name
        if not library.is_file():
            raise absent(f"{library}: the runtime")
        return library

    def need_program(self, name: str) -> Path:
        """The path of a program that measures. Raises Refusal when it is not built."""
        program = self.programs / name
        if program.is_file():
            return program
        if INSTALLED:
            raise absent(f"{program}: the program")
        raise Refusal(f"{program}: is not built here; run ./quickstart, or `ninja -C {self.root} {name}`")


class Installation(BuildTree):
    """<prefix>, as cmake --install fills it."""

    def __init__(self) -> None:
        super().__init__(_PACKAGE.parents[3])
        self.programs = _PACKAGE.parents[1] / "bin"
        self.include = self.root / "include"
        self.requirements = self.root / "share" / "lbhm" / "requirements.txt"
        self._loaded_from(_PACKAGE.parents[2])


def find_build() -> BuildTree:
    if INSTALLED:
        return Installation()
    return BuildTree(Path(os.environ.get("LBHM_BUILD") or SOURCE / "build" / "release").absolute())


def absent(what: str) -> Refusal:
    """For a part that is not where it belongs."""
    if INSTALLED:
        return Refusal(f"{what} is not there; {AGAIN}")
    return Refusal(f"{what} is not built here; run ./quickstart, or set LBHM_BUILD")


def data_folder() -> Path:
    """The user's own files: machines, measurements, a venv. Raises Refusal where nobody knows whose they are."""
    try:
        return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "lbhm"
    except RuntimeError:
        raise Refusal(
            "HOME is not set, and this user has none; set HOME or XDG_DATA_HOME to a folder of yours"
        ) from None


def version() -> str:
    """project(VERSION) of CMakeLists.txt, which is not there where LB-HM is installed, but what CMake wrote is."""
    if INSTALLED:
        return (find_build().root / "share" / "lbhm" / "version").read_text().strip()
    return re.search(r"^project\(lbhm VERSION (\S+)", (SOURCE / "CMakeLists.txt").read_text(), re.MULTILINE)[1]
