"""Which f predicts: the model that was trained on the machine, or the formula when there is none that fits?"""

import json
import re
from pathlib import Path

import pytest

SMALL = Path(__file__).parents[1] / "model/seeds/small.json"  # f is 0.625 below r = 0.5, 0.75 above; 0 at IPC >= 1.5


def run(runner, **settings):
    """With so little fast memory that tasks have a part of their accesses there."""
    base = {"machine": "optane", "policy": "merchandiser", "fast_capacity": "2M", "model": "analytic"}
    outcome = runner.once("twin_tasks", **(base | settings))
    assert outcome.status == 0, outcome.stderr
    return outcome


@pytest.fixture
def model(runner, tmp_path):
    """A model file for optane as this build has it."""
    content = json.loads(SMALL.read_text()) | {"machine_fingerprint": run(runner).report["machine_fingerprint"]}
    file = tmp_path / "model.json"
    file.write_text(json.dumps(content))
    return file


def predictions(outcome):
    return [task["predicted_ns"] for plan in outcome.report["plans"] for task in plan["budget"]]


def test_a_model_of_the_machine_predicts_and_is_named(runner, model):
    outcome = run(runner, model=str(model))
    name, _, fingerprint = outcome.report["correlation"].partition("/")
    assert name == "optane"
    assert len(fingerprint) == 16
    assert outcome.stderr == ""
    assert predictions(outcome) != predictions(run(runner))


@pytest.mark.parametrize("setting", ["analytic", ""])
def test_the_formula_predicts_where_nothing_else_is_asked_for(runner, setting):
    outcome = run(runner, model=setting)
    assert outcome.report["correlation"] == "analytic"
    assert outcome.stderr == ""


def test_the_shipped_model_can_be_asked_for_and_says_what_instances_showed(runner):
    outcome = run(runner, model="shipped", policy="merchandiser-once")
    assert outcome.report["correlation"].startswith("optane/")
    seen = [task["f_seen"] for plan in outcome.report["plans"] for task in plan["tasks"]]
    assert 0 < max(seen) <= 1
    assert min(seen) == 0, "before the first instance on two memories"


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda text: text[: len(text) // 2], "cut short"),
        (lambda text: text.replace('"optane"', '"cxl"'), "trained on machine cxl"),
        (lambda text: text.replace('"IPC"', '"L9_MISS"'), "L9_MISS"),
        (lambda text: re.sub(r'(_fingerprint": )"\w+"', r'\1"0000000000000000"', text), "other numbers"),
        (lambda text: "", "not valid JSON"),
    ],
    ids=["truncated", "foreign", "features", "fingerprint", "empty"],
)
def test_a_model_that_cannot_be_used_is_named_once_and_the_formula_predicts(runner, model, change, reason):
    model.write_text(change(model.read_text()))
    outcome, formula = run(runner, model=str(model)), run(runner)
    assert outcome.stderr.count(f"LBHM_MODEL={model}") == 1
    assert reason in outcome.stderr
    assert any(reason in remark for remark in outcome.report["remarks"])
    assert outcome.report["correlation"] == "analytic"
    assert predictions(outcome) == predictions(formula)
    assert outcome.stdout == formula.stdout


def test_a_program_that_needs_no_prediction_reads_no_model(runner):
    outcome = run(runner, policy="first-touch", model="/nowhere/model.json")
    assert outcome.stderr == ""
    assert outcome.report["remarks"] == []
