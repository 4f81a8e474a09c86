"""What the kernel says of this machine: files below /proc and /sys, and whether it carries out a call.

Tests put a made-up folder in the place of the root, and errors in the place of calls.
"""

from __future__ import annotations

import ctypes
import os
import platform
import re
import struct
from collections.abc import Callable
from dataclasses import dataclass, field
from errno import ENOSYS
from pathlib import Path

_NUMBERS = {  # of system calls: the kernel's unistd.h of each architecture
    "x86_64": {"mbind": 237, "set_mempolicy": 238, "move_pages": 279, "perf_event_open": 298},
    "aarch64": {"mbind": 235, "set_mempolicy": 237, "move_pages": 239, "perf_event_open": 241},
}
_SOFTWARE, _PAGE_FAULTS = 1, 2  # perf_event.h
_ATTRIBUTES, _DISABLED_USER_ONLY = 112, 0b1100001  # its size; disabled, exclude_kernel and exclude_hv


def try_call(name: str) -> int:
    """The error number with which the kernel refuses a call that changes nothing; 0: it carries it out."""
    number = _NUMBERS.get(platform.machine(), {}).get(name)
    if number is None:
        return ENOSYS
    libc = ctypes.CDLL(None, use_errno=True)
    arguments: list[object] = [0] * 6
    if name == "perf_event_open":
        attributes = bytearray(_ATTRIBUTES)
        struct.pack_into("=IIQ", attributes, 0, _SOFTWARE, _ATTRIBUTES, _PAGE_FAULTS)
        struct.pack_into("=Q", attributes, 40, _DISABLED_USER_ONLY)
        arguments = [(ctypes.c_char * _ATTRIBUTES).from_buffer(attributes), 0, -1, -1, 0, 0]
    result = libc.syscall(number, *arguments)
    if result >= 0 and name == "perf_event_open":
        os.close(result)
    return ctypes.get_errno() if result < 0 else 0


@dataclass(frozen=True)
class System:
    root: Path = Path("/")
    call: Callable[[str], int] = field(default=try_call)

    def path(self, name: str) -> Path:
        return self.root / name.lstrip("/")

    def text(self, name: str) -> str | None:
        """A file without the white space around it; None if it cannot be read."""
        try:
            return self.path(name).read_text().strip()
        except (OSError, UnicodeDecodeError):
            return None

    def number(self, name: str) -> int | None:
        text = self.text(name)
        return int(text) if text is not None and re.fullmatch(r"-?\d+", text) else None

    def names(self, folder: str, pattern: str = "*") -> list[str]:
        """What is in a folder, in order of the numbers in the names."""
        found = [path.name for path in self.path(folder).glob(pattern)] if self.path(folder).is_dir() else []
        parts = {name: re.split(r"(\d+)", name) for name in found}
        return sorted(found, key=lambda name: [int(part) if part.isdigit() else part for part in parts[name]])

    def kernel(self) -> tuple[int, int]:
        """Version of the kernel, (0, 0) if it does not say."""
        match = re.match(r"(\d+)\.(\d+)", self.text("/proc/sys/kernel/osrelease") or "")
        return (int(match[1]), int(match[2])) if match else (0, 0)


def numbers_of(listed: str) -> list[int]:
    """'0-2,5' -> [0, 1, 2, 5], as the kernel writes processors and nodes. Raises ValueError."""
    numbers: list[int] = []
    for part in filter(None, listed.split(",")):
        first, _, last = part.partition("-")
        numbers += range(int(first), int(last or first) + 1)
    return numbers
