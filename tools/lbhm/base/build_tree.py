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

    @property
    def libraries(self) -> Path:
        """The folder of all that is loaded: runtime, plugins, modules."""
        return self.root / "lib"

    @property
    def programs(self) -> Path:
        """The folder of the programs that measure."""
        return self.root / "bin"

    @property
    def include(self) -> Path:
        return SOURCE / "include"

    @property
    def requirements(self) -> Path:
        """The Python packages that lbhm doctor looks for."""
        return SOURCE / "tools" / "requirements.txt"

    @property
    def kept(self) -> Path:
        """The folder of what takes long to find out: here, where this user may write here."""
        return self.root if os.access(self.root, os.W_OK) else data_folder()

    @property
    def library(self) -> Path:
        """The runtime: OMPT tool, allocators, engine, emulator."""
        return self.libraries / "liblbhm.so"

    @property
    def heap(self) -> Path:
        """What stands in front of malloc (libc-ext)."""
        return self.libraries / "liblbhm-heap.so"

    @property
    def plugin(self) -> Path:
        """The clang plugin that instruments programs for the emulated machine."""
        return self.libraries / "liblbhm-plugin.so"

    @property
    def patterns(self) -> Path:
        """The clang plugin that finds access patterns and counts blocks, for real machines."""
        return self.libraries / "liblbhm-patterns.so"

    @property
    def presets(self) -> Path:
        """Machine files."""
        return self.root / "share" / "lbhm" / "machines"

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

    @property
    def libraries(self) -> Path:
        return _PACKAGE.parents[2]

    @property
    def programs(self) -> Path:
        return _PACKAGE.parents[1] / "bin"

    @property
    def include(self) -> Path:
        return self.root / "include"

    @property
    def requirements(self) -> Path:
        return self.root / "share" / "lbhm" / "requirements.txt"

    @property
    def kept(self) -> Path:
        return data_folder()


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
