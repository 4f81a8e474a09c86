"""Times of a run as linear functions of where its pages are: the rows of the oracle's linear programs.

A lane's time in a stretch follows from four runs: everything in slow or in fast memory, with and without contention.

    T_i(x) = U_i(x) + E_i(x),    x_p the part of page p that is in fast memory
    U_i(x) = U_i(slow) - (U_i(slow) - U_i(fast)) * sum over p of a_ip x_p    without contention
    E_i(x) = E_i(slow) - (E_i(slow) - E_i(fast)) * sum over p of d_ip x_p    what contention adds

a_ip is the page's part of the stalls that go away (or come), d_ip its part of the transfers. Beside the lanes
stand the tiers: no stretch ends before each tier has served what the stretch asks of it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from lbhm.base.errors import Refusal
from lbhm.files.page_counts import Cell, Label, PageCounts
from lbhm.oracle.rows import Rows, RowsBuilder

# Stalls by page are scaled to the measured difference of the lane's times if the factor is in this range (assumption).
CREDIBLE = (0.5, 2.0)


@dataclass(frozen=True)
class Profile:
    """Counts of one run without and one with contention."""

    unloaded: PageCounts
    loaded: PageCounts


def check_alike(*runs: PageCounts) -> None:
    """Raises Refusal when the runs are not runs of one program with one input."""
    first = runs[0]
    for other in runs[1:]:
        if not np.array_equal(first.object_pages, other.object_pages) or set(first.cells) != set(other.cells):
            raise Refusal(
                "oracle: the program allocated other objects, or ran other regions, when its data lay in other memory; "
                "an optimum needs runs that are alike: fix its random seeds, and let nothing depend on measured times"
            )


def rows_of(slow: Profile, fast: Profile, epoch: int, contended: bool) -> Rows:
    """The rows of an epoch."""
    return rows_of_labels(slow, fast, slow.unloaded.of_epoch(epoch), contended)


def rows_of_labels(slow: Profile, fast: Profile, chosen: Iterable[Label], contended: bool) -> Rows:
    """The rows of what lanes did in some stretches. contended: with E."""
    builder = RowsBuilder(len_pages(slow.unloaded), [], [], [], [])
    stretches: dict[tuple[int, ...], list[Label]] = {}
    for label in chosen:
        stretches.setdefault(label[:3], []).append(label)
    for stretch, labels in enumerate(stretches.values()):
        for label in labels:
            _add_lane(builder, stretch, slow, fast, label, contended)
        _add_tier(builder, stretch, [slow.loaded.cells[label] for label in labels], slow.loaded, True)
        _add_tier(builder, stretch, [fast.loaded.cells[label] for label in labels], slow.loaded, False)
    return builder.rows(len(stretches))


def len_pages(counts: PageCounts) -> int:
    """Managed pages, and one that stands for all others."""
    return int(counts.offsets[-1]) + 1


def _add_lane(builder: RowsBuilder, stretch: int, slow: Profile, fast: Profile, label: Label, contended: bool) -> None:
    in_slow, in_fast = slow.unloaded.cells[label], fast.unloaded.cells[label]
    base, pages = in_slow.time, in_slow.pages
    gain = _saved(in_slow, in_fast)
    if contended:
        loaded = slow.loaded.cells[label]
        extra = loaded.time - in_slow.time
        saved = extra - (fast.loaded.cells[label].time - in_fast.time)
        base += extra
        pages = np.concatenate([pages, loaded.pages])
        gain = np.concatenate([gain, saved * _parts(loaded.read + loaded.written)])
    builder.add(stretch, base, *_summed(pages, gain))


def _saved(in_slow: Cell, in_fast: Cell) -> np.ndarray:
    """How much shorter the lane's time gets by each page in fast memory (negative: longer), all together the measured
    difference. A page that only the slow run's lane used (dynamic schedules) is as others of the lane."""
    stall = in_slow.stall
    ratio = in_fast.stall.sum() / stall.sum() if stall.sum() > 0 else 0.0
    left = stall * ratio
    _, here, there = np.intersect1d(in_slow.pages, in_fast.pages, assume_unique=True, return_indices=True)
    left[here] = in_fast.stall[there]
    saved, whole = stall - left, in_slow.time - in_fast.time
    total = saved.sum()
    if total * whole > 0 and CREDIBLE[0] <= whole / total <= CREDIBLE[1]:
        return saved * (whole / total)
    weights = stall if stall.sum() > 0 else in_slow.accesses  # stalls do not explain the times
    return whole * _parts(weights)


def _parts(weights: np.ndarray) -> np.ndarray:
    total = weights.sum()
    return weights / total if total > 0 else np.zeros_like(weights)


def _summed(pages: np.ndarray, values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    unique, place = np.unique(pages, return_inverse=True)
    return unique, np.bincount(place, values, len(unique))


def _add_tier(builder: RowsBuilder, stretch: int, cells: list[Cell], machine: PageCounts, is_slow: bool) -> None:
    """Reads and writes pass a tier together for r + w - o min(r, w), the larger one of two linear terms."""
    pages = np.concatenate([cell.pages for cell in cells])
    read, written = (np.concatenate([getattr(cell, name) for cell in cells]) for name in ("read", "written"))
    overlap = machine.header["slow_overlap" if is_slow else "fast_overlap"]
    for reads, writes in {(1.0, 1.0 - overlap), (1.0 - overlap, 1.0)}:
        busy = reads * read + writes * written
        if is_slow:
            builder.add(stretch, float(busy.sum()), *_summed(pages, busy))
        else:
            builder.add(stretch, 0.0, *_summed(pages, -busy))
