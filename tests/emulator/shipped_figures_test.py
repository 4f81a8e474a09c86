"""Are the figures that ship with the presets of these presets as they are?"""

import hashlib
import json
from pathlib import Path

import pytest

from lbhm.files.report import validator
from lbhm.optimize.memory_figures import figures_in

PRESETS = Path(__file__).parents[2] / "emulator" / "presets"


@pytest.mark.parametrize("file", sorted((PRESETS / "measured").glob("*.json")), ids=lambda file: file.stem)
def test_figures_are_of_the_preset_and_near_its_numbers(file):
    content, preset = json.loads(file.read_text()), PRESETS / file.name
    validator("host").validate(content)
    again = f"measure it again: lbhm machine measure --machine {file.stem} --output {file}"
    assert content["machine_file"] == hashlib.sha256(preset.read_bytes()).hexdigest()[:16], again
    machine = json.loads(preset.read_text())
    found = figures_in(content, machine["tiers"], int(machine["core"]["hardware_threads"]["value"]))
    for tier, latency, read in zip(machine["tiers"], found.latencies_ns, found.read_gb_per_s, strict=True):
        assert latency == pytest.approx(tier["latency_random_ns"]["value"], rel=0.1)
        assert read <= 1.01 * tier["read_bandwidth_gb_per_s"]["value"]
