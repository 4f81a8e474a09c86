"""Does lbhm run begin from a profile or a placement though the program or its input is another one now?"""

from __future__ import annotations

import hashlib
import json
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from lbhm.base.errors import Refusal
from lbhm.execute import execute
from lbhm.execute.ending import Ending
from lbhm.execute.execute import Setup
from lbhm.optimize.optimize import Solution
from lbhm.run import placement_run

sys.path.insert(0, str(Path(__file__).resolve().parent))

from made_figures import FIGURES

PAGE = 4096


def setup_of(command: str = "./app") -> Setup:
    machine = SimpleNamespace(value="optane", emulated=True)
    return Setup(SimpleNamespace(), machine, [command], threads=2, seed=1)


def profile() -> dict:
    """Of a small input: one object of a page."""
    item = {"site": "00000000000000a1", "nth": 0, "bytes": PAGE, "born_ns": 0.0, "dies_ns": 10.0, "uses": []}
    section = {"page_bytes": PAGE, "objects": [item], "sites": [], "heap": False, "modules": {}, "phases": []}
    return {"machine": "optane", "footprint_bytes": PAGE, "command": ["./app"], "threads": 2, "objects": section}


@pytest.mark.parametrize(("fast", "pages"), [("64K", 16), ("100%", 1)])
def test_bytes_of_fast_memory_may_be_more_than_the_profiled_input_had(monkeypatch, tmp_path, fast, pages):
    tasks = []

    def solve(task) -> Solution:
        tasks.append(task)
        return Solution([1], [], [[0.0, 0.0]], True, 0, 0)

    monkeypatch.setattr(placement_run, "read_profile", lambda _: profile())
    monkeypatch.setattr(placement_run, "memory_figures", lambda *_: FIGURES)
    monkeypatch.setattr(placement_run, "has_lanes", lambda _: False)
    monkeypatch.setattr(placement_run, "solve", solve)
    file, say = tmp_path / "placement.json", lambda _: None
    setup = placement_run.begun_from(Path("p.json"), setup_of(), None, fast, file, say)
    assert tasks[0].capacities[0] == pages * PAGE
    assert json.loads((tmp_path / "placement.json").read_text())["capacity_bytes"] == [pages * PAGE]
    assert dict(setup.settings) == {"LBHM_PLACEMENT": str(tmp_path / "placement.json")}


def test_the_first_run_of_a_changed_program_leaves_no_parts_of_its_policy_out(monkeypatch, tmp_path):
    """It is under slow-only, which has none and refuses to start with LBHM_WITHOUT."""
    told = []

    def attempt(setup, policy, capacity, show_output, settings=None) -> Ending:
        told.append((policy, settings))
        return Ending("./app", policy, 0, b"", b"", {"sites": []})

    monkeypatch.setattr(execute, "attempt", attempt)
    monkeypatch.setattr(placement_run, "reporter", lambda *_: None)
    placement = {"modules": {"app": "a hash of before"}, "objects": []}
    monkeypatch.setattr(placement_run, "code_files_here", lambda *_: [])
    monkeypatch.setattr(placement_run, "code_files_of", lambda *_: [tmp_path / "app"])
    (tmp_path / "app").touch()
    placement_run.for_this_program(placement, Path("p.json"), setup_of("./no-app"), lambda _: None)
    assert told == [("slow-only", {"LBHM_WITHOUT": ""})]


def test_a_placement_of_another_program_is_refused_before_anything_runs():
    placement = {"modules": {"app": "a hash"}, "objects": []}
    with pytest.raises(Refusal, match=r"it places objects of app, and \./no-app is none of these"):
        placement_run.check_program_of(placement, Path("p.json"), ["./no-app"])


@pytest.mark.parametrize(
    "words", [("./good",), ("env", "A=1", "./good"), ("sh", "-c", "exec ./good x"), ("./script",), ("sh", "./script")]
)
def test_the_program_of_a_placement_may_stand_behind_wrappers(programs, monkeypatch, words):
    monkeypatch.chdir(programs)
    placement_run.check_program_of({"modules": {"good": "a hash"}}, Path("p.json"), list(words))
    with pytest.raises(Refusal, match=r"it places objects of app, and \./good is none of these"):
        placement_run.check_program_of({"modules": {"app": "a hash"}}, Path("p.json"), ["env", "A=1", "./good"])


def test_what_a_launcher_starts_unseen_is_learnt_by_a_first_run(programs, monkeypatch, tmp_path):
    monkeypatch.chdir(programs)
    words, said = ["sh", "-c", "a=goo; ./${a}d"], []
    placement = {"modules": {"good": "a hash"}, "objects": []}
    placement_run.check_program_of(placement, Path("p.json"), words)
    monkeypatch.setattr(
        placement_run, "attempt_first", lambda _: Ending("sh", "slow-only", 0, b"", b"", {"program": "./good"})
    )
    setup = Setup(SimpleNamespace(), SimpleNamespace(value="optane", emulated=True), words, threads=2, seed=1)
    placement_run.for_this_program(placement, Path("p.json"), setup, said.append)
    assert "sh is not seen to start good, of which p.json is: a first run" in said[0]


def test_an_unchanged_program_behind_a_wrapper_needs_no_first_run(programs, monkeypatch):
    monkeypatch.chdir(programs)
    known = hashlib.sha256((programs / "good").read_bytes()).hexdigest()
    placement = {"modules": {"good": known}, "objects": []}
    setup = Setup(SimpleNamespace(), SimpleNamespace(), ["env", "./good"], threads=2, seed=1)
    assert placement_run.for_this_program(placement, Path("p.json"), setup, lambda _: None) is placement
