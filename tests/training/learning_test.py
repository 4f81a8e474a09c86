"""Are splits honest, is what does not matter taken away first, is the model the same every time?"""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
import xgboost

from lbhm.files.report import validator
from lbhm.train.cli_train import accuracy_table
from lbhm_training import curve
from lbhm_training.boosting import Parameters
from lbhm_training.evaluate import judge
from lbhm_training.export import loaded, model_json
from lbhm_training.features import NAMES, Look, R, with_fast_time
from lbhm_training.hybrid import Formula, fit_hybrid
from lbhm_training.selection import R_COLUMN, eliminate
from lbhm_training.series import BadData, select
from lbhm_training.splits import grouped_folds, grouped_split, random_split
from lbhm_training.study import Choice, score
from lbhm_training.train import Options, train

QUICK = Parameters(trees=60, depth=3, rate=0.2)


def test_no_region_is_on_both_sides(data):
    regions = data.regions
    for fitted, judged in [grouped_split(regions, 5), *grouped_folds(regions, 4, 5)]:
        assert not set(regions[fitted]) & set(regions[judged])
        assert len(fitted) + len(judged) == len(regions)


def test_the_random_split_is_the_papers():
    fitted, judged = random_split(100, 1)
    assert (len(fitted), len(judged)) == (70, 30)
    assert sorted([*fitted, *judged]) == list(range(100))


def test_noise_is_taken_away_before_what_f_depends_on(data):
    rows = np.arange(len(data.f))
    columns = [NAMES.index(name) for name in ("BR_MSP", "IPC", "VEC_INS")]
    steps = eliminate(data, rows, columns, QUICK, 1)
    assert steps[-1].columns == [NAMES.index("IPC")]


def test_unseen_regions_of_a_simple_f_are_predicted(data):
    choice = Choice([NAMES.index("IPC"), NAMES.index("FAST_TIME"), NAMES.index("MLP"), R_COLUMN], QUICK)
    split = grouped_split(data.regions, 1)
    found, predicted, formula = (
        score(data, [judge(data, train, split, known=known)])
        for train, known in (
            (choice.train(data, 1), True),
            (choice.train(data, 1), False),
            (lambda _: Formula(), False),
        )
    )
    assert found.r2 > 0.8
    assert found.accuracy > 0.97
    assert predicted.accuracy > formula.accuracy + 0.02, "T_fast was learned, too"


def test_what_t_fast_is_of_a_fitted_region_was_predicted_without_it(data, monkeypatch):
    """Otherwise f would be learned from a T_fast that is known too well."""
    from lbhm_training import hybrid

    seen = []
    fitted = hybrid.fit_fast_time

    def noted(data, numbers, columns, seed):
        seen.append(set(data.series_regions[numbers]))
        return fitted(data, numbers, columns, seed)

    predicted = hybrid.predicted_fast_time

    def checked(trees, data, numbers, which, columns):
        assert not seen[-1] & set(data.series_regions[numbers])
        return predicted(trees, data, numbers, which, columns)

    monkeypatch.setattr(hybrid, "fit_fast_time", noted)
    monkeypatch.setattr(hybrid, "predicted_fast_time", checked)
    fit_hybrid(data, np.arange(len(data.f)), [NAMES.index("IPC"), R_COLUMN], QUICK, 1)
    assert len(seen) == hybrid.FOLDS + 1


def test_the_model_file_is_the_same_every_time_and_loads_back(data):
    columns = [NAMES.index("IPC"), R_COLUMN]
    made_by = {"command": "lbhm train", "seed": 1, "lbhm_version": "0.1.0"}
    accuracy = dict.fromkeys(("r2_random", "r2_grouped", "r2_left_out_programs", "hybrid_accuracy_grouped"), 0.5)
    models, texts = [], []
    for _ in range(2):
        models.append(fit_hybrid(data, np.arange(len(data.f)), columns, QUICK, 1))
        texts.append(json.dumps(model_json(data, models[-1], ["IPC", R], "optane", made_by, accuracy)))
    assert texts[0] == texts[1]
    written = json.loads(texts[0])
    validator("model").validate(written)
    rows = data.x[:, columns]
    assert np.array_equal(loaded(written).predict(xgboost.DMatrix(rows)), models[0].slope.predict(rows))
    assert np.array_equal(loaded(written, "fast_time").predict(xgboost.DMatrix(rows)), models[0].fast.predict(rows))


def test_a_machine_that_counts_no_events_is_learned_from_times_alone(made_up):
    unknown = Look(with_fast_time([np.nan] * len(NAMES), np.nan, np.nan), np.nan, np.nan)
    series = [replace(one, looks=(unknown, unknown)) for one in made_up()]
    trained = train(select(series, "0123456789abcdef"), Options("host", 1, "lbhm train", "0.2.0", tables=False))
    validator("model").validate(trained.model)
    assert trained.study["hybrid_accuracy_grouped"] > 0.9
    assert trained.study["predicted_accuracy_grouped"] is None, "T_fast cannot be predicted, and nobody says so"
    accuracy_table(trained.study)


def test_programs_that_all_are_one_are_refused(made_up):
    series = [replace(one, program="alone") for one in made_up()]
    with pytest.raises(BadData, match="measure two at least"):
        train(select(series, "0123456789abcdef"), Options("host", 1, "lbhm train", "0.2.0", tables=False))


@pytest.mark.parametrize("name", ["running minimum", "clamp and running minimum", "isotonic"])
def test_repaired_curves_never_rise(name):
    random = np.random.default_rng(1)
    times = curve.eq2(random.uniform(-1, 4, (50, curve.POINTS)), np.full(50, 2.0), random.uniform(0.2, 2, 50))
    assert np.all(np.diff(curve.REPAIRS[name](times), axis=1) <= 1e-12)
    assert np.any(np.diff(times, axis=1) > 0), "there was something to repair"
