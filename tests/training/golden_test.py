"""Do C++ and XGBoost agree to the bit on random rows with missing values, for every shipped model?"""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import numpy as np
import pytest
import xgboost

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("LBHM_BUILD", ROOT / "build/release"))
FEATURES = ["LLC_MPKI", "IPC", "PRF_Miss", "MEM_WCY", "SLOW_USE", "FAST_TIME", "r_dram_acc"]
SHARES = (np.arange(21) / 20).astype(np.float32)
SHIPPED = sorted((ROOT / "training/models").glob("*.json"))


def predicted_by_cpp(model: Path, rows: np.ndarray, *mode: str) -> np.ndarray:
    """What model-rows of the build tree says: float32, in the order of the rows."""
    program = BUILD / "bin/model-rows"
    run = subprocess.run([program, model, *mode], input=rows.astype("<f4").tobytes(), capture_output=True, check=False)
    assert run.returncode == 0, run.stderr.decode()
    return np.frombuffer(run.stdout, "<f4")


def predicted_by_xgboost(model: Path, rows: np.ndarray, key: str = "xgboost") -> np.ndarray:
    booster = xgboost.Booster(model_file=bytearray(json.dumps(json.loads(model.read_text())[key]), "utf-8"))
    return booster.inplace_predict(rows, missing=np.nan)


def splits_of(model: Path) -> tuple[list[str], list[np.ndarray]]:
    """The features, and all values at which the trees split them."""
    content = json.loads(model.read_text())
    names = content["features"]
    values: list[list[float]] = [[] for _ in names]
    for tree in content["xgboost"]["learner"]["gradient_booster"]["model"]["trees"]:
        for left, column, value in zip(
            tree["left_children"], tree["split_indices"], tree["split_conditions"], strict=True
        ):
            if left != -1:
                values[column].append(value)
    return names, [np.array(sorted(set(each)), dtype=np.float32) for each in values]


def random_rows(model: Path, count: int, seed: int = 1) -> np.ndarray:
    """Rows around the splits: a third of the values is one of them exactly, a tenth is missing; r is never missing."""
    random = np.random.default_rng(seed)
    names, splits = splits_of(model)
    rows = np.empty((count, len(names)), dtype=np.float32)
    for column, values in enumerate(splits):
        pool = values if len(values) else np.array([0, 1], dtype=np.float32)
        low, high = pool[0] - abs(pool[0]) - 1, pool[-1] + abs(pool[-1]) + 1
        rows[:, column] = np.where(
            random.random(count) < 1 / 3, random.choice(pool, count), random.uniform(low, high, count)
        )
    rows[random.random(rows.shape) < 0.1] = np.nan
    inside = splits[-1][(splits[-1] > 0) & (splits[-1] < 1)]
    share = random.random(count)
    rows[:, -1] = np.where(random.random(count) < 1 / 3, random.choice(inside, count), share) if len(inside) else share
    return rows


def bits(values: np.ndarray) -> np.ndarray:
    return np.ascontiguousarray(values, dtype="<f4").view("<u4")


def assert_equal_to_the_bit(model: Path) -> None:
    rows = random_rows(model, 8000)
    assert np.array_equal(bits(predicted_by_cpp(model, rows)), bits(predicted_by_xgboost(model, rows)))
    some = rows[:400]
    curves = np.repeat(some, len(SHARES), axis=0)
    curves[:, -1] = np.tile(SHARES, len(some))
    ours = predicted_by_cpp(model, some[:, :-1], "curve")
    theirs = predicted_by_xgboost(model, curves)
    content = json.loads(model.read_text())
    if content.get("target", "f") != "f":
        theirs = (1 + theirs.astype(float) * np.tile(np.arange(21) / 20, len(some))).astype(np.float32)
    assert np.array_equal(bits(ours), bits(theirs))
    if "fast_time" in content:
        ours = predicted_by_cpp(model, rows, "fast_time")
        assert np.array_equal(bits(ours), bits(predicted_by_xgboost(model, rows, "fast_time")))


def trained_on_made_up_data(file: Path, **parameters: object) -> Path:
    random = np.random.default_rng(3)
    rows = random.normal(size=(2000, len(FEATURES))).astype(np.float32)
    rows[:, -1] = random.choice(SHARES, len(rows))
    target = 1 - rows[:, -1] * np.tanh(np.abs(rows[:, 0])) + 0.1 * rows[:, 1] * rows[:, 4]
    rows[random.random(rows.shape) < 0.1] = np.nan
    settings = {"max_depth": 6, "eta": 0.1, "nthread": 1, "seed": 1} | parameters
    booster = xgboost.train(settings, xgboost.DMatrix(rows, target), 60)
    content = {
        "schema": "lbhm.model/1",
        "machine": "optane",
        "machine_fingerprint": "0123456789abcdef",
        "features": FEATURES,
        "xgboost": json.loads(booster.save_raw("json")),
    }
    file.write_text(json.dumps(content))
    return file


@pytest.mark.parametrize(
    "parameters",
    [
        {},
        {"tree_method": "exact", "gamma": 0.5},  # pruned: nodes that nothing leads to
        {"grow_policy": "lossguide", "max_leaves": 40, "max_depth": 0},
        {"monotone_constraints": "(0,0,0,0,0,0,-1)"},
        {"base_score": 0.125, "max_depth": 1},
    ],
    ids=["default", "pruned", "lossguide", "monotone", "stumps"],
)
def test_a_model_of_any_kind_of_training_predicts_as_xgboost_does(tmp_path, parameters):
    assert_equal_to_the_bit(trained_on_made_up_data(tmp_path / "model.json", **parameters))


@pytest.mark.parametrize("model", SHIPPED, ids=lambda file: file.stem)
def test_a_shipped_model_predicts_as_xgboost_does(model):
    assert_equal_to_the_bit(model)


def test_rows_of_these_tests_meet_every_kind_of_branch(tmp_path):
    """A comparison on rows that all take one way would say little."""
    model = trained_on_made_up_data(tmp_path / "model.json")
    rows = random_rows(model, 8000)
    _, splits = splits_of(model)
    for column, values in enumerate(splits):
        assert len(values) > 0
        assert np.isnan(rows[:, column]).any() == (column < len(FEATURES) - 1)
        middle = np.median(values)
        assert (rows[:, column] < middle).sum() > 1000
        assert (rows[:, column] >= middle).sum() > 1000
        assert np.isin(rows[:, column], values).sum() > 1000


def test_a_model_file_that_is_refused_is_refused_with_its_reason(tmp_path):
    model = trained_on_made_up_data(tmp_path / "model.json")
    model.write_text(model.read_text().replace('"LLC_MPKI"', '"L9_MPKI"'))
    with pytest.raises(AssertionError, match="L9_MPKI"):
        predicted_by_cpp(model, np.zeros((1, len(FEATURES)), dtype=np.float32))
