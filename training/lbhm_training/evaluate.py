"""How good a model of f is: R2 of f, and the error of the time that Eq. 2 makes of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from lbhm_training import curve
from lbhm_training.dataset import Dataset
from lbhm_training.splits import Split

Train = Callable[[np.ndarray], Any]  # row numbers -> something with predict(x)


@dataclass(frozen=True)
class Score:
    """r2: of f, unweighted, over all judged rows. accuracy: 1 - mean relative error of the hybrid time, over them."""

    r2: float
    accuracy: float


@dataclass(frozen=True)
class Judged:
    """Rows that a model was not fitted to: their numbers, f and time as predicted for them."""

    rows: np.ndarray
    f: np.ndarray
    time_ns: np.ndarray


def r2(measured: np.ndarray, predicted: np.ndarray) -> float:
    """1 - residual / total sum of squares; NaN if nothing varies."""
    total = float(np.sum((measured - measured.mean()) ** 2))
    return 1 - float(np.sum((measured - predicted) ** 2)) / total if total > 0 else float("nan")


def judge(data: Dataset, columns: list[int], train: Train, split: Split, repair: str = curve.SHIPPED) -> Judged:
    """Fits to one side of a split and predicts the other. Times are read off the repaired curve, as at run time: of
    the measured T_slow and T_fast."""
    fitted, judged = split
    model = train(fitted)
    f = np.asarray(model.predict(data.x[np.ix_(judged, columns)]), float)
    times = np.empty(len(judged))
    numbers = np.unique(data.number[judged])
    for number, row in zip(numbers, curves(data, columns, model, numbers, repair), strict=True):
        mine = data.number[judged] == number
        times[mine] = curve.at(row, data.x[judged[mine], -1])
    return Judged(judged, f, times)


def curves(data: Dataset, columns: list[int], model: Any, numbers: np.ndarray, repair: str) -> np.ndarray:
    """Times at the points of curve.SHARES of some series: (series, points)."""
    chosen = [data.series[number] for number in numbers]
    x = np.repeat(np.array([[*one.features, 0.0] for one in chosen]), curve.POINTS, axis=0)
    x[:, -1] = np.tile(curve.SHARES, len(chosen))
    f = np.asarray(model.predict(x[:, columns]), float).reshape(len(chosen), curve.POINTS)
    slow, fast = np.array([one.slow_ns for one in chosen]), np.array([one.fast_ns for one in chosen])
    return curve.REPAIRS[repair](curve.eq2(f, slow, fast))


def score(data: Dataset, judged: Iterable[Judged]) -> Score:
    """Of all judged rows of several splits together."""
    parts = list(judged)
    rows = np.concatenate([part.rows for part in parts])
    times = np.concatenate([part.time_ns for part in parts])
    error = np.abs(times / data.time_ns[rows] - 1)
    return Score(r2(data.f[rows], np.concatenate([part.f for part in parts])), 1 - float(error.mean()))
