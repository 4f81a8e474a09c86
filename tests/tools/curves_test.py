"""Do measured points become the curves that they are of? Are curves read as the emulated machine reads them?"""

import json
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from lbhm.base.errors import Refusal
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
    found = measure_curves.row("m", share, memory)
    assert found["bandwidth_gb_per_s"] == share
    for use, ratio in zip(measure_curves.USES, found["latency_ratios"], strict=True):
        assert ratio == pytest.approx(curve(use), abs=0.03), use


def test_what_is_measured_can_stand_in_a_machine_file(lbhm, tmp_path, monkeypatch):
    monkeypatch.setattr(measure_curves, "_of_tier", lambda machine, number, loaders: memory)
    monkeypatch.setattr(
        cli_measure.machine, "choose_machine", lambda name: cli_measure.machine.MachineChoice(name, True)
    )
    monkeypatch.setattr(measure_curves, "file_of", lambda name: ROOT / "emulator/presets/optane.json")
    content = measure_curves.measure_curves("optane", True, lambda step: None)
    assert [tier["name"] for tier in content["tiers"]] == ["dram", "optane"]
    Draft202012Validator({"$defs": SCHEMA["$defs"], **SCHEMA["$defs"]["curves"]}).validate(
        content["tiers"][1]["curves"]
    )


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


def loaded_by(threads: int, per_thread: float, full: float) -> measure_curves.Loaded:
    """A memory of which each thread gets so much, in GB/s, until it is full."""

    def with_threads(loaders: int) -> measure_curves.Probe:
        return lambda reads, pauses, longer: [
            {"gb_per_s": rate, "latency_ns": 80, "pause": 0} for rate in (0.8, min(full, loaders * per_thread))
        ]

    return measure_curves.Loaded("node 0", threads, with_threads, "let more processors take part")


@pytest.mark.parametrize(
    ("threads", "lack"),
    [
        (1, "one thread alone loads it and got 20 GB/s, so whether it can do more is not known"),
        (2, "the 2 threads that load it got 40 GB/s and 1 of them 20, so more threads would get more"),
        (4, "the 4 threads that load it got 80 GB/s and 3 of them 60, so more threads would get more"),
        (16, None),
    ],
)
def test_too_few_threads_to_fill_a_memory_are_said(threads, lack):
    memory = loaded_by(threads, per_thread=20, full=200)
    assert measure_curves._lack_of_threads(memory, min(200, 20 * threads)) == lack


def test_curves_of_too_few_threads_say_so_in_their_source(monkeypatch):
    monkeypatch.setattr(measure_curves, "row", lambda name, share, probe: {"bandwidth_gb_per_s": 40})
    found = measure_curves._curves(loaded_by(2, per_thread=20, full=200), "measured here", lambda step: None)
    assert found["curves"]["source"].startswith("measured here; the 2 threads that load it got 40 GB/s")
    assert found["remark"].startswith("node 0: the 2 threads")
    assert found["remark"].endswith("use 1 of its curves is what these threads got; let more processors take part")


def test_points_at_which_a_thread_got_no_processor_do_not_count():
    nothing = {"pause": 5, "gb_per_s": None, "latency_ns": None}
    assert measure_curves.best((nothing, {"pause": 5, "gb_per_s": 7, "latency_ns": 80}))["gb_per_s"] == 7
    with pytest.raises(Refusal, match="measure when nothing else runs here"):
        measure_curves.best((nothing, nothing))


def test_a_memory_that_pauses_do_not_relieve_is_refused_with_the_remedy():
    def slow(reads: int, pauses: list[int], longer: int) -> list[dict]:
        return [{"gb_per_s": 1, "latency_ns": 80, "pause": pause} for pause in [0, *pauses]]

    with pytest.raises(Refusal) as refused:
        measure_curves.row("far", 50, slow)
    assert refused.value.sentence == (
        "far: at 50 % of reads the threads use more than 60 % of its 1 GB/s even with long pauses, so its latency with "
        "less of a load cannot be measured; if fewer threads do not help, describe so slow a memory by "
        "loaded_latency_ratio"
    )


def test_longer_pauses_that_move_more_are_no_measurement():
    def disturbed(reads: int, pauses: list[int], longer: int) -> list[dict]:
        return [{"gb_per_s": 9 if pause == 0 else pause, "latency_ns": 80, "pause": pause} for pause in [0, 0, 2, 3]]

    with pytest.raises(Refusal, match=r"did not make the load less \(2 GB/s, then 3\); measure when nothing else runs"):
        measure_curves.row("m", 50, disturbed)


@pytest.mark.parametrize("text", ["{", "[]", '{"schema": "lbhm.host/1"}'])
def test_a_file_that_is_no_machine_hides_no_other_machine(lbhm, tmp_path, text):
    mine = tmp_path / "data/lbhm/machines/mine.json"
    mine.parent.mkdir(parents=True)
    mine.write_text(text)
    listed = lbhm("machine", "list")
    assert (listed.returncode, listed.stdout.count("optane")) == (0, 1)
    assert listed.stderr.startswith(f"lbhm: {mine}: ")


def test_curves_go_with_nothing_else(lbhm):
    refused = lbhm("machine", "measure", "--curves", "--emulate")
    assert refused.returncode == 2
    assert "--curves: goes with --machine" in refused.stderr
