"""The model that is shipped: a small gradient-boosted ensemble of XGBoost, evaluated at run time for every task."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import xgboost


@dataclass(frozen=True)
class Parameters:
    """trees * 2^depth bounds size and time of the model."""

    trees: int = 300
    depth: int = 5
    rate: float = 0.05
    least_rows: float = 2  # XGBoost's min_child_weight: of a leaf
    rows: float = 0.8  # share of the rows that a tree sees
    columns: float = 0.3  # share of the columns that a split chooses from: several say much the same


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


def fit(x: np.ndarray, y: np.ndarray, weights: np.ndarray, parameters: Parameters, seed: int) -> Boosted:
    """One thread and exact bins: the same data and seed give the same model to the bit."""
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
    }
    rows = xgboost.DMatrix(x, y, weight=weights, nthread=1)
    return Boosted(xgboost.train(settings, rows, parameters.trees))
