"""Does the quick check of JSON say what jsonschema says?"""

from __future__ import annotations

import copy
import json
import math
import random
import sys
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from lbhm.report import SCHEMAS, faults, validator
from lbhm.schema_check import Compiler

sys.path.insert(0, str(Path(__file__).resolve().parent))

from made_reports import made_report

VALUES = [
    None,
    True,
    False,
    0,
    1,
    1.0,
    2,
    -1,
    0.5,
    2.5,
    math.nan,
    "",
    "a",
    "ab",
    "b1",
    [],
    [1],
    [1, 1],
    [1, "a"],
    [True, 1],
]
VALUES += [[1, 2, 3], [[1], [1]], ["a", "b"], {}, {"a": 1}, {"a": "x"}, {"a": 1, "b": 2}, {"b": None}, {"c": {"a": 1}}]
ONE_KEYWORD = [
    *({"type": name} for name in ("object", "array", "string", "integer", "number", "boolean", "null")),
    {"type": ["number", "null"]},
    {"type": ["integer", "string"]},
    *({"const": value} for value in ("a", 1, True, None)),
    {"enum": ["a", 0, False]},
    {"required": ["a"]},
    {"properties": {"a": {"type": "integer"}}},
    {"properties": {"a": {}}, "additionalProperties": False},
    {"properties": {"a": {}}, "additionalProperties": {"type": "null"}},
    {"dependentRequired": {"a": ["b"]}},
    {"items": {"type": "integer"}},
    {"prefixItems": [{"type": "integer"}], "items": {"type": "string"}},
    {"prefixItems": [{"type": "integer"}, {"type": "string"}]},
    {"anyOf": [{"type": "null"}, {"minimum": 1}]},
    {"oneOf": [{"type": "integer"}, {"type": "number"}]},
    {"pattern": "^[a-z]$"},
    {"minLength": 2},
    *({name: 1} for name in ("minimum", "maximum", "exclusiveMinimum", "minItems", "maxItems")),
    {"uniqueItems": True},
    {"$ref": "#/$defs/tree", "$defs": {"tree": {"properties": {"c": {"$ref": "#/$defs/tree"}, "a": {"const": 1}}}}},
]


@pytest.mark.parametrize("schema", ONE_KEYWORD, ids=str)
def test_a_keyword_means_what_it_means_there(schema):
    check, judge = Compiler(schema).check(schema), Draft202012Validator(schema)
    verdicts = [(check(value), judge.is_valid(value), value) for value in VALUES]
    assert [value for quick, right, value in verdicts if quick and not right] == []
    doubted = [value for quick, right, value in verdicts if right and not quick]
    assert doubted == ([[True, 1]] if "uniqueItems" in schema else [])  # what it doubts is for jsonschema
    assert {right for _, right, _ in verdicts} == {True, False}


@pytest.mark.parametrize("name", sorted(path.name.removesuffix(".schema.json") for path in SCHEMAS.glob("*.json")))
def test_every_schema_of_the_command_is_understood(name):
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
