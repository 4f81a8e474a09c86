"""Does lbhm machine alpha make a table of what the probe and the counters say, and refuse what it cannot?"""

import json
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

ROOT = Path(__file__).resolve().parents[2]
SCHEMA = json.loads((ROOT / "tools/lbhm/schemas/alpha.schema.json").read_text())
QUANTITY = {"value": 4096, "source": "test"}
CACHES = {level: {"bytes": QUANTITY} for level in ("l1", "l2", "llc")}


def row(points: int, object_bytes: int) -> dict:
    return {
        "dimensions": 2,
        "points": points,
        "element_bytes": 8,
        "object_bytes": object_bytes,
        "elements": object_bytes // 8,
    }


def task(accesses: int) -> dict:
    zeros = {"lane": 0, "time_ns": 1, "predicted_ns": None, "fast_accesses": 0, "fast_bytes": 0}
    return zeros | {"accesses": accesses}


@pytest.fixture
def probe(build, tmp_path):
    """Makes stencil-probe a program that prints these rows; returns the environment in which its regions have these
    counts, flush and stencil taking turns."""
    (build / "bin").mkdir(exist_ok=True)
    programs = [build / "bin" / name for name in ("stencil-probe", "stencil-probe-emu")]

    def make(rows: list[dict], accesses: list[int]) -> dict[str, str]:
        for program in programs:
            program.write_text(
                f"#!/bin/sh\necho \"$@\" > {tmp_path}/words\nexec /bin/echo '{json.dumps({'rows': rows})}'\n"
            )
            program.chmod(0o755)
        regions = [
            {"region": "main:1", "instance": i, "time_ns": 1, "tasks": [task(count)]}
            for i, count in enumerate(accesses)
        ]
        report = {"schema": "lbhm.report/1", "machine": "mine", "policy": "slow-only", "virtual_time": True}
        report |= {"correlation": "analytic", "fast_capacity_bytes": 0, "footprint_bytes": 0, "makespan_ns": 1}
        report |= {"acv": 0, "migrated_bytes": 0, "decision_ns": 0, "fast_access_share": 0, "remarks": []}
        (tmp_path / "report.json").write_text(json.dumps(report | {"plans": [], "regions": regions}))
        return {"FAKE_REPORT": str(tmp_path / "report.json")}

    yield make
    for program in programs:
        program.unlink(missing_ok=True)


@pytest.fixture
def mine(tmp_path):
    """A machine with caches of 4 KiB."""
    file = tmp_path / "mine.json"
    file.write_text(json.dumps({"schema": "lbhm.machine/2", "name": "mine", "caches": CACHES}))
    return str(file)


def test_the_table_is_accesses_by_elements(lbhm, probe, mine, tmp_path):
    fake = probe([row(9, 64000), row(5, 64000), row(5, 800)], [77, 2000, 77, 1000, 77, 25])
    target = tmp_path / "alpha.json"
    done = lbhm("machine", "alpha", "--machine", mine, "--output", str(target), **fake)
    assert done.returncode == 0, done.stderr
    assert f"LBHM_ALPHA={target}" in done.stdout
    content = json.loads(target.read_text())
    assert [error.message for error in Draft202012Validator(SCHEMA).iter_errors(content)] == []
    assert content["machine"] == "mine"
    found = [(r["points"], r["object_bytes"], r["accesses_per_element"]) for r in content["stencils"]]
    assert found == [(5, 800, 0.25), (5, 64000, 0.125), (9, 64000, 0.25)]
    # A quarter of the last level to 64 times as much; the flush is larger than all three levels.
    assert (tmp_path / "words").read_text() == "--smallest 1024 --largest 262144 --flush 49152\n"


def test_the_fingerprint_follows_the_machine(lbhm, probe, mine, tmp_path):
    fake = probe([row(5, 800)], [7, 25])
    target = tmp_path / "alpha.json"

    def fingerprint() -> str:
        assert lbhm("machine", "alpha", "--machine", mine, "--output", str(target), **fake).returncode == 0
        return json.loads(target.read_text())["fingerprint"]

    before = fingerprint()
    assert fingerprint() == before
    Path(mine).write_text(Path(mine).read_text().replace("test", "changed"))
    assert fingerprint() != before


def test_a_machine_without_counters_is_refused(lbhm, probe, tmp_path):
    fake = probe([row(5, 800)], [0, 0])
    done = lbhm("machine", "alpha", "--machine", "host", "--output", str(tmp_path / "alpha.json"), **fake)
    assert done.returncode == 2
    assert "machine 'host' has no counter of main-memory accesses" in done.stderr.replace("\n", " ")
    assert not (tmp_path / "alpha.json").exists()


def test_a_report_of_other_regions_is_refused(lbhm, probe, mine, tmp_path):
    fake = probe([row(5, 800)], [7, 25, 3])
    done = lbhm("machine", "alpha", "--machine", mine, "--output", str(tmp_path / "alpha.json"), **fake)
    assert done.returncode == 2
    assert "has 3 regions for 1 stencils" in done.stderr.replace("\n", " ")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--machine", "nowhere", "--output", "x.json"], "machine 'nowhere' is unknown"),
        (["--output", "nowhere/x.json"], "--output nowhere/x.json: the folder nowhere"),
        (["--output", "x.json"], "optane.json: caches.l1, l2 or llc have no bytes"),
        (["--machine", "host", "--output", "x.json"], "stencil-probe: is not built here; run ./quickstart"),
    ],
)
def test_alpha_refuses(lbhm, words, sentence):
    done = lbhm("machine", "alpha", *words)
    assert done.returncode == 2
    assert sentence in done.stderr.replace("\n", " ")
    assert "Traceback" not in done.stderr
