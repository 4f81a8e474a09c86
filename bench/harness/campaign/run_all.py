"""All cells, some at a time, with what is on disk taken from there."""

import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

from harness.campaign.cells import REFERENCES, WHOLE, Application, Cell
from harness.campaign.runs import Runner
from harness.campaign.store import Store
from harness.campaign.time_left import TimeLeft
from harness.errors import BenchError
from lbhm.execute.side_by_side import SideBySide

Outcome = tuple[dict | BenchError, float | None]  # a result or why there is none; seconds, None if it was on disk


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


@dataclass
class Campaign:
    applications: dict[str, Application]
    runner: Runner
    store: Store
    jobs: int  # runs at a time; virtual times do not depend on it

    def run(self, cells: list[Cell]) -> tuple[list[dict], list[str]]:
        """Results, and a sentence for each cell that failed: the others are not lost for it."""
        results, failures, left = [], [], TimeLeft(cells, self.jobs)
        for number, (cell, result, seconds) in enumerate(self._results(cells), start=1):
            left.done(cell, seconds)
            done = f"[{number}/{len(cells)}] {cell.name}"
            if isinstance(result, BenchError):
                failures.append(str(result))
                say(f"{done}: FAILED: {result}")
                continue
            results.append(result)
            how = f"{seconds:.0f} s{left}" if seconds is not None else "from disk"
            say(f"{done}: {result['makespan_ns'] / 1e6:.1f} ms ({how})")
        return results, failures

    def kept(self, cells: list[Cell]) -> list[Cell]:
        """Those that are on disk."""
        return [
            cell for cell in cells if self.store.load(cell, self.store.key(self.applications[cell.application], cell))
        ]

    def _results(self, cells: list[Cell]) -> Iterator[tuple[Cell, dict | BenchError, float | None]]:
        """(cell, its result or why there is none, seconds that it took or None if it was on disk), in order."""
        checksums: dict[str, str] = {}
        with SideBySide(self.jobs) as side_by_side:
            for cell, outcome in zip(cells, self._begin(side_by_side, cells), strict=True):
                result, seconds = outcome()
                if not isinstance(result, BenchError):
                    result = checked(cell, result, checksums)
                yield cell, result, seconds

    def _begin(self, side_by_side: SideBySide, cells: list[Cell]) -> list[Callable[[], Outcome]]:
        """Cells begin in their order, so whoever waits for the footprint waits for a run that has begun."""
        slow: dict[tuple[str, str], Callable[[], Outcome]] = {}
        begun = []
        for cell in cells:
            of = (cell.application, cell.preset)
            begun.append(side_by_side.begin(partial(self._one, cell, slow.get(of))))
            if cell.policy == REFERENCES[0]:
                slow[of] = begun[-1]
        return begun

    def _one(self, cell: Cell, slow: Callable[[], Outcome] | None) -> Outcome:
        application = self.applications[cell.application]
        key = self.store.key(application, cell)
        if (known := self.store.load(cell, key)) is not None:
            return known, None
        try:
            footprint = footprint_of(cell, slow)
            begin = time.monotonic()
            result = self.runner.run(application, cell, footprint)
        except BenchError as error:
            return error, None
        self.store.save(cell, key, result)
        return result, time.monotonic() - begin


def checked(cell: Cell, result: dict, checksums: dict[str, str]) -> dict | BenchError:
    expected = checksums.setdefault(cell.application, result["checksum"])
    if result["checksum"] == expected:
        return result
    return BenchError(f"{cell.name}: the result is another one: {result['checksum']}, not {expected}")


def footprint_of(cell: Cell, slow: Callable[[], Outcome] | None) -> int:
    if cell.capacity == WHOLE:
        return 0
    result = slow()[0] if slow else None
    if not isinstance(result, dict):
        raise BenchError(f"{cell.name}: the footprint is unknown, because {REFERENCES[0]} failed before")
    return result["footprint_bytes"]
