"""bench/run unmodified: what is run, and whether gains and ratios are of the right pairs."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from harness.campaign.cells import APPLICATIONS
from harness.campaign.runs import Runner
from harness.campaign.store import Store
from harness.unmodified import OTHERS, PLAIN, POLICIES, UNCHANGED, cells, fields_of, tables_of

ROOT = Path(__file__).resolve().parents[2]


def cell(application: str, policy: str, makespan: float, moved: int = 0, **more) -> dict:
    return {"application": application, "policy": policy, "makespan_ns": makespan, "migrated_bytes": moved} | more


SOME = [
    cell("xs", "slow-only", 400, named_share=0.9),
    cell("xs", "first-touch", 300),
    cell("xs", "lbhm", 200, 4096),
    cell("bfs", "slow-only", 90, processor_seconds=1.5),
    cell("bfs", "lbhm", 50, processor_seconds=2.125),
    cell("bfs-plain", "lbhm", 100, processor_seconds=4),
    cell("pic", "lbhm", 80),
    cell("pic-plain", "lbhm", 40),
    cell("dmrg-plain", "lbhm", 1),
]


def test_every_program_runs_under_every_policy_and_twins_under_ours():
    found = cells(list(UNCHANGED), ["icelake-optane", "optane"])
    assert len(set(found)) == len(found) == 2 * (4 * 7 + 10 * 2)
    assert {c.policy for c in found if c.application == "xs"} == set(POLICIES)
    assert {c.policy for c in found if c.application in OTHERS} == {"slow-only", "lbhm"}
    for machine in ("icelake-optane", "optane"):
        first = next(c for c in found if c.application == "bt" and c.preset == machine)
        assert first.policy == "slow-only"  # tells the footprint


def test_figures_are_of_the_right_pairs():
    fields = fields_of(SOME)
    assert fields["programs"]["xs"]["lbhm"] == {"time_ns": 200, "moved_bytes": 4096}
    assert list(fields["programs"]) == ["xs"]
    assert fields["named_share"] == {"xs": 0.9}
    assert fields["gain_over_first_touch"] == {"xs": 0.5}
    assert fields["plain_over_configured_by_program"] == {"pic": 0.5, "bfs": 2}
    assert fields["plain_over_configured"] == 1
    assert fields["processor_seconds"] == 7.625
    assert fields["processor_seconds_by_program"] == {
        "xs": 0,
        "bfs": 3.625,
        "bfs-plain": 4,
        "pic": 0,
        "pic-plain": 0,
    } | {"dmrg-plain": 0}
    for table in tables_of("optane", fields):
        assert all(len(row) == len(table.columns) for row in table.rows)
    assert fields_of([])["plain_over_configured"] is None


class FakeBuild:
    def __init__(self, folder: Path):
        self.folder = folder
        self.library = folder / "liblbhm.so"
        for name in ("liblbhm.so", "liblbhm-heap.so", "xs-emu", "spgemm-emu", "spgemm-plain-emu"):
            (folder / name).write_text(name)

    def program(self, name: str) -> Path:
        return self.folder / name


def test_another_front_of_malloc_makes_results_stale_where_it_takes_part(tmp_path):
    build = FakeBuild(tmp_path)
    chosen = cells(["xs"], ["optane"])[0]

    def keys() -> list[str]:
        store = Store(tmp_path / "cells", build, True, (0,))
        return [store.key(of, chosen) for of in (UNCHANGED["xs"], PLAIN["spgemm"], APPLICATIONS["spgemm"])]

    before = keys()
    (tmp_path / "liblbhm-heap.so").write_text("another")
    assert [a == b for a, b in zip(before, keys(), strict=True)] == [False, False, True]


@pytest.mark.parametrize(("name", "heap"), [("xs", True), ("spgemm-plain", True), ("spgemm", False)])
def test_malloc_is_placed_where_a_program_tells_nothing(tmp_path, name, heap):
    application = (UNCHANGED | OTHERS)[name]
    setup = Runner(FakeBuild(tmp_path), tmp_path, True, (0,)).setup(application, "optane")
    assert setup.heap == heap


def test_the_short_form_runs_and_goes_on_where_it_stopped(tmp_path):
    """The whole way with real programs."""
    words = [ROOT / "bench" / "run", "unmodified", "--short", "--machine", "optane"]
    words += ["--work", tmp_path / "work", "--json", tmp_path / "u.json"]
    first = subprocess.run([str(word) for word in words], capture_output=True, text=True, cwd=ROOT, check=False)
    assert first.returncode == 0, first.stderr
    result = json.loads((tmp_path / "u.json").read_text())
    assert not [note for note in result["notes"] if "load average" not in note and "flang" not in note]
    assert set(result["programs"]) >= {"xs", "hydro", "fe"}
    for name, of in result["programs"].items():
        assert set(of) == set(POLICIES)
        assert of["fast-only"]["time_ns"] < of["slow-only"]["time_ns"]
        assert 0.5 < result["named_share"][name] <= 1, name
    assert result["plain_over_configured"] > 0
    assert set(result["plain_over_configured_by_program"]) == set(APPLICATIONS)
    assert result["machines"]["optane"]["programs"] == result["programs"]
    by_program = result["processor_seconds_by_program"]
    assert set(by_program) == {*result["programs"], *OTHERS}
    assert min(by_program.values()) > 0.01, "every run takes some of it"
    assert result["processor_seconds"] == pytest.approx(sum(by_program.values()), abs=0.01)
    again = subprocess.run([str(word) for word in words], capture_output=True, text=True, cwd=ROOT, check=False)
    assert again.stderr.count("(from disk)") == first.stderr.count(" ms (")
    assert json.loads((tmp_path / "u.json").read_text())["processor_seconds"] == result["processor_seconds"]


def test_an_unknown_machine_is_answered_with_those_that_exist():
    words = [ROOT / "bench" / "run", "unmodified", "--machine", "host"]
    done = subprocess.run(words, capture_output=True, text=True, cwd=ROOT, check=False)
    assert done.returncode == 2
    assert "--machine: there is no 'host'; choose from" in done.stderr
