"""All cells, one after the other, with what is on disk taken from there."""

import sys
import time
from collections.abc import Iterator

from harness.campaign.cells import APPLICATIONS, REFERENCES, WHOLE, Cell
from harness.campaign.runs import Runner
from harness.campaign.store import Store
from harness.errors import BenchError


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def run_all(cells: list[Cell], runner: Runner, store: Store) -> tuple[list[dict], list[str]]:
    """Results, and a sentence for each cell that failed: the others are not lost for it."""
    results, failures = [], []
    for number, (cell, result, seconds) in enumerate(results_of(cells, runner, store), start=1):
        done = f"[{number}/{len(cells)}] {cell.name}"
        if isinstance(result, BenchError):
            failures.append(str(result))
            say(f"{done}: FAILED: {result}")
            continue
        results.append(result)
        how = f"{seconds:.0f} s" if seconds is not None else "from disk"
        say(f"{done}: {result['makespan_ns'] / 1e6:.1f} ms ({how})")
    return results, failures


def results_of(
    cells: list[Cell], runner: Runner, store: Store
) -> Iterator[tuple[Cell, dict | BenchError, float | None]]:
    """(cell, its result or why there is none, seconds that it took or None if it was on disk)."""
    footprints: dict[tuple[str, str], int] = {}
    checksums: dict[str, str] = {}
    for cell in cells:
        application = APPLICATIONS[cell.application]
        key = store.key(application, cell)
        result, seconds = store.load(cell, key), None
        if result is None:
            begin = time.monotonic()
            try:
                result = runner.run(application, cell, footprint_of(cell, footprints))
            except BenchError as error:
                yield cell, error, None
                continue
            seconds = time.monotonic() - begin
            store.save(cell, key, result)
        if cell.policy == REFERENCES[0]:
            footprints[cell.application, cell.preset] = result["footprint_bytes"]
        expected = checksums.setdefault(cell.application, result["checksum"])
        if result["checksum"] != expected:
            yield (
                cell,
                BenchError(f"{cell.name}: the result is another one: {result['checksum']}, not {expected}"),
                None,
            )
            continue
        yield cell, result, seconds


def footprint_of(cell: Cell, footprints: dict[tuple[str, str], int]) -> int:
    if cell.capacity == WHOLE:
        return 0
    known = footprints.get((cell.application, cell.preset))
    if known is None:
        raise BenchError(f"{cell.name}: the footprint is unknown, because {REFERENCES[0]} failed before")
    return known
