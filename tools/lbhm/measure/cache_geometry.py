"""The caches of this machine, as Linux describes them, and the nearest that a machine file can hold."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path

LINE = 64  # bytes
MOST_WAYS = 31  # of a machine file

_SYSFS = Path("/sys/devices/system/cpu/cpu0/cache")
_UNITS = {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30}


@dataclass(frozen=True)
class Cache:
    """shared: by several of the processors here. source: for the machine file."""

    bytes: int
    ways: int
    shared: bool
    source: str

    def as_allowed(self, any_sets: bool = False) -> Cache:
        """The nearest of LINE x ways x sets bytes, the sets a power of two unless any_sets."""
        ways = self.ways if 1 <= self.ways <= MOST_WAYS else 16
        sets = max(1, round(self.bytes / LINE / ways)) if any_sets else _power_of_two(self.bytes / LINE / ways)
        size = LINE * ways * sets
        nearest = "" if size == self.bytes else f"; the nearest that is {LINE} x {ways} x sets bytes"
        return Cache(size, ways, self.shared, self.source + nearest)


# Where Linux does not describe the caches (some virtual machines): common sizes.
_ASSUMED = {
    1: Cache(32 << 10, 8, False, "assumption: 32 KiB; this system does not describe its caches"),
    2: Cache(1 << 20, 16, False, "assumption: 1 MiB; this system does not describe its caches"),
}


def read_caches(sysfs: Path = _SYSFS) -> tuple[Cache, Cache, Cache]:
    """(L1, L2, last level). Without an L3 the last level is the L2 once more."""
    found: dict[int, Cache] = {}
    for folder in sorted(sysfs.glob("index*")):
        try:
            kind = _text(folder / "type")
            if kind != "Instruction":
                found[int(_text(folder / "level"))] = _cache(folder)
        except (OSError, ValueError, KeyError):
            continue  # an entry that says nothing usable
    l1, l2 = (found.get(level, _ASSUMED[level]) for level in (1, 2))
    return l1, l2, found.get(3, l2)


def _cache(folder: Path) -> Cache:
    size = _text(folder / "size")
    return Cache(
        bytes=int(size[:-1]) * _UNITS[size[-1]],
        ways=int(_text(folder / "ways_of_associativity")),
        shared=any(mark in _text(folder / "shared_cpu_list") for mark in ",-"),
        source=f"measured: {folder} of Linux: {size}iB",
    )


def _text(path: Path) -> str:
    return path.read_text().strip()


def _power_of_two(number: float) -> int:
    return 1 << max(0, round(math.log2(max(1.0, number))))
