"""What is shipped: trees that say f, and trees that say T_fast.

f - 1 is 0 where nothing is in fast memory and 1 / (1 - r) multiplies every error of a time near r = 1; so what is
learned is (f - 1) / r, weighted with r^2. A region is looked at on both inputs, and with T_fast as measured and as
predicted: at run time it is predicted at first, and known better with every instance.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from lbhm_training import boosting
from lbhm_training.boosting import Boosted, Parameters
from lbhm_training.dataset import Dataset
from lbhm_training.splits import grouped_folds

LEAST_R = 0.02  # divides f - 1
LEAST_FAST, MOST_FAST = 0.02, 1.2  # T_fast / T_slow that is believed
FAST_TIME_TREES = Parameters(trees=150, depth=4)
FOLDS = 4


class Says(Protocol):
    """A model of f, and of T_fast if it has one."""

    def f(self, data: Dataset, numbers: np.ndarray, r: np.ndarray, fast_time: np.ndarray) -> np.ndarray: ...

    def fast_time(self, data: Dataset, numbers: np.ndarray) -> np.ndarray: ...


@dataclass(frozen=True)
class Formula:
    """Nothing learned: f is 1, T_fast what homogeneous_times derives."""

    def f(self, data: Dataset, numbers: np.ndarray, r: np.ndarray, fast_time: np.ndarray) -> np.ndarray:
        return np.ones(len(numbers))

    def fast_time(self, data: Dataset, numbers: np.ndarray) -> np.ndarray:
        return data.derived[0][numbers]


@dataclass(frozen=True)
class Plain:
    """A model that predicts f itself from a row of features and r. columns: with r."""

    model: Any
    columns: list[int]

    def f(self, data: Dataset, numbers: np.ndarray, r: np.ndarray, fast_time: np.ndarray) -> np.ndarray:
        x = np.column_stack([data.seen(0, numbers, fast_time), r])
        return np.asarray(self.model.predict(x[:, self.columns]), float)

    def fast_time(self, data: Dataset, numbers: np.ndarray) -> np.ndarray:
        return data.derived[0][numbers]


@dataclass(frozen=True)
class Hybrid:
    """columns: of both, r last; it is 1 for the trees of T_fast, which say ln(T_fast / derived T_fast)."""

    slope: Boosted
    fast: Boosted
    columns: list[int]

    def f(self, data: Dataset, numbers: np.ndarray, r: np.ndarray, fast_time: np.ndarray, which: int = 0) -> np.ndarray:
        x = np.column_stack([data.seen(which, numbers, fast_time), r])
        return 1 + r * self.slope.predict(x[:, self.columns])

    def fast_time(self, data: Dataset, numbers: np.ndarray, which: int = 0) -> np.ndarray:
        return predicted_fast_time(self.fast, data, numbers, which, self.columns)


def predicted_fast_time(
    trees: Boosted, data: Dataset, numbers: np.ndarray, which: int, columns: list[int]
) -> np.ndarray:
    derived = data.derived[which][numbers]
    x = np.column_stack([data.seen(which, numbers, derived), np.ones(len(numbers))])
    return np.clip(derived * np.exp(trees.predict(x[:, columns])), LEAST_FAST, MOST_FAST)


def fit_fast_time(data: Dataset, numbers: np.ndarray, columns: list[int], seed: int) -> Boosted:
    """numbers: series that may be fitted to."""
    x, y = [], []
    for which in range(2):
        derived = data.derived[which][numbers]
        known = derived > 0
        x.append(np.column_stack([data.seen(which, numbers, derived), np.ones(len(numbers))])[known])
        y.append(np.log(data.measured[numbers] / derived)[known])
    rows = np.concatenate(x)[:, columns]
    if not len(rows):  # nothing that T_fast is derived from was counted: trees that leave it as it is
        return boosting.fit(np.full((1, len(columns)), np.nan), np.zeros(1), np.ones(1), FAST_TIME_TREES, seed)
    return boosting.fit(rows, np.concatenate(y), np.ones(len(rows)), FAST_TIME_TREES, seed)


def fit_hybrid(data: Dataset, rows: np.ndarray, columns: list[int], parameters: Parameters, seed: int) -> Hybrid:
    """rows: that may be fitted to. T_fast of a fitted region is predicted by trees that did not see the region."""
    numbers = np.unique(data.number[rows])
    unseen = np.full((2, len(data.series)), np.nan)
    for fitted, others in grouped_folds(data.series_regions[numbers], FOLDS, seed):
        trees = fit_fast_time(data, numbers[fitted], columns, seed)
        for which in range(2):
            unseen[which, numbers[others]] = predicted_fast_time(trees, data, numbers[others], which, columns)
    r, of = data.r[rows], data.number[rows]
    bounded = np.maximum(r, LEAST_R)
    looks = [(which, fast) for which in range(2) for fast in (data.measured, unseen[which])]
    x = np.concatenate([np.column_stack([data.seen(which, of, fast[of]), r])[:, columns] for which, fast in looks])
    y = np.tile((data.f[rows] - 1) / bounded, len(looks))
    slope = boosting.fit(x, y, np.tile(bounded**2, len(looks)), parameters, seed)
    return Hybrid(slope, fit_fast_time(data, numbers, columns, seed), columns)
