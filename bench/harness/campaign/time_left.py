"""How long a campaign has run, and how long it may take still."""

import time
from collections import Counter

from harness.campaign.cells import Cell


class TimeLeft:
    """What is left is taken to be as long as runs of the same program were, which are of all lengths; of programs that
    have not run, as long as all others on average. Finished cells on disk count as left until they have been read."""

    def __init__(self, cells: list[Cell], jobs: int):
        self._left = Counter()
        for cell in cells:
            self._left[cell.application] += runs_of(cell)
        self._took: dict[str, tuple[int, float]] = {}  # program -> runs, their seconds
        self._begin, self._jobs = time.monotonic(), jobs

    def done(self, cell: Cell, seconds: float | None) -> None:
        """seconds: None if the cell was on disk, or failed."""
        self._left[cell.application] -= runs_of(cell)
        if seconds is not None:
            runs, before = self._took.get(cell.application, (0, 0.0))
            self._took[cell.application] = (runs + runs_of(cell), before + seconds)

    def seconds(self) -> float | None:
        """None if nothing has run."""
        if not self._took:
            return None
        mean = sum(took for _, took in self._took.values()) / sum(runs for runs, _ in self._took.values())
        of = {program: took / runs for program, (runs, took) in self._took.items()}
        return sum(runs * of.get(program, mean) for program, runs in self._left.items()) / self._jobs

    def __str__(self) -> str:
        left = self.seconds()
        return "" if left is None else f"; {clock(time.monotonic() - self._begin)} so far, {clock(left)} left"


def runs_of(cell: Cell) -> int:
    return len(cell.variations) or 1


def clock(seconds: float) -> str:
    minutes = round(seconds / 60)
    if seconds < 100:
        return f"{seconds:.0f} s"
    return f"{minutes} min" if minutes < 100 else f"{minutes // 60} h {minutes % 60:02} min"
