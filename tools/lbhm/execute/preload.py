"""LD_PRELOAD of a program: in which order libraries come in front of it."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

from lbhm.program.elf import inspect

# Runtimes that end the program if another library comes before them, or miss what that library does.
_SANITIZERS = ("libasan.so", "libhwasan.so", "liblsan.so", "libtsan.so", "libclang_rt.asan", "libclang_rt.hwasan")


def _is_sanitizer(library: str) -> bool:
    return Path(library).name.startswith(_SANITIZERS)


def preload_list(program: str, ours: Path, users: str, heap: Path | None = None) -> str:
    """Sanitizer runtimes that the program needs or the user preloads, then liblbhm.so, then what the user preloads.

    program: the first word of a command; one that another loader starts gets nothing of ours. users: LD_PRELOAD as it
    was, libraries apart by colons or spaces. heap: comes right behind liblbhm.so; not beside a sanitizer, which wants
    to see every block.
    """
    given = [library for library in re.split(r"[:\s]+", users) if library]
    first = [library for library in given if _is_sanitizer(library)]
    if found := shutil.which(program):
        looked = inspect(Path(found))
        if looked.foreign:
            return users
        first = first or [str(path) for name, path in looked.libraries.items() if _is_sanitizer(name)]
    both = [str(ours)] if first or heap is None else [str(ours), str(heap)]
    return ":".join([*first, *both, *(library for library in given if library not in first)])
