"""Does lbhm machine measure find what memory is like? Of presets the truth is known; the host must answer at all."""

import hashlib
import json
import os
import re
import subprocess
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from lbhm.measure.curves import bandwidth

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("LBHM_BUILD", ROOT / "build" / "release"))
MEASURED = ROOT / "emulator/presets/measured"
SCHEMA = Draft202012Validator(json.loads((ROOT / "tools/lbhm/schemas/host.schema.json").read_text()))


def turns(tier: dict) -> float:
    """What a triad takes over what it would take if its two reads and its write took turns."""
    if "curves" not in tier:
        return 1
    read, write = (tier[f"{way}_bandwidth_gb_per_s"]["value"] for way in ("read", "write"))
    return 3 / bandwidth(tier, 200 / 3) / (2 / read + 1 / write)


@pytest.mark.parametrize("preset", ["optane", "three-tier"])
def test_an_emulated_machine_is_what_its_file_says(runner, preset):
    file = runner.folder / "found.json"
    runner.command("machine", "measure", "--machine", preset, "--output", file)
    found = json.loads(file.read_text())
    SCHEMA.validate(found)
    truth = json.loads((BUILD / f"share/lbhm/machines/{preset}.json").read_text())["tiers"]
    by_node = {tier["nodes"][0]: tier for tier in found["tiers"]}
    assert sorted(by_node) == list(range(len(truth))), "each tier is a speed class of its own"
    for node, tier in enumerate(truth):
        assert by_node[node]["capacity_bytes"] == tier["capacity_bytes"]["value"]
        for what in ("read_bandwidth_gb_per_s", "write_bandwidth_gb_per_s"):
            assert by_node[node][what] == pytest.approx(tier[what]["value"], rel=0.05)
        assert by_node[node]["latency_ns"] == pytest.approx(tier["latency_random_ns"]["value"], rel=0.1)
    assert found["unimem"]["cf_lat"]["value"] == pytest.approx(1, rel=0.05), "its samples leave nothing out"
    assert found["unimem"]["cf_bw"]["value"] == pytest.approx(turns(truth[0]), rel=0.05)
    slowest = found["tiers"][-1]["triad_bandwidth_gb_per_s"]
    assert found["unimem"]["peak_gb_per_s"]["value"] == pytest.approx(slowest, rel=0.01)


@pytest.mark.parametrize(
    "file", sorted((ROOT / "emulator/presets/measured").glob("*.json")), ids=lambda file: file.stem
)
def test_shipped_figures_are_complete_and_of_their_machine_file(file):
    content = json.loads(file.read_text())
    SCHEMA.validate(content)
    assert content["unimem"]["source"] == "touches"
    machine = hashlib.sha256((file.parents[1] / file.name).read_bytes()).hexdigest()
    assert machine.startswith(content["machine_file"]), "measure it again: lbhm machine measure"


def measure_node(*words: str) -> subprocess.CompletedProcess:
    command = [BUILD / "bin" / "lbhm-measure-node", *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=120)


def test_the_host_answers():
    done = measure_node("memory", "-1", str(32 << 20))
    assert done.returncode == 0, done.stderr
    figures, threads = json.loads(done.stdout), len(os.sched_getaffinity(0))
    for name in ("latency_ns", f"read_gb_per_s_{threads}", f"triad_gb_per_s_{threads}", "triad_gb_per_s_1"):
        assert figures[name]["value"] > 0


def test_pages_that_cannot_move_are_no_figure():
    """Node 1023 is on no machine of ours: nothing arrives there, and nothing may look as if it had."""
    done = measure_node("migration", "0", "1023", str(32 << 20))
    if done.returncode == 1:
        assert "the kernel refuses set_mempolicy for node 0" in done.stderr
    else:
        assert set(json.loads(done.stdout).values()) == {None}


def test_a_node_that_is_not_there_is_refused():
    done = measure_node("memory", "1023", str(32 << 20))
    assert done.returncode == 1
    assert done.stderr.startswith("lbhm-measure-node: the kernel refuses set_mempolicy for node 1023 (")


@pytest.mark.parametrize(
    "words", [[], ["memory"], ["memory", "0", "1"], ["migration", "0", str(1 << 30)], ["x", "0", "9"]]
)
def test_nonsense_is_refused(words):
    done = subprocess.run([BUILD / "bin" / "lbhm-measure-node", *words], capture_output=True, text=True)
    assert done.returncode == 2
    assert done.stderr.startswith("Usage: ")


def optane_with(folder: Path, threads: int, bandwidth: float | None = None) -> Path:
    """The preset with so many threads, its slow tier alone, without curves; its bandwidth in GB/s."""
    machine = json.loads((ROOT / "emulator/presets/optane.json").read_text())
    machine["core"]["hardware_threads"]["value"] = threads
    machine["tiers"] = machine["tiers"][1:]
    del machine["tiers"][0]["curves"]
    machine["tiers"][0]["loaded_latency_ratio"] = {"value": 2, "source": "made up"}
    if bandwidth is not None:
        for way in ("read", "write"):
            machine["tiers"][0][f"{way}_bandwidth_gb_per_s"]["value"] = bandwidth
    file = folder / "mine.json"
    file.write_text(json.dumps(machine))
    return file


def test_curves_of_a_machine_with_one_thread_are_refused(lbhm_refuses, tmp_path):
    file = optane_with(tmp_path, threads=1)
    said = lbhm_refuses("machine", "measure", "--curves", "--machine", file)
    assert said.startswith(
        f"lbhm: --curves: machine file {file}: core.hardware_threads is 1, but curves need one thread"
    )


def test_a_memory_too_slow_for_curves_is_refused_with_a_true_remedy(tmp_path):
    command = [ROOT / "lbhm", "machine", "measure", "--curves", "--machine", optane_with(tmp_path, 24, 0.001)]
    done = subprocess.run(command, env=os.environ | {"LBHM_BUILD": str(BUILD)}, capture_output=True, text=True)
    assert done.returncode == 1
    last = done.stderr.splitlines()[-1]
    assert last.startswith("lbhm: optane: at 50 % of reads a thread got nothing of it in 8 ms of virtual time; ")
    assert last.endswith("describe so slow a memory by loaded_latency_ratio")


def test_curves_of_few_threads_say_that_they_do_not_fill_the_memory(runner, tmp_path):
    found = tmp_path / "curves.json"
    file = optane_with(tmp_path, threads=3)
    runner.command("machine", "measure", "--curves", "--machine", file, "--output", found)
    (tier,) = json.loads(found.read_text())["tiers"]
    assert re.match("optane: the 2 threads that load it got .* GB/s and 1 of them .*, so more threads", tier["remark"])
    assert tier["remark"].endswith(f"measure a copy of {file} with more core.hardware_threads")
    assert "so more threads would get more" in tier["curves"]["source"]


@pytest.mark.parametrize(
    ("damage", "named"),
    [({"tiers": "x"}, "tiers"), ({"tiers": ["x"]}, "tiers"), ({"core": None}, "core"), ({"name": None}, "name")],
)
@pytest.mark.parametrize(
    "way", ["machine measure", "machine measure --curves", "machine alpha --output alpha.json", "train", "run"]
)
def test_a_damaged_machine_file_is_refused_by_its_own_name(lbhm_refuses, tmp_path, damage, named, way):
    machine = json.loads((ROOT / "emulator/presets/cascade-lake.json").read_text()) | damage
    file = tmp_path / "mine.json"
    file.write_text(json.dumps({key: value for key, value in machine.items() if value is not None}))
    program = ["--", BUILD / "bin" / "memory-probe-emu", "--what", "read"] if way == "run" else []
    said = lbhm_refuses(*way.split(), "--machine", file, *program)
    assert said.startswith(f"lbhm: machine file {file}: {named}")
