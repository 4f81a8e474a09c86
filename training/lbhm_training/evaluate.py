"""How good a model of f is: R2 of f, and the error of the time that Eq. 2 makes of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np

from lbhm_training import curve
from lbhm_training.dataset import Dataset
from lbhm_training.hybrid import Says
from lbhm_training.splits import Split

Train = Callable[[np.ndarray], Says]  # row numbers -> a model


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


def judge(data: Dataset, train: Train, split: Split, repair: str = curve.SHIPPED, known: bool = True) -> Judged:
    """Fits to one side of a split and predicts the other. Times are read off the repaired curve, as at run time.

    known: T_fast is the measured one; otherwise the model says that, too.
    """
    fitted, judged = split
    model = train(fitted)
    numbers = np.unique(data.number[judged])
    fast_time = np.full(len(data.series), np.nan)
    fast_time[numbers] = data.measured[numbers] if known else model.fast_time(data, numbers)
    of = data.number[judged]
    f = model.f(data, of, data.r[judged], fast_time[of])
    times = np.empty(len(judged))
    for number, row in zip(numbers, curves(data, model, numbers, fast_time[numbers], repair), strict=True):
        mine = of == number
        times[mine] = curve.at(row, data.r[judged[mine]])
    return Judged(judged, f, times)


def curves(data: Dataset, model: Says, numbers: np.ndarray, fast_time: np.ndarray, repair: str) -> np.ndarray:
    """Times at the points of curve.SHARES of some series: (series, points)."""
    shares = np.tile(curve.SHARES, len(numbers))
    each = np.repeat(numbers, curve.POINTS)
    f = model.f(data, each, shares, np.repeat(fast_time, curve.POINTS)).reshape(len(numbers), curve.POINTS)
    slow = data.slow_ns[numbers]
    return curve.REPAIRS[repair](curve.eq2(f, slow, slow * fast_time))


def score(data: Dataset, judged: Iterable[Judged]) -> Score:
    """Of all judged rows of several splits together."""
    parts = list(judged)
    rows = np.concatenate([part.rows for part in parts])
    times = np.concatenate([part.time_ns for part in parts])
    error = np.abs(times / data.time_ns[rows] - 1)
    return Score(r2(data.f[rows], np.concatenate([part.f for part in parts])), 1 - float(error.mean()))
