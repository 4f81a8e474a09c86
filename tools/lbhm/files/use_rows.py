"""A row of `uses` in a profile (schema lbhm.profile/2): what an object was used for in a phase."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

LEVELS = ("l1", "l2", "llc", "prefetcher", "memory")  # who had the line
MEMORY = LEVELS.index("memory")


class Use(NamedTuple):
    """Samples. hits: of loads and stores, those that nobody waited for; prefetched: of these, lines on their way.

    What follows is None in profiles of older versions. first_ns, last_ns: of the samples. most: samples of the lane
    that has the most. levels: by LEVELS, touches and the mean latency of their loads in ns; all 0 where nothing
    tells. lanes: [lane, loads, stores, hits, prefetched, first_ns, last_ns, levels]."""

    phase: int
    loads: int
    stores: int
    hits: int
    prefetched: int
    first_ns: float | None = None
    last_ns: float | None = None
    most: int | None = None
    levels: list[tuple[int, float]] | None = None
    lanes: list[list[Any]] | None = None

    def by_lane(self) -> Iterator[tuple[int, Use]]:
        """What each lane had of it."""
        for lane, loads, stores, hits, prefetched, first_ns, last_ns, levels in self.lanes or ():
            counts = (int(loads), int(stores), int(hits), int(prefetched))
            yield int(lane), Use(self.phase, *counts, first_ns, last_ns, loads + stores, levels)

    def with_counts_of(self, other: Use) -> Use:
        """The sums of both, without times and levels."""
        return Use(self.phase, *(a + b for a, b in zip(self[1:5], other[1:5], strict=True)))

    @property
    def lanes_add_up(self) -> bool:
        """Each lane is there once, and all of them together have what it has; also where nothing is known of lanes."""
        lanes = list(self.by_lane())
        counts = [self[1:5], *(part[1:5] for _, part in lanes)]
        return self.lanes is None or (
            len({lane for lane, _ in lanes}) == len(lanes)
            and all(whole == sum(parts) for whole, *parts in zip(*counts, strict=True))
        )

    @property
    def touches(self) -> int:
        return self.loads + self.stores

    @property
    def came(self) -> int:
        """Of the touches, those whose lines came from memory."""
        return self.touches - (self.hits - self.prefetched)

    def from_memory(self, way: str) -> float:
        """The share of the loads or of the stores whose lines came from memory, as if it were the same of both."""
        return getattr(self, way) * self.came / self.touches if self.touches else 0.0

    def during_ns(self, longest: float) -> float:
        """How long it was used, of `longest` at most, where that can be told: n even draws from a stretch of time cover
        (n - 1) / (n + 1) of it on average."""
        if self.first_ns is None or self.last_ns is None or self.touches < 2:
            return longest
        return min(longest, (self.last_ns - self.first_ns) * (self.touches + 1) / (self.touches - 1))


def uses_of(item: dict[str, Any]) -> Iterator[Use]:
    """Of an object."""
    return rows(item["uses"])


def rows(found: Iterable[list[Any]]) -> Iterator[Use]:
    return (Use(int(phase), *counts) for phase, *counts in found)  # to a schema 2.0 is a whole number
