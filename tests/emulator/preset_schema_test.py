"""Do the machine files keep to their schema, and does the schema refuse what the emulator refuses?"""

import copy
import json
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

PRESETS = Path(__file__).resolve().parents[2] / "emulator" / "presets"
SCHEMA = json.loads((PRESETS / "machine.schema.json").read_text())
FILES = sorted(path for path in PRESETS.glob("*.json") if not path.name.endswith(".schema.json"))


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
    ],
)
def test_the_schema_refuses(spoil):
    machine = copy.deepcopy(json.loads(FILES[0].read_text()))
    spoil(machine)
    assert len(complaints(machine)) == 1
