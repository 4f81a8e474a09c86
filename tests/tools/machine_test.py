"""Do the machine commands find, show, check and measure machines?"""

import json
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

ROOT = Path(__file__).resolve().parents[2]
SCHEMA = json.loads((ROOT / "emulator/presets/machine.schema.json").read_text())
FIGURES = {
    "frequency_ghz": 4,
    "dispatch_width": 8,
    "misprediction_cycles": 20,
    "reorder_window": 448,
    "write_buffer": 104,
    "fill_buffers": 500,  # more than a machine file holds
    "l1_ns": 1,
    "l2_ns": 4,
    "llc_ns_2097152": 12,
    "llc_ns_1000000000000": 90,
    "latency_block_ns": 80,
    "latency_with_walk_ns": 110,
    "l2_line_ns": 0.5,
    "llc_line_ns": 0.75,
    "latency_sequential_ns": 16,
    "page_walk_ns_1024": 0.1,
    "page_walk_ns_2048": 0.2,
    "page_walk_ns_4096": 5,
    "page_walk_ns_8192": 6,
    "page_walk_ns_32768": 10,
    "read_gb_per_s_all": 40,
    "write_gb_per_s_all": 36,
    "copy_gb_per_s_all": 20,
    "loaded_latency_ratio": None,
    "read_gb_per_s_one": 20,
    "write_gb_per_s_one": 18,
    "copy_gb_per_s_one": 10,
}


@pytest.fixture
def measuring(build):
    """Makes the build's lbhm-measure a program that prints these figures and ends with this status."""
    program = build / "bin" / "lbhm-measure"
    program.parent.mkdir(exist_ok=True)

    def make(figures: dict, status: int = 0) -> None:
        values = {
            name: value and {"value": value, "spread": 0.5 if name == "l2_ns" else 0.01}
            for name, value in figures.items()
        }
        program.write_text(f"#!/bin/sh\necho frequency_ghz >&2\necho '{json.dumps(values)}'\nexit {status}\n")
        program.chmod(0o755)

    yield make
    program.unlink(missing_ok=True)


def test_a_file_of_the_user_has_a_name(lbhm, build, tmp_path):
    folder = tmp_path / "data" / "lbhm" / "machines"
    folder.mkdir(parents=True)
    preset = json.loads((build / "share/lbhm/machines/optane.json").read_text())
    (folder / "mine.json").write_text(json.dumps(preset | {"description": "Mine."}))
    (folder / "optane.json").write_text(json.dumps(preset | {"description": "Hidden by the preset."}))
    listed = lbhm("machine", "list", "--json", str(tmp_path / "list.json"))
    assert "Mine." in listed.stdout
    assert "Hidden" not in listed.stdout
    machines = json.loads((tmp_path / "list.json").read_text())["machines"]
    assert [machine["name"] for machine in machines] == ["host", "optane", "mine"]
    assert machines[2]["file"] == str(folder / "mine.json")
    shown = lbhm("machine", "show", "mine", "--json", str(tmp_path / "shown.json"))
    assert shown.returncode == 0, shown.stderr
    assert json.loads((tmp_path / "shown.json").read_text())["description"] == "Mine."
    assert "fast memory 64.0 KiB" in lbhm("run", "--machine", "mine", "--fast", "64K", "--", "./good").stdout


def test_check_asks_the_runtime(lbhm, build, tmp_path):
    for name in ("right.json", "wrong.json"):
        (tmp_path / name).write_text((build / "share/lbhm/machines/optane.json").read_text())
    assert lbhm("machine", "check", str(tmp_path / "right.json")).returncode == 0
    wrong = lbhm("machine", "check", str(tmp_path / "wrong.json"))
    assert (wrong.returncode, wrong.stderr) == (2, "lbhm: machine file wrong.json: tiers is missing\n")


def test_measure_writes_a_machine_file(lbhm, measuring, tmp_path):
    measuring(FIGURES)
    done = lbhm("machine", "measure", "--emulate", "--slow", "2", "--json", str(tmp_path / "figures.json"))
    assert done.returncode == 0, done.stderr
    assert "--machine emulated-host" in done.stdout
    assert "l2_ns" in done.stderr, "a figure with a large spread is named"
    machine = json.loads((tmp_path / "data/lbhm/machines/emulated-host.json").read_text())
    assert [error.message for error in Draft202012Validator(SCHEMA).iter_errors(machine)] == []
    core, tlb, tiers = machine["core"], machine["tlb"], machine["tiers"]
    assert core["reorder_window"]["value"] == 448
    assert core["fill_buffers"]["value"] == 64
    l2, llc = machine["caches"]["l2"], machine["caches"]["llc"]
    assert (l2["latency_cycles"]["value"], l2["cycles_per_line"]["value"]) == (16, 2)
    assert llc["cycles_per_line"]["value"] == 3
    assert tiers[0]["latency_random_ns"]["value"] == 100, "less the walk"
    assert (tlb["entries"]["value"], tlb["walk_cycles"]["value"]) == (2048, 40)
    assert machine["prefetcher"]["distance"]["value"] == 5  # 20 GB/s x 16 ns / 64 bytes
    assert tiers[0]["loaded_latency_ratio"]["source"].startswith("assumption")
    assert (tiers[1]["latency_random_ns"]["value"], tiers[1]["write_bandwidth_gb_per_s"]["value"]) == (200, 18)
    figures = json.loads((tmp_path / "figures.json").read_text())
    assert figures["figures"]["loaded_latency_ratio"] is None
    assert "emulated-host" in lbhm("machine", "list").stdout


def test_earlier_measurements_are_combined(lbhm, measuring, tmp_path):
    for i, l2_ns in enumerate((4, 5, 9)):
        measuring(FIGURES | {"l2_ns": l2_ns})
        assert (
            lbhm(
                "machine",
                "measure",
                "--emulate",
                "--output",
                str(tmp_path / "x.json"),
                "--json",
                str(tmp_path / f"{i}.json"),
            ).returncode
            == 0
        )
    options = [word for i in range(3) for word in ("--figures", str(tmp_path / f"{i}.json"))]
    middle, combined = tmp_path / "middle.json", tmp_path / "figures.json"
    done = lbhm("machine", "measure", "--emulate", "--output", str(middle), "--json", str(combined), *options)
    assert done.returncode == 0, done.stderr
    figures = json.loads(combined.read_text())["figures"]
    assert figures["l2_ns"] == {"value": 5, "spread": 1}
    assert figures["loaded_latency_ratio"] is None
    machine = json.loads(middle.read_text())
    assert machine["caches"]["l2"]["latency_cycles"]["value"] == 20
    assert "median of 3 measurements" in machine["core"]["frequency_ghz"]["source"]


@pytest.mark.parametrize("content", [None, "{", "[]", '{"figures": {"l2_ns": {"value": -1, "spread": 0}}}'])
def test_a_file_without_figures_is_refused(lbhm, measuring, tmp_path, content):
    measuring(FIGURES)
    old = tmp_path / "old.json"
    if content is not None:
        old.write_text(content)
    done = lbhm("machine", "measure", "--emulate", "--figures", str(old))
    assert done.returncode == 2
    assert f"--figures {old}: {'No such file' if content is None else 'holds no figures'}" in done.stderr
    assert "name a file that `lbhm machine measure --emulate --json FILE` wrote" in done.stderr.replace("\n", " ")


def test_what_cannot_be_measured_is_assumed(lbhm, measuring, tmp_path):
    measuring(FIGURES | {"reorder_window": None})
    target = tmp_path / "mine.json"
    assert lbhm("machine", "measure", "--emulate", "--output", str(target)).returncode == 0
    machine = json.loads(target.read_text())
    assert machine["name"] == "mine"
    assert machine["core"]["reorder_window"]["source"].startswith("assumption")


@pytest.mark.parametrize(
    ("words", "figures", "status", "sentence"),
    [
        ([], FIGURES, 2, "lbhm-measure-node: is not built here; run ./quickstart"),
        (["--slow", "2"], FIGURES, 2, "--slow and --figures: are for machine files to emulate; add --emulate"),
        (["--emulate", "--machine", "optane"], FIGURES, 2, "leave --machine and --classes out"),
        (["--machine", "nowhere"], FIGURES, 2, "machine 'nowhere' is unknown"),
        (["--emulate", "--slow", "0.5"], FIGURES, 2, "--slow 0.5: a second tier is 1 to 1000 times slower"),
        (["--emulate", "--output", "nowhere/x.json"], FIGURES, 2, "--output nowhere/x.json: the folder nowhere"),
        (["--emulate"], None, 2, "lbhm-measure: is not built here; run ./quickstart"),
        (["--emulate"], FIGURES | {"frequency_ghz": None}, 1, "frequency_ghz cannot be measured"),
    ],
)
def test_measure_refuses(lbhm, measuring, words, figures, status, sentence):
    if figures:
        measuring(figures)
    done = lbhm("machine", "measure", *words)
    assert done.returncode == status
    assert sentence in done.stderr
    assert "Traceback" not in done.stderr


def test_a_measurement_that_fails_is_told(lbhm, measuring):
    measuring(FIGURES, status=3)
    done = lbhm("machine", "measure", "--emulate")
    assert done.returncode == 1
    assert "measuring ended with status 3 after 'frequency_ghz'" in done.stderr
