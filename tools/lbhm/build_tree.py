"""Where the parts of LB-HM are: the build tree that LBHM_BUILD names, build/release without it."""

from __future__ import annotations

import os
from pathlib import Path

from lbhm.errors import Refusal

SOURCE = Path(__file__).resolve().parents[2]


class BuildTree:
    """No dataclass: importing that takes longer than a compiler's start (compiler_wrapper.py)."""

    def __init__(self, root: Path) -> None:
        self.root = root

    @property
    def library(self) -> Path:
        """The runtime: OMPT tool, allocators, engine, emulator."""
        return self.root / "lib" / "liblbhm.so"

    @property
    def heap(self) -> Path:
        """What stands in front of malloc (libc-ext)."""
        return self.root / "lib" / "liblbhm-heap.so"

    @property
    def plugin(self) -> Path:
        """The clang plugin that instruments programs for the emulated machine."""
        return self.root / "lib" / "liblbhm-plugin.so"

    @property
    def patterns(self) -> Path:
        """The clang plugin that finds access patterns and counts blocks, for real machines."""
        return self.root / "lib" / "liblbhm-patterns.so"

    @property
    def presets(self) -> Path:
        """Machine files."""
        return self.root / "share" / "lbhm" / "machines"

    @property
    def include(self) -> Path:
        return SOURCE / "include"

    def need_library(self) -> Path:
        """The runtime's path. Raises Refusal when it is not built."""
        if not self.library.is_file():
            raise Refusal(f"{self.library}: the runtime is not built here; run ./quickstart, or set LBHM_BUILD")
        return self.library


def find_build() -> BuildTree:
    return BuildTree(Path(os.environ.get("LBHM_BUILD") or SOURCE / "build" / "release").absolute())
