"""Is a program profiled on a host with two memory nodes, and what was chosen applied there, for an emulated machine,
too?"""

import json
import os
import subprocess
from pathlib import Path

from host import BUILD, ROOT

from lbhm.measure import sample_factors

SMALL = ("--size", "96", "--phases", "4", "--buffers", "6")
PROGRAM = str(BUILD / "bin" / "multiphase-emu")


def lbhm(*words: str, **variables: str) -> subprocess.CompletedProcess:
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("LBHM_", "LD_PRELOAD"))}
    environment = kept | {"LBHM_BUILD": str(BUILD)} | variables
    return subprocess.run([ROOT / "lbhm", *words], env=environment, capture_output=True, text=True, timeout=120)


def shim_of(two_nodes) -> dict[str, str]:
    nodes = two_nodes.environment(None)
    return {name: nodes[name] for name in ("TWO_NODES_TREE", "LD_PRELOAD")}


def measured_host() -> dict:
    """What lbhm machine measure would write of that host."""

    def figures(latency: float, rate: float) -> dict:
        streams = {f"{what}_gb_per_s_2": rate for what in ("read", "write", "copy", "triad")}
        return {name: {"value": value, "spread": 0.1} for name, value in (streams | {"latency_ns": latency}).items()}

    def tier(node: int, name: str, latency: float, rate: float) -> dict:
        rates = {f"{what}_bandwidth_gb_per_s": rate for what in ("read", "write", "triad")}
        return {"name": name, "nodes": [node], "capacity_bytes": 4 << 30, "latency_ns": latency} | rates

    moves = {"move_gb_per_s_4096_256": {"value": 1.5, "spread": 0.1}, "move_gb_per_s_4096_4096": None}
    return {
        "tiers": [tier(0, "fast", 80, 100), tier(1, "slow", 250, 20)],
        "measurements": [
            {"place": 0, "node": 0, "class": 0, "figures": figures(80, 100)},
            {"place": 0, "node": 1, "class": 1, "figures": figures(250, 20)},
        ],
        "migrations": [{"from": a, "to": 1 - a, "figures": moves} for a in (0, 1)],
    }


ON_HOST = ("--machine", "host", "--threads", "2")


def test_a_host_is_profiled_and_its_program_placed(two_nodes, tmp_path):
    """By page faults, as nothing counts accesses there: which is said."""
    profile, placement = str(tmp_path / "profile.json"), str(tmp_path / "placement.json")
    words = (*ON_HOST, "--heap", "--output", profile, "--", PROGRAM, *SMALL)
    done = lbhm("profile", *words, LBHM_SAMPLER="faults", **shim_of(two_nodes))
    assert done.returncode == 0, done.stderr
    assert "samples are of first accesses to pages, as nothing here counts accesses" in done.stderr
    found = json.loads(Path(profile).read_text())
    assert (found["machine"], found["blocks"], found["objects"]["source"]) == ("host", None, "pages")
    assert any(item["uses"] for item in found["objects"]["objects"])
    optimize = ("optimize", profile, "--method", "lifetime", "--no-curve", "--output", placement)
    done = lbhm(*optimize, XDG_DATA_HOME=str(tmp_path))
    assert (done.returncode, "lbhm machine measure" in done.stderr) == (2, True), done.stderr
    (tmp_path / "lbhm").mkdir()
    (tmp_path / "lbhm/host.json").write_text(json.dumps(measured_host()))
    done = lbhm(*optimize, "--fast", "50%", XDG_DATA_HOME=str(tmp_path))
    assert done.returncode == 0, done.stderr
    placed = json.loads(Path(placement).read_text())
    assert (placed["tiers"], bool(placed["births"])) == (["fast", "slow"], True)
    report = str(tmp_path / "report.json")
    run = ("run", *ON_HOST, "--placement", placement, "--json", report, "--", PROGRAM, *SMALL)
    done = lbhm(*run, **shim_of(two_nodes))
    assert done.returncode == 0, done.stderr
    remarks = json.loads(Path(report).read_text())["remarks"]
    assert not [line for line in remarks if "did not appear" in line or "are not in" in line], "all are known again"


def test_where_nothing_counts_accesses_unimems_factors_are_not_known(two_nodes, tmp_path, monkeypatch):
    """memory-probe runs in both memories, and page faults are no count of its accesses."""
    tiers = tmp_path / "tiers.json"
    tiers.write_text(json.dumps({"schema": "lbhm.host/1", "kind": "host"} | measured_host()))
    for name, value in (shim_of(two_nodes) | {"LBHM_SAMPLER": "faults", "LBHM_BUILD": str(BUILD)}).items():
        monkeypatch.setenv(name, value)
    fast, slow = (found["figures"] for found in measured_host()["measurements"])
    counted = []
    monkeypatch.setattr(sample_factors, "sample_factors", lambda *of: counted.extend(of[3:]))
    sample_factors.of_host(tiers, fast, slow, 2, 1 << 25)
    assert [count("triad", 2) for count in counted] == [None, None]


def test_a_host_that_cannot_be_profiled_says_why(two_nodes, tmp_path):
    words = (*ON_HOST, "--heap", "--output", str(tmp_path / "profile.json"), "--", PROGRAM, *SMALL)
    done = lbhm("profile", *words, LBHM_SAMPLER="none", **shim_of(two_nodes))
    assert done.returncode == 2
    assert "nothing here samples what objects are used for (LBHM_SAMPLER=none" in done.stderr
    done = lbhm("profile", *words)
    assert done.returncode == 2
    assert "it has one memory, so nothing can be placed" in done.stderr


def test_a_placement_is_applied_on_the_host(two_nodes, tmp_path):
    profile, placement, report = (str(tmp_path / f"{name}.json") for name in ("profile", "placement", "report"))
    done = lbhm(
        "profile", "--machine", "icelake-optane", "--threads", "2", "--heap", "--output", profile, "--", PROGRAM, *SMALL
    )
    assert done.returncode == 0, done.stderr
    done = lbhm("optimize", profile, "--method", "phases", "--no-curve", "--output", placement)
    assert done.returncode == 0, done.stderr
    common = ("--machine", "host", "--threads", "2", "--placement", placement, "--json", report)
    done = lbhm("run", *common, "--", PROGRAM, *SMALL, **shim_of(two_nodes))
    assert done.returncode == 0, done.stderr
    assert "on the host tier 0 is dram, tier 1 is optane" in done.stderr
    found = json.loads((tmp_path / "report.json").read_text())
    assert (found["machine"], found["policy"]) == ("host", "h2m-phases")
    assert found["migrated_bytes"] > 0
    assert not [line for line in found["remarks"] if "did not appear" in line], "all are known again"
