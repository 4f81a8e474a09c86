"""Does lbhm machine measure ask each place about each node, and make the right tiers of the answers?"""

import json
import os
from pathlib import Path
from types import SimpleNamespace

import pytest
from jsonschema import Draft202012Validator

from lbhm.base.errors import Refusal
from lbhm.measure import cli_measure, measure_nodes, node_figures
from lbhm.system.system import System

SCHEMA = Draft202012Validator(
    json.loads((Path(__file__).resolve().parents[2] / "tools/lbhm/schemas/host.schema.json").read_text())
)
NODES = "sys/devices/system/node"
GIB = 1 << 20  # in kB
# Triad GB/s as in PEARS (MEMSYS 2021), figure 3: two sockets with DRAM (nodes 0, 1) and Optane (2, 3).
TRIAD = {
    (0, 0): 69.2, (0, 1): 34.7, (0, 2): 6.08, (0, 3): 0.80,
    (1, 0): 33.6, (1, 1): 67.6, (1, 2): 0.81, (1, 3): 6.19,
}  # fmt: skip


def figure(value: float, spread: float = 0.01) -> dict:
    return {"value": value, "spread": spread}


class Native:
    """lbhm-measure-node, as the machine of PEARS would answer it."""

    def __init__(self) -> None:
        self.asked: list[tuple] = []
        self.unmeasurable: set[int] = set()

    def __call__(self, name, words, say, settings, processors):
        self.asked.append((*words, tuple(processors), settings["OMP_NUM_THREADS"]))
        say("a step")
        if words[0] == "query":
            return {"query_page_ns_1": figure(250)}
        if words[0] == "migration":
            return {"move_gb_per_s_4096_4096": figure(4), "move_gb_per_s_2097152_16": None}
        place, node = (0 if 0 in processors else 1), max(0, int(words[1]))
        triad = TRIAD[place, node]
        if node in self.unmeasurable:
            return {"latency_ns": None, "triad_gb_per_s_2": None}
        names = ("read", "write", "copy", "triad")
        rates = {f"{what}_gb_per_s_{n}": figure(triad * n / 2) for n in (1, 2) for what in names}
        latencies = {"latency_ns": figure(6000 / triad), "latency_loaded_ns": figure(12000 / triad)}
        return {"share_on_node": figure(0.5 if node == 3 else 1)} | latencies | rates


@pytest.fixture
def native(monkeypatch):
    program = Native()
    monkeypatch.setattr(measure_nodes, "run_native", program)
    caches = [SimpleNamespace(bytes=size) for size in (32 << 10, 1 << 20, 32 << 20)]  # not those of this computer
    monkeypatch.setattr(measure_nodes, "read_caches", lambda: caches)
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1, 2, 3})
    monkeypatch.setattr(measure_nodes, "of_host", lambda *_: None)
    return program


@pytest.fixture
def machine(tmp_path):
    """Nodes: number -> (kB of it, kB free, processors)."""

    def make(nodes: dict[int, tuple[int, int, str]], allowed: str | None = None) -> System:
        for number, (total, free, processors) in nodes.items():
            folder = tmp_path / NODES / f"node{number}"
            folder.mkdir(parents=True)
            text = f"Node {number} MemTotal: {total} kB\nNode {number} MemFree: {free} kB\n"
            (folder / "meminfo").write_text(text)
            (folder / "cpulist").write_text(processors)
        (tmp_path / "proc/self").mkdir(parents=True)
        (tmp_path / "proc/meminfo").write_text(f"MemTotal: {GIB} kB\nMemAvailable: {GIB} kB\n")
        if allowed:
            (tmp_path / "proc/self/status").write_text(f"Mems_allowed_list:\t{allowed}\n")
        return System(tmp_path)

    return make


FOUR = {
    0: (8 * GIB, 4 * GIB, "0-1"),
    1: (8 * GIB, 4 * GIB, "2-3"),
    2: (64 * GIB, 60 * GIB, ""),
    3: (64 * GIB, 60 * GIB, ""),
}


def test_two_sockets_with_two_kinds_of_memory(native, machine):
    steps: list[str] = []
    content = measure_nodes.measure_nodes(steps.append, system=machine(FOUR))
    SCHEMA.validate(content)
    assert [(tier["name"], tier["nodes"]) for tier in content["tiers"]] == [("fast", [0, 1]), ("slow", [2, 3])]
    fast, slow = content["tiers"]
    assert fast["capacity_bytes"] == 16 << 30
    assert fast["read_bandwidth_gb_per_s"] == pytest.approx(69.2 + 67.6, rel=1e-3)
    assert fast["latency_loaded_ns"] == pytest.approx(2 * fast["latency_ns"], rel=1e-3)
    assert fast["latency_ns"] == pytest.approx((6000 / 69.2 + 6000 / 67.6) / 2, rel=1e-3), "from the nearest places"
    assert slow["write_bandwidth_gb_per_s"] == pytest.approx(6.08 + 6.19, rel=1e-3)
    classes = {(found["place"], found["node"]): found["class"] for found in content["measurements"]}
    assert classes == {(0, 0): 0, (1, 1): 0, (0, 1): 1, (1, 0): 1, (0, 2): 2, (1, 3): 2, (0, 3): 3, (1, 2): 3}
    memory = [asked for asked in native.asked if asked[0] == "memory"]
    assert ("memory", "2", str(1 << 30), (2, 3), "2") in memory
    assert len(memory) == 8
    assert len(content["migrations"]) == 12
    assert ("migration", "2", "1", str(64 << 20), (2, 3), "2") in native.asked, "by processors of one of the two"
    assert "migration from node 0 to 1: a step" in steps
    *elsewhere, factors = measure_nodes.doubtful(content)
    assert elsewhere == ["only 50% of what was measured of node 3 lay there"] * 2
    assert factors.startswith("CF_bw and CF_lat are not known")


def test_factors_are_of_the_two_outer_tiers_for_the_processors_nearest_to_them(native, machine, monkeypatch):
    asked = []

    def of_host(tiers: Path, *of) -> dict:
        asked.append((json.loads(tiers.read_text())["tiers"], *of))
        return {"source": "misses"} | {name: figure(1.5) for name in ("cf_bw", "cf_lat", "peak_gb_per_s")}

    monkeypatch.setattr(measure_nodes, "of_host", of_host)
    content = measure_nodes.measure_nodes(lambda _: None, system=machine(FOUR))
    SCHEMA.validate(content)
    assert content["unimem"]["cf_bw"]["value"] == 1.5
    ((tiers, fast, slow, threads, size),) = asked
    assert tiers == content["tiers"]
    assert (fast["triad_gb_per_s_2"]["value"], slow["triad_gb_per_s_2"]["value"]) == (69.2, 6.08)
    assert (threads, size) == (2, 1 << 30)
    assert "CF_bw 1.5" in node_figures.unimem_line(content)


def test_factors_that_cannot_be_measured_leave_the_rest(native, machine, monkeypatch, capsys):
    def refuse(*_):
        raise Refusal("memory-probe: it cannot be started")

    monkeypatch.setattr(measure_nodes, "of_host", refuse)
    content = measure_nodes.measure_nodes(lambda _: None, system=machine(FOUR))
    assert content["unimem"] is None
    assert "CF_bw and CF_lat are left out: memory-probe: it cannot be started" in capsys.readouterr().err
    assert any("nothing here counts accesses" in line for line in measure_nodes.doubtful(content))


def test_the_number_of_classes_may_be_known(native, machine):
    content = measure_nodes.measure_nodes(lambda _: None, classes=3, system=machine(FOUR))
    assert {found["class"] for found in content["measurements"]} == {0, 1, 2}


def test_one_node_is_not_bound_to(native, machine):
    content = measure_nodes.measure_nodes(lambda _: None, system=machine({0: (GIB, GIB, "0-3")}))
    SCHEMA.validate(content)
    assert [(tier["name"], tier["nodes"]) for tier in content["tiers"]] == [("memory", [0])]
    assert content["migrations"] == []
    assert native.asked[0] == ("memory", "-1", str(512 << 20), (0, 1, 2, 3), "4"), "half of what is available"


def test_a_kernel_without_nodes(native, machine):
    content = measure_nodes.measure_nodes(lambda _: None, system=machine({}))
    assert content["tiers"][0]["nodes"] == [0]
    assert content["tiers"][0]["capacity_bytes"] == os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")


def test_nodes_that_are_not_allowed_are_left_out(native, machine):
    content = measure_nodes.measure_nodes(lambda _: None, system=machine(FOUR, allowed="0,2"))
    assert [tier["nodes"] for tier in content["tiers"]] == [[0], [2]]
    assert {found["place"] for found in content["measurements"]} == {0, 1}, "processors of node 1 are still ours"


def test_a_full_node_is_refused(native, machine):
    full = FOUR | {3: (64 * GIB, 48 << 10, "")}
    with pytest.raises(Refusal, match="node 3 has 48 MiB free, but measuring takes 64; close programs"):
        measure_nodes.measure_nodes(lambda _: None, system=machine(full))


def test_a_node_that_cannot_be_measured_is_refused(native, machine):
    native.unmeasurable = {2}
    with pytest.raises(Refusal, match="node 2: its bandwidth could not be measured; see lbhm doctor"):
        measure_nodes.measure_nodes(lambda _: None, system=machine(FOUR))


def test_the_tiers_are_told_as_a_setting(native, machine, monkeypatch, tmp_path, capsys):
    found = measure_nodes.measure_nodes(lambda _: None, system=machine(FOUR))
    monkeypatch.setattr(cli_measure, "measure_nodes", lambda say, classes: found)
    cli_measure.measure_command(file=tmp_path / "host.json")
    assert f"programs have these tiers with LBHM_TIERS={tmp_path}/host.json" in capsys.readouterr().out


def test_the_command_writes_and_shows(lbhm, build, tmp_path):
    program = build / "bin" / "lbhm-measure-node"
    program.parent.mkdir(exist_ok=True)
    figures = {"latency_ns": figure(95), "triad_gb_per_s_2": figure(30, spread=0.5)}
    figures |= {f"{what}_gb_per_s_2": figure(20) for what in ("read", "write", "copy")}
    program.write_text(f"#!/bin/sh\necho step >&2\necho '{json.dumps(figures)}'\n")
    program.chmod(0o755)
    try:
        done = lbhm("machine", "measure", "--json", str(tmp_path / "copy.json"))
    finally:
        program.unlink()
    assert done.returncode == 0, done.stderr
    written = json.loads((tmp_path / "data/lbhm/host.json").read_text())
    SCHEMA.validate(written)
    assert written == json.loads((tmp_path / "copy.json").read_text())
    assert written["kernel"] == os.uname().release
    assert written["tiers"][0]["latency_ns"] == 95
    assert "95 ns" in done.stdout
    assert "30 (50%)" in done.stdout
    assert "repetitions lay far apart: triad_gb_per_s_2 of node 0; measure again" in done.stderr.replace("\n", " ")


def test_what_the_program_says_is_told(lbhm, build):
    program = build / "bin" / "lbhm-measure-node"
    program.parent.mkdir(exist_ok=True)
    program.write_text("#!/bin/sh\necho 'lbhm-measure-node: the kernel refuses; lbhm doctor says more' >&2\nexit 1\n")
    program.chmod(0o755)
    try:
        done = lbhm("machine", "measure")
    finally:
        program.unlink()
    assert (done.returncode, done.stderr) == (1, "lbhm: the kernel refuses; lbhm doctor says more\n")
