"""The six models of Table 3, with the parameters that the paper gives and the libraries' own otherwise."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.ensemble import RandomForestRegressor
from sklearn.impute import SimpleImputer
from sklearn.neighbors import KNeighborsRegressor
from sklearn.neural_network import MLPRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVR
from sklearn.tree import DecisionTreeRegressor

from lbhm_training.boosting import Parameters, fit


@dataclass(frozen=True)
class Candidate:
    """paper_r2: of Table 3. train(x, f, seed) gives something with predict(x)."""

    name: str
    parameters: str
    paper_r2: float
    train: Callable[[np.ndarray, np.ndarray, int], Any]


def _trained(make: Callable[[int], Any], scaled: bool) -> Callable[[np.ndarray, np.ndarray, int], Any]:
    """Missing events are filled with the median, for these models take none; inputs are scaled where distances or
    gradients need it."""

    def train(x: np.ndarray, f: np.ndarray, seed: int) -> Any:
        before = [SimpleImputer(strategy="median", keep_empty_features=True)] + ([StandardScaler()] if scaled else [])
        return make_pipeline(*before, make(seed)).fit(x, f)

    return train


def table3(boosted: Parameters) -> list[Candidate]:
    """boosted: of the gradient-boosted one, of which the paper says only that its base is a decision tree. 'gini' for
    the decision tree is a criterion of classifiers; the squared error is its counterpart. The degree of an SVR plays
    no part with its kernel."""
    return [
        Candidate(
            "DTR",
            "max_depth=10",
            0.781,
            _trained(lambda seed: DecisionTreeRegressor(max_depth=10, random_state=seed), False),
        ),
        Candidate("SVR", "kernel='rbf'", 0.836, _trained(lambda _: SVR(kernel="rbf"), True)),
        Candidate("KNN", "n_neighbors=8", 0.729, _trained(lambda _: KNeighborsRegressor(n_neighbors=8), True)),
        Candidate(
            "RFR",
            "n_estimators=20, max_depth=10",
            0.892,
            _trained(lambda seed: RandomForestRegressor(n_estimators=20, max_depth=10, random_state=seed), False),
        ),
        Candidate(
            "GBR",
            f"XGBoost, {boosted.trees} trees, max_depth={boosted.depth}",
            0.941,
            lambda x, f, seed: fit(x, f, np.ones(len(f)), boosted, seed),
        ),
        Candidate(
            "ANN",
            "alpha=1e-6, hidden_layer=(200, 20)",
            0.932,
            _trained(
                lambda seed: MLPRegressor(hidden_layer_sizes=(200, 20), alpha=1e-6, max_iter=500, random_state=seed),
                True,
            ),
        ),
    ]
