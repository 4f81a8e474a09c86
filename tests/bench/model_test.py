"""bench/run model: are the paper's numbers beside the right ones of ours?"""

from __future__ import annotations

import argparse
from pathlib import Path

import pytest
from harness import model
from harness.errors import BenchError

SCORES = {"r2_random": 0.5, "r2_grouped": 0.25, "hybrid_accuracy_grouped": 0.875}
KINDS = ("random", "grouped", "left_out_programs")
STUDY = {
    "schema": "lbhm.training/1",
    "machine": "optane",
    "regions": 3,
    "samples": 30,
    "train_seconds": 12.5,
    "r2_left_out_programs": None,
    "hybrid_accuracy_random": 0.75,
    "hybrid_accuracy_left_out_programs": 0.625,
    **{f"predicted_accuracy_{kind}": 0.5 for kind in KINDS},
    **{f"formula_accuracy_{kind}": 0.25 for kind in KINDS},
    **SCORES,
    "table3": [{"model": "GBR", "parameters": "x", "paper_r2": 0.941, **SCORES}],
    "figure7": [{"events": count, "names": ["IPC"] * count, **SCORES} for count in (11, 8, 2)],
    "feature_sets": [{"features": "all", **SCORES}],
    "repairs": [{"repair": "none", **SCORES}],
    "failed": {"cg-12": "it crashed"},
    "kept_measurements": 0,
    "value": {"bfs lbhm": {"formula": 2.0, "model": 1.5, "true_f": None}},
}


def test_the_papers_numbers_stand_beside_ours(monkeypatch):
    monkeypatch.setattr(model, "study_of", lambda *_: STUDY)
    result = model.measure(None, argparse.Namespace(machine="optane", data=None))
    assert result.fields["r2_grouped"] == 0.25
    assert result.fields["train_seconds"] == 12.5
    assert {"table3", "figure7", "regions", "samples"} <= set(result.fields)
    table3, figure7, *_, value, accuracy = result.tables
    assert value.rows == [["bfs lbhm", "2.000", "1.500", "-25.0%"]]
    assert result.fields["value"]["bfs lbhm"]["model"] == 1.5
    assert table3.rows == [["GBR (x)", "0.941", "0.500", "0.250", "0.875"]]
    assert [row[1] for row in figure7.rows] == ["0.948 / 0.941", "0.937 / 0.932", "–"]
    assert accuracy.rows[2] == ["unseen programs", "–", "0.625", "0.500", "0.250"]
    assert result.notes == ["cg-12 could not be measured: it crashed"]


def test_data_that_is_not_there_is_named():
    with pytest.raises(BenchError, match="--data: the folder nowhere does not exist"):
        model.study_of(None, "optane", Path("nowhere"))
