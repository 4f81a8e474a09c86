"""Reads what valgrind's cachegrind wrote (--cachegrind-out-file)."""

from collections.abc import Callable
from dataclasses import dataclass

from harness.errors import BenchError


@dataclass
class Counts:
    references: int = 0  # data reads and writes; an instruction that does both counts once
    last_level_misses: int = 0  # of them

    def __sub__(self, other: "Counts") -> "Counts":
        return Counts(self.references - other.references, self.last_level_misses - other.last_level_misses)


def parse(text: str, keep: Callable[[str], bool]) -> Counts:
    """Sums over the functions whose name `keep` accepts. Format: valgrind manual, Cachegrind, "file format".

    Raises BenchError if the text has no events of a cache simulation.
    """
    events: list[str] = []
    counts = Counts()
    kept = False
    for line in text.splitlines():
        if line.startswith("events:"):
            events = line.split()[1:]
            if "DLmr" not in events:
                raise BenchError("cachegrind simulated no caches; it must run with --cache-sim=yes")
        elif line.startswith("fn="):
            kept = keep(line.removeprefix("fn="))
        elif kept and line[:1].isdigit():  # a source line's number, then its counts
            found = dict(zip(events, map(int, line.split()[1:]), strict=False))  # zeros at the end may be left out
            counts.references += found.get("Dr", 0) + found.get("Dw", 0)
            counts.last_level_misses += found.get("DLmr", 0) + found.get("DLmw", 0)
    if not events:
        raise BenchError("cachegrind's file has no events; did valgrind end early?")
    return counts
