"""The door: from measured regions to a model file and what is said of its accuracy."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from lbhm_training import study
from lbhm_training.dataset import Dataset, dataset
from lbhm_training.export import model_json
from lbhm_training.features import NAMES, R
from lbhm_training.hybrid import fit_hybrid
from lbhm_training.series import BadData, Selection

__all__ = ["Options", "Trained", "train"]


@dataclass(frozen=True)
class Options:
    """machine: its name. command, lbhm_version: go into the model. tables: models, events, features and repairs are
    compared, too, which takes as long as the rest."""

    machine: str
    seed: int
    command: str
    lbhm_version: str
    tables: bool = True
    tell: Callable[[str], None] = lambda _: None


@dataclass(frozen=True)
class Trained:
    """model: lbhm.model/1. study: lbhm.training/1, without the seconds that measuring took."""

    model: dict[str, Any]
    study: dict[str, Any]


def train(found: Selection, options: Options) -> Trained:
    """found: as series.read has it. Raises BadData if all of it is of one program."""
    began = time.monotonic()
    data = dataset(found)
    if len(np.unique(data.programs)) < 2:
        raise BadData("one program was measured; f is judged on programs that it has not seen, so measure two at least")
    accuracy, chosen = _accuracy(data, options)
    options.tell("fitting the model that is written")
    model = fit_hybrid(data, np.arange(len(data.f)), chosen.columns, chosen.parameters, options.seed)
    names = [(*NAMES, R)[column] for column in chosen.columns]
    made_by = {"command": options.command, "seed": options.seed, "lbhm_version": options.lbhm_version}
    written = model_json(data, model, names, options.machine, made_by, accuracy)
    said = {
        "schema": "lbhm.training/1",
        "machine": options.machine,
        **{key: written["training"][key] for key in ("programs", "regions", "samples", "threads")},
        "series": len(data.series),
        "disturbed_series": data.disturbed,
        "unclear_series": data.unclear,
        "features": names,
        "parameters": vars(chosen.parameters),
        **accuracy,
        **(_tables(data, chosen, options) if options.tables else {}),
        "learning_seconds": round(time.monotonic() - began, 1),
    }
    return Trained(written, _rounded(said))


def _accuracy(data: Dataset, options: Options) -> tuple[dict[str, float], study.Choice]:
    options.tell("split by region")
    grouped = study.nested(data, study.ALL, options.seed)
    options.tell("choosing parameters by all regions")
    chosen = study.choose(data, np.arange(len(data.f)), study.ALL, options.seed)
    options.tell("the paper's random split")
    splits = study.splits_of(data, "random", options.seed)
    random = study.accuracy_of(data, splits, [chosen] * len(splits), options.seed)
    options.tell("leaving programs out")
    left = study.programs_left_out(data, chosen, options.seed)
    found = {}
    for kind, judged in (("random", random), ("grouped", grouped), ("left_out_programs", left)):
        found |= {f"r2_{kind}": judged.known.r2, f"r2_predicted_{kind}": judged.predicted.r2}
        found |= {f"hybrid_accuracy_{kind}": judged.known.accuracy}
        found |= {f"predicted_accuracy_{kind}": judged.predicted.accuracy}
        found |= {f"formula_accuracy_{kind}": judged.formula.accuracy}
    return _rounded(found), chosen


def _tables(data: Dataset, chosen: study.Choice, options: Options) -> dict[str, Any]:
    options.tell("comparing halves of the programs, models, features and repairs")
    return {
        "half_of_programs": study.half_of_programs(data, study.ALL, options.seed),
        "table3": study.compare_models(data, options.seed),
        "figure7": study.by_number_of_events(data, options.seed),
        "feature_sets": study.compare_features(data, chosen.parameters, options.seed),
        "repairs": study.compare_repairs(data, chosen, options.seed),
    }


def _rounded(value: Any) -> Any:
    """Four digits behind the point; NaN, which JSON does not have, is left out as None."""
    if isinstance(value, dict):
        return {key: _rounded(part) for key, part in value.items()}
    if isinstance(value, list):
        return [_rounded(part) for part in value]
    if isinstance(value, float):
        return round(value, 4) if math.isfinite(value) else None
    return value
