"""Do measured points become the curves that they are of? Are curves read as the emulated machine reads them?"""

import json
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from lbhm.measure import cli_measure, measure_curves
from lbhm.measure.curves import latency_ratio, without_curves

ROOT = Path(__file__).resolve().parents[2]
SCHEMA = json.loads((ROOT / "emulator/presets/machine.schema.json").read_text())


def curve(use: float) -> float:
    return 1 + use**4


def memory(reads: int, pauses: list[int], longer: int) -> list[dict]:
    """100 GB/s with reads alone and half of it with stores alone; 80 ns, and twice of it at full load."""
    greatest = reads
    points = [{"gb_per_s": 0.8, "latency_ns": 80, "pause": 0}]
    for pause in pauses:
        rate = min(greatest, 40_000 / (pause + 1))
        points.append({"gb_per_s": rate, "latency_ns": 80 * curve(rate / greatest), "pause": pause})
    return points


@pytest.mark.parametrize("share", [50, 100])
def test_a_row_is_what_the_memory_is(share):
    found = measure_curves.row(share, memory)
    assert found["bandwidth_gb_per_s"] == share
    for use, ratio in zip(measure_curves.USES, found["latency_ratios"], strict=True):
        assert ratio == pytest.approx(curve(use), abs=0.03), use


def test_what_is_measured_can_stand_in_a_machine_file(lbhm, tmp_path, monkeypatch):
    monkeypatch.setattr(measure_curves, "_of_tier", lambda machine, number: memory)
    monkeypatch.setattr(
        cli_measure.machine, "choose_machine", lambda name: cli_measure.machine.MachineChoice(name, True)
    )
    monkeypatch.setattr(measure_curves, "file_of", lambda name: ROOT / "emulator/presets/optane.json")
    content = measure_curves.measure_curves("optane", True, lambda step: None)
    assert [tier["name"] for tier in content["tiers"]] == ["dram", "optane"]
    Draft202012Validator(SCHEMA["$defs"]["curves"]).validate(content["tiers"][1]["curves"])


def test_curves_are_interpolated_as_the_emulated_machine_does_it():
    rows = [
        {"read_percent": 50, "bandwidth_gb_per_s": 80, "latency_ratios": [2, 6]},
        {"read_percent": 100, "bandwidth_gb_per_s": 100, "latency_ratios": [1.2, 2]},
    ]
    tier = {"name": "a", "curves": {"uses": [0.5, 1], "rows": rows}}
    assert latency_ratio(tier, 0.75, 75) == pytest.approx((4 + 1.6) / 2)
    assert latency_ratio(tier, 0.25, 0) == pytest.approx(1.5)
    assert latency_ratio({"loaded_latency_ratio": {"value": 2}}, 0.9) == pytest.approx(2)
    assert without_curves({"tiers": [tier, {"name": "b"}]}) == ["b"]


def test_a_machine_without_curves_says_so(lbhm, build, tmp_path):
    file = tmp_path / "m.json"
    tiers = [{"name": "far", "loaded_latency_ratio": {"value": 2, "source": "x"}}]
    file.write_text(json.dumps({"schema": "lbhm.machine/3", "name": "m", "tiers": tiers}))
    shown = lbhm("machine", "show", str(file))
    assert "without measured curves: far" in shown.stdout


def test_a_damaged_file_of_the_user_hides_no_other_machine(lbhm, tmp_path):
    machines = tmp_path / "data/lbhm/machines"
    machines.mkdir(parents=True)
    (machines / "mine.json").write_text('{"schema": "lbhm.machine/3", "name": "mine", "tiers": "x"}')
    listed = lbhm("machine", "list")
    assert listed.returncode == 0, listed.stderr
    assert "optane" in listed.stdout and "mine" in listed.stdout


def test_of_repetitions_the_least_disturbed_counts():
    runs = ({"pause": 5, "gb_per_s": 9, "latency_ns": 90}, {"pause": 5, "gb_per_s": 7, "latency_ns": 80})
    assert measure_curves.best(runs) == {"pause": 5, "gb_per_s": 9, "latency_ns": 80}


def test_curves_go_with_nothing_else(lbhm):
    refused = lbhm("machine", "measure", "--curves", "--emulate")
    assert refused.returncode == 2
    assert "--curves: goes with --machine" in refused.stderr
