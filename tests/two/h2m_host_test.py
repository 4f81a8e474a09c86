"""Is what was chosen for an emulated machine applied on a host with two memory nodes?"""

import json
import os
import subprocess

from host import BUILD, ROOT

SMALL = ("--size", "96", "--phases", "4", "--buffers", "6")
PROGRAM = str(BUILD / "bin" / "multiphase-emu")


def lbhm(*words: str, **variables: str) -> subprocess.CompletedProcess:
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("LBHM_", "LD_PRELOAD"))}
    environment = kept | {"LBHM_BUILD": str(BUILD)} | variables
    return subprocess.run([ROOT / "lbhm", *words], env=environment, capture_output=True, text=True, timeout=120)


def test_a_placement_is_applied_on_the_host(two_nodes, tmp_path):
    profile, placement, report = (str(tmp_path / f"{name}.json") for name in ("profile", "placement", "report"))
    done = lbhm(
        "profile", "--machine", "icelake-optane", "--threads", "2", "--heap", "--output", profile, "--", PROGRAM, *SMALL
    )
    assert done.returncode == 0, done.stderr
    done = lbhm("optimize", profile, "--method", "phases", "--no-curve", "--output", placement)
    assert done.returncode == 0, done.stderr
    nodes = two_nodes.environment(None)
    shim = {name: nodes[name] for name in ("TWO_NODES_TREE", "LD_PRELOAD")}
    common = ("--machine", "host", "--threads", "2", "--placement", placement, "--json", report)
    done = lbhm("run", *common, "--", PROGRAM, *SMALL, **shim)
    assert done.returncode == 0, done.stderr
    assert "on the host tier 0 is dram, tier 1 is optane" in done.stderr
    found = json.loads((tmp_path / "report.json").read_text())
    assert (found["machine"], found["policy"]) == ("host", "h2m-phases")
    assert found["migrated_bytes"] > 0
    assert not [line for line in found["remarks"] if "did not appear" in line], "all are known again"
