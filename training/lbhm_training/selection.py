"""Which parameters, and which features matter: by folds over regions within the rows that may be fitted to."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lbhm_training import boosting
from lbhm_training.boosting import Parameters
from lbhm_training.dataset import Dataset
from lbhm_training.evaluate import Score, Train, judge, score
from lbhm_training.features import NAMES
from lbhm_training.hybrid import Plain, fit_hybrid
from lbhm_training.splits import grouped_folds

FOLDS = 2
R_COLUMN = len(NAMES)
# What is tried: number and depth of the trees. All stay below 300 trees of depth 5: a task's curve is made of them at
# run time.
GRID = [Parameters(), Parameters(depth=4)]


@dataclass(frozen=True)
class Step:
    """A set of columns (without r) of backward elimination."""

    columns: list[int]


def inner_score(data: Dataset, rows: np.ndarray, train: Train, seed: int, known: bool = True) -> Score:
    """By folds over the regions of `rows`; nothing else of the data is looked at."""
    folds = grouped_folds(data.regions[rows], FOLDS, seed)
    return score(data, [judge(data, train, (rows[fit], rows[judged]), known=known) for fit, judged in folds])


def tune(data: Dataset, rows: np.ndarray, columns: list[int], seed: int) -> Parameters:
    """The parameters of GRID that predict times best, T_fast included where it can be derived."""
    known = not data.derives_fast_time

    def accuracy(parameters: Parameters) -> float:
        return inner_score(
            data, rows, lambda part: fit_hybrid(data, part, columns, parameters, seed), seed, known
        ).accuracy

    return max(GRID, key=accuracy)


def fit_f(data: Dataset, rows: np.ndarray, columns: list[int], parameters: Parameters, seed: int) -> Plain:
    """f itself by what is measured on the other input, as the paper has it. columns: with r."""
    ones = np.ones(len(rows))
    return Plain(boosting.fit(data.x[np.ix_(rows, columns)], data.f[rows], ones, parameters, seed), columns)


def eliminate(data: Dataset, rows: np.ndarray, columns: list[int], parameters: Parameters, seed: int) -> list[Step]:
    """Section 5.1: takes the least important feature away and fits again, until r is alone. columns: without r."""
    steps = []
    left = list(columns)
    while left:
        columns = [*left, R_COLUMN]
        model = fit_f(data, rows, columns, parameters, seed)
        steps.append(Step(list(left)))
        importance = model.model.gains(len(left) + 1)[:-1]
        del left[int(np.argmin(importance))]
    return steps
