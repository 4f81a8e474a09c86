"""Does the quick look at JSON find what jsonschema finds?"""

from __future__ import annotations

import copy
import json
import random
import sys
from pathlib import Path

import pytest

from lbhm.files.report import SCHEMAS, faults, validator

sys.path.insert(0, str(Path(__file__).resolve().parent))

from made_reports import made_report


@pytest.mark.parametrize("name", sorted(path.name.removesuffix(".schema.json") for path in SCHEMAS.glob("*.json")))
def test_every_schema_is_one_for_both(name):
    assert [error.json_path for error in faults(name, [])] == ["$"]


def spoiled(value, chance: random.Random):
    """A copy with one part gone, or of another type or size."""
    value = copy.deepcopy(value)
    place, key = value, chance.choice(sorted(value))
    while isinstance(place[key], dict | list) and place[key] and chance.random() < 0.8:
        place = place[key]
        key = chance.choice(sorted(place) if isinstance(place, dict) else range(len(place)))
    if chance.random() < 0.3:
        del place[key]
    else:
        place[key] = chance.choice([None, True, -1, 0.5, 1e30, "", "x", [], {}])
    return value


def test_spoiled_reports_are_found_and_judged_alike():
    judge, chance, found = validator("report"), random.Random(1), 0
    for _ in range(400):
        made = spoiled(made_report(), chance)
        expected = [(error.json_path, error.message) for error in judge.iter_errors(made)]
        assert [(error.json_path, error.message) for error in faults("report", made)] == expected, json.dumps(made)
        found += bool(expected)
    assert 100 < found < 400
