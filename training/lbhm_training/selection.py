"""Which parameters, and which features matter: by folds over regions within the rows that may be fitted to."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lbhm_training import boosting
from lbhm_training.boosting import Boosted, Parameters
from lbhm_training.dataset import Dataset
from lbhm_training.evaluate import Score, judge, score
from lbhm_training.features import NAMES
from lbhm_training.splits import grouped_folds

FOLDS = 3
R_COLUMN = len(NAMES)
# What is tried. All stay below 150 trees of depth 6: a task's curve is made of them at run time.
GRID = [Parameters(), Parameters(weight=1)]


@dataclass(frozen=True)
class Step:
    """A set of columns (without r) of backward elimination, and how good it is by inner folds."""

    columns: list[int]
    score: Score


def fit(data: Dataset, rows: np.ndarray, columns: list[int], parameters: Parameters, seed: int) -> Boosted:
    """columns: with r, which comes last."""
    weights = boosting.row_weights(data.sensitivity[rows], parameters.weight)
    return boosting.fit(data.x[np.ix_(rows, columns)], data.f[rows], weights, parameters, seed)


def inner_score(data: Dataset, rows: np.ndarray, columns: list[int], parameters: Parameters, seed: int) -> Score:
    """By folds over the regions of `rows`; nothing else of the data is looked at."""
    folds = grouped_folds(data.regions[rows], FOLDS, seed)
    return score(
        data,
        [
            judge(data, columns, lambda part: fit(data, part, columns, parameters, seed), (rows[fitted], rows[judged]))
            for fitted, judged in folds
        ],
    )


def tune(data: Dataset, rows: np.ndarray, columns: list[int], seed: int) -> Parameters:
    """The parameters of GRID that predict times best."""
    return max(GRID, key=lambda parameters: inner_score(data, rows, columns, parameters, seed).accuracy)


def eliminate(data: Dataset, rows: np.ndarray, columns: list[int], parameters: Parameters, seed: int) -> list[Step]:
    """Section 5.1: takes the least important feature away and fits again, until r is alone. columns: without r."""
    steps = []
    left = list(columns)
    while left:
        steps.append(Step(list(left), inner_score(data, rows, [*left, R_COLUMN], parameters, seed)))
        importance = fit(data, rows, [*left, R_COLUMN], parameters, seed).gains(len(left) + 1)[:-1]
        del left[int(np.argmin(importance))]
    return steps
