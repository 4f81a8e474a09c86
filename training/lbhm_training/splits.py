"""Which rows a model is fitted to, and which it is judged by. All are pairs of row numbers (fitted, judged)."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from lbhm_training.dataset import Dataset

TRAINED = 0.7  # section 7.3 of the paper: 70 % for training, the rest for testing
Split = tuple[np.ndarray, np.ndarray]


def random_split(rows: int, seed: int) -> Split:
    """The paper's: rows by chance, so most regions are on both sides with different placements."""
    order = np.random.default_rng(seed).permutation(rows)
    cut = round(TRAINED * rows)
    return np.sort(order[:cut]), np.sort(order[cut:])


def grouped_split(groups: np.ndarray, seed: int) -> Split:
    """By region: no region is on both sides, with whatever threads and in whatever program."""
    names = np.unique(groups)
    order = np.random.default_rng(seed).permutation(len(names))
    fitted = np.isin(groups, names[order[: round(TRAINED * len(names))]])
    return np.flatnonzero(fitted), np.flatnonzero(~fitted)


def grouped_folds(groups: np.ndarray, folds: int, seed: int) -> Iterator[Split]:
    """Every group is judged once."""
    names = np.unique(groups)
    order = np.random.default_rng(seed).permutation(len(names))
    for part in np.array_split(order, min(folds, len(names))):
        judged = np.isin(groups, names[part])
        yield np.flatnonzero(~judged), np.flatnonzero(judged)


def program_splits(data: Dataset) -> Iterator[Split]:
    """Leave one program out; regions that it shares with others (inline functions) are not fitted to, either."""
    programs, regions = data.programs, data.regions
    for name in np.unique(programs):
        judged = programs == name
        fitted = ~judged & ~np.isin(regions, regions[judged])
        yield np.flatnonzero(fitted), np.flatnonzero(judged)
