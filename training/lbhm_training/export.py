"""The model file (lbhm.model/2) that the runtime reads."""

from __future__ import annotations

import json
from typing import Any

import xgboost

from lbhm_training.boosting import Boosted
from lbhm_training.dataset import Dataset
from lbhm_training.features import R
from lbhm_training.hybrid import Hybrid

SCHEMA = "lbhm.model/2"
TARGET = f"(f - 1) / {R}"


def xgboost_json(model: Boosted) -> dict[str, Any]:
    """XGBoost's own JSON, from which xgboost can load the model again."""
    return json.loads(model.booster.save_raw("json"))


def loaded(model: dict[str, Any], key: str = "xgboost") -> xgboost.Booster:
    """A booster of a model file. key: xgboost or fast_time."""
    booster = xgboost.Booster()
    booster.load_model(bytearray(json.dumps(model[key]).encode()))
    return booster


def model_json(
    data: Dataset, model: Hybrid, names: list[str], machine: str, made_by: dict[str, Any], accuracy: dict[str, float]
) -> dict[str, Any]:
    """names: of the columns, r_dram_acc last. made_by: command, seed and lbhm_version. The same data, seed and
    arguments give the same object."""
    return {
        "schema": SCHEMA,
        "lbhm_version": made_by["lbhm_version"],
        "machine": machine,
        "machine_fingerprint": data.fingerprint,
        "made_by": {
            "command": made_by["command"],
            "seed": made_by["seed"],
            "data_digest": data.digest,
            "xgboost": xgboost.__version__,
        },
        "features": names,
        "target": TARGET,
        "training": {
            "programs": len({one.program for one in data.series}),
            "regions": len({one.region for one in data.series}),
            "samples": len(data.f),
            "threads": sorted({one.threads for one in data.series}),
        },
        "accuracy": accuracy,
        "xgboost": xgboost_json(model.slope),
        "fast_time": xgboost_json(model.fast),
    }
