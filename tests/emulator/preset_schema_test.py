"""Do the machine files keep to their schema, and does the schema refuse what is wrong?"""

import copy
import json
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

PRESETS = Path(__file__).resolve().parents[2] / "emulator" / "presets"
SCHEMA = json.loads((PRESETS / "machine.schema.json").read_text())
FILES = sorted(path for path in PRESETS.glob("*.json") if not path.name.endswith(".schema.json"))


CURVES = {"source": "x", "uses": [1], "rows": [{"read_percent": 50, "bandwidth_gb_per_s": 9, "latency_ratios": [2]}]}


def with_curves(machine: dict, schema: str = "lbhm.machine/3") -> dict:
    machine["schema"] = schema
    tier = machine["tiers"][0]
    del tier["loaded_latency_ratio"]
    tier["curves"] = copy.deepcopy(CURVES)
    return tier["curves"]


def complaints(machine: dict) -> list[str]:
    return [f"{error.json_path}: {error.message}" for error in Draft202012Validator(SCHEMA).iter_errors(machine)]


def test_the_schema_is_one():
    Draft202012Validator.check_schema(SCHEMA)
    assert FILES


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_preset_keeps_to_the_schema(path):
    machine = json.loads(path.read_text())
    assert complaints(machine) == []
    assert machine["name"] == path.stem


@pytest.mark.parametrize(
    "spoil",
    [
        lambda m: m.pop("tiers"),
        lambda m: m["tiers"].clear(),
        lambda m: m["core"].update(frequency_mhz={"value": 1, "source": "x"}),
        lambda m: m["core"]["frequency_ghz"].update(value="2.3"),
        lambda m: m["core"]["frequency_ghz"].update(source=""),
        lambda m: m["tiers"][0]["latency_random_ns"].pop("source"),
        lambda m: m["core"]["fill_buffers"].update(value=1.5),
        lambda m: m.update(schema="lbhm.machine/1"),
        lambda m: m["tiers"][0]["capacity_bytes"].update(value=0),
        lambda m: m["tiers"][0]["loaded_latency_ratio"].update(value=0.5),
        lambda m: m["caches"]["llc"].update(sharing="half"),
        lambda m: m["tiers"][0].pop("loaded_latency_ratio"),
        lambda m: with_curves(m) and m["tiers"][0].update(loaded_latency_ratio={"value": 2, "source": "x"}),
        lambda m: with_curves(m, schema="lbhm.machine/2"),
        lambda m: with_curves(m)["rows"].clear(),
        lambda m: with_curves(m).update(uses=[0.5, 1.5]),
        lambda m: with_curves(m)["rows"][0]["latency_ratios"].append(0.5),
    ],
)
def test_the_schema_refuses(spoil):
    machine = copy.deepcopy(json.loads(FILES[0].read_text()))
    spoil(machine)
    assert complaints(machine)
