"""The model that is shipped: a small gradient-boosted ensemble of XGBoost, evaluated at run time for every task."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import xgboost


@dataclass(frozen=True)
class Parameters:
    """trees * 2^depth bounds size and time of the model. weight: see row_weights. monotone: -1 keeps f from rising
    with r."""

    trees: int = 150
    depth: int = 6
    rate: float = 0.1
    least_rows: float = 2  # XGBoost's min_child_weight: of a leaf
    rows: float = 0.8  # share of the rows that a tree sees
    columns: float = 0.5  # share of the columns that a split chooses from: several say much the same
    weight: float = 0
    monotone: int = 0


@dataclass(frozen=True)
class Boosted:
    booster: xgboost.Booster

    def predict(self, x: np.ndarray) -> np.ndarray:
        return self.booster.predict(xgboost.DMatrix(x, nthread=1))

    def gains(self, columns: int) -> np.ndarray:
        """Gini importance: what all splits on a column took off the squared error, as shares."""
        found = self.booster.get_score(importance_type="total_gain")
        gains = np.array([found.get(f"f{column}", 0.0) for column in range(columns)])
        return gains / gains.sum() if gains.sum() > 0 else gains


def fit(x: np.ndarray, f: np.ndarray, weights: np.ndarray, parameters: Parameters, seed: int) -> Boosted:
    """One thread and exact bins: the same data and seed give the same model to the bit. The last column of x is r."""
    settings = {
        "objective": "reg:squarederror",
        "tree_method": "hist",
        "nthread": 1,
        "seed": seed,
        "max_depth": parameters.depth,
        "eta": parameters.rate,
        "min_child_weight": parameters.least_rows,
        "subsample": parameters.rows,
        "colsample_bynode": parameters.columns,
        "monotone_constraints": "(" + ",".join(["0"] * (x.shape[1] - 1) + [str(parameters.monotone)]) + ")",
    }
    rows = xgboost.DMatrix(x, f, weight=weights, nthread=1)
    return Boosted(xgboost.train(settings, rows, parameters.trees))


def row_weights(sensitivity: np.ndarray, power: float) -> np.ndarray:
    """Weights of rows in the squared error. sensitivity: by how much an error of f shows in the time, dT/T / df =
    (1 - r) T_slow / T; with power 2 the squared relative error of the time is what is learned, with 0 that of f."""
    return np.maximum(sensitivity, 1e-3) ** power
