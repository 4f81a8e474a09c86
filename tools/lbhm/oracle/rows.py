"""The rows of the oracle's linear programs: how long a lane or a tier takes, for every placement."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import sparse


@dataclass(frozen=True)
class Rows:
    """M[stretch[r]] + (gain @ x)[r] >= base[r] for every row r; the time of the epochs is the sum of M, in ps."""

    gain: sparse.csr_matrix  # rows x pages
    base: np.ndarray
    stretch: np.ndarray
    stretches: int

    def of_stretch(self, stretch: int) -> tuple[Rows, np.ndarray]:
        """Those of one stretch, and which they are."""
        at = np.flatnonzero(self.stretch == stretch)
        return Rows(self.gain[at], self.base[at], np.zeros(len(at), np.int64), 1), at


@dataclass
class RowsBuilder:
    pages: int
    base: list[float]
    stretch: list[int]
    columns: list[np.ndarray]
    values: list[np.ndarray]

    def add(self, stretch: int, base: float, pages: np.ndarray, gain: np.ndarray) -> None:
        kept = gain != 0
        self.base.append(base)
        self.stretch.append(stretch)
        self.columns.append(pages[kept])
        self.values.append(gain[kept])

    def rows(self, stretches: int) -> Rows:
        ends = np.cumsum([0, *(len(column) for column in self.columns)])
        columns = np.concatenate([np.zeros(0, np.int64), *self.columns])
        values = np.concatenate([np.zeros(0), *self.values])
        gain = sparse.csr_matrix((values, columns, ends), shape=(len(self.base), self.pages))
        return Rows(gain, np.array(self.base), np.array(self.stretch, dtype=np.int64), stretches)


def stacked(parts: list[Rows]) -> Rows:
    """The rows of several epochs with one placement."""
    offsets = np.cumsum([0, *(part.stretches for part in parts)])
    return Rows(
        sparse.vstack([part.gain for part in parts], format="csr"),
        np.concatenate([part.base for part in parts]),
        np.concatenate([part.stretch + offset for part, offset in zip(parts, offsets, strict=False)]),
        int(offsets[-1]),
    )


def merged(parts: list[Rows], most: int) -> Rows:
    """Like stacked, with about `most` rows at most: neighbouring epochs with equally many rows and stretches, which are
    instances of the same regions, are added up (their sum's maximum takes the place of the sum of their maxima)."""
    together = -(-sum(len(part.base) for part in parts) // most)
    if together == 1:
        return stacked(parts)
    kinds: dict[tuple[int, int, int], list[Rows]] = {}
    for number, part in enumerate(parts):
        kinds.setdefault((number // together, len(part.base), part.stretches), []).append(part)
    return stacked([_added(alike) for alike in kinds.values()])


def _added(parts: list[Rows]) -> Rows:
    first = parts[0]
    return Rows(sum(part.gain for part in parts), sum(part.base for part in parts), first.stretch, first.stretches)
