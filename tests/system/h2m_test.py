"""Profile, optimise, run: is what was chosen what happens, does it help, and is what does not fit said?"""

from __future__ import annotations

import itertools
import json
import os
import shutil
from pathlib import Path

import pytest

from lbhm.files.report import validator
from lbhm.files.use_rows import uses_of

from .conftest import program

SMALL = ("--size", "160", "--phases", "8", "--buffers", "10")
BUILD = Path(os.environ.get("LBHM_BUILD", Path(__file__).parents[2] / "build" / "release"))
COMMON = ("--machine", "icelake-optane", "--threads", "4")


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    return tmp_path_factory.mktemp("h2m")


@pytest.fixture(scope="module")
def profile(folder, command_with) -> dict:
    command_with(("profile", *COMMON, "--heap", "--output", str(folder / "p.json")), "multiphase-emu", *SMALL)
    found = json.loads((folder / "p.json").read_text())
    validator("profile").validate(found)
    return found


def placed(folder, command_with, lbhm_words, method: str, arguments=SMALL, name="multiphase-emu") -> dict:
    placement, report = folder / f"{method}.json", folder / f"{method}-run.json"
    lbhm_words(
        "optimize",
        str(folder / "p.json"),
        "--method",
        method,
        "--horizon",
        "2",
        "--no-curve",
        "--output",
        str(placement),
    )
    validator("placement").validate(json.loads(placement.read_text()))
    options = ("run", *COMMON, "--placement", str(placement), "--fast", "25%", "--json", str(report))
    command_with(options, name, *arguments)
    return json.loads(report.read_text())


def test_a_profile_knows_objects_phases_and_hits(profile):
    objects = profile["objects"]
    assert len(objects["objects"]) == 10
    assert [phase["name"] for phase in objects["phases"]] == ["start", *(f"phase {k}" for k in range(8))]
    assert all(site["portable"] for site in objects["sites"])
    uses = [use for item in objects["objects"] for use in uses_of(item)]
    assert all(sum(touches for touches, _ in use.levels) == use.touches for use in uses)
    waited = [latency for use in uses for touches, latency in use.levels[-1:] if touches]
    assert min(latency for latency in waited if latency) > 200, "Optane answers after 247 ns and a walk"
    begins = [phase["begin_ns"] for phase in objects["phases"]] + [objects["end_ns"]]
    assert all(begins[use.phase] <= use.first_ns <= use.last_ns <= begins[use.phase + 1] for use in uses)
    assert max(use.touches / use.most for use in uses) > 3, "four lanes share the work"
    touches = [sum(row[1] + row[2] for row in item["uses"]) for item in objects["objects"]]
    assert max(touches) > 20 * (min(touches) + 1), "dgemm reads its matrices far more often"
    assert profile["blocks"]["modules"]


def test_each_method_is_ahead_of_the_one_before(profile, folder, command_with, lbhm_words):
    reports = {m: placed(folder, command_with, lbhm_words, m) for m in ("first-come", "lifetime", "phases")}
    times = [report["makespan_ns"] for report in reports.values()]
    assert times[0] > times[1] > times[2]
    assert reports["phases"]["migrated_bytes"] > 0 == reports["lifetime"]["migrated_bytes"]
    for method, report in reports.items():
        assert report["policy"] == f"h2m-{'fcfs' if method == 'first-come' else method}"
        assert report["remarks"] == []


def test_balanced_gives_fast_memory_to_tasks_that_end_last(folder, command_with):
    """Tasks wait for latency, and the hottest pages are those of the quick ones: more is saved where it helps less."""
    size = ("--tasks", "16", "--mib", "4", "--rounds", "4")
    target = folder / "balanced.json"
    options = ("compare", *COMMON, "--fast", "25%", "--policies", "h2m-lifetime,lbhm-offline", "--json", str(target))
    command_with(options, "imbalance-emu", "--limit", "latency", "--alignment", "-1", "--imbalance", "2", *size)
    compared = json.loads(target.read_text())
    times = {run["policy"]: run["makespan_ns"] for run in compared["runs"]}
    slow_only = compared["reference"]["makespan_ns"]
    assert times["lbhm-offline"] < 0.75 * slow_only, "what saves most accesses, as h2m-lifetime, may miss it"
    assert times["lbhm-offline"] <= 1.01 * times["h2m-lifetime"]


def test_moves_may_go_on_beside_the_program(profile, folder, command_with, lbhm_words, monkeypatch):
    monkeypatch.setenv("LBHM_WITHOUT", "blocking")
    report = placed(folder, command_with, lbhm_words, "phases")
    assert report["migrated_bytes"] > 0


def test_another_input_is_said_and_placed_by_the_same_sites(profile, folder, command_with, lbhm_words):
    report = placed(folder, command_with, lbhm_words, "lifetime", ("--size", "160", "--phases", "4", "--buffers", "12"))
    assert any("2 objects are further ones of sites" in remark for remark in report["remarks"])
    assert report["fast_access_share"] > 0


def test_a_program_that_was_rebuilt_is_known_again(profile, folder, lbhm_words):
    """The file has changed, its sites have not: what a build with another option for the linker does."""
    (folder / "new").mkdir()
    copy = folder / "new" / "multiphase-emu"
    shutil.copy(BUILD / "bin" / "multiphase-emu", copy)
    with copy.open("ab") as file:
        file.write(b" ")
    placement, report = folder / "again.json", folder / "again-run.json"
    lbhm_words("optimize", str(folder / "p.json"), "--method", "lifetime", "--no-curve", "--output", str(placement))
    content = json.loads(placement.read_text())
    for entry in content["objects"]:
        entry["site"] = "00000000000000ff"  # as of another build: only the portable id tells
    placement.write_text(json.dumps(content))
    options = ("--placement", str(placement), "--fast", "25%", "--json", str(report))
    lbhm_words("run", *COMMON, *options, "--", str(copy), *SMALL)
    assert json.loads(report.read_text())["remarks"] == []


def test_a_profile_without_samples_says_so_and_is_refused(folder, command_with, lbhm_refuses, monkeypatch):
    monkeypatch.setenv("LBHM_TOUCH_PERIOD", str(1 << 40))
    empty = folder / "empty.json"
    command_with(("profile", *COMMON, "--heap", "--output", str(empty)), "multiphase-emu", *SMALL)
    assert "no access to any of its objects was sampled" in json.loads(empty.read_text())["why"][0]
    said = lbhm_refuses("optimize", str(empty), "--output", str(folder / "none.json"))
    assert "it has no objects: " in said
    assert "set LBHM_TOUCH_PERIOD to less than" in said


def test_a_program_that_fails_is_profiled_all_the_same(folder, lbhm_fails):
    """It says by its status that its input has no known answer, for example."""
    failed = folder / "failed.json"
    lbhm_fails(("profile", *COMMON, "--heap", "--output", str(failed)), "multiphase-emu", *SMALL)
    assert json.loads(failed.read_text())["objects"]["objects"]
    options = ("compare", *COMMON, "--heap", "--policies", "h2m-lifetime")
    assert "h2m-lifetime: the program ended with exit status 3" in lbhm_fails(options, "multiphase-emu", *SMALL).stdout


@pytest.mark.parametrize(
    ("fast", "complaint"), [("0%", "holds nothing"), ("1000G", "all of the program fits into that")]
)
def test_no_memory_and_more_than_all_are_refused(profile, folder, lbhm_refuses, fast, complaint):
    words = ("optimize", str(folder / "p.json"), "--fast", fast, "--output", str(folder / "none.json"))
    assert complaint in lbhm_refuses(*words)


def test_a_placement_of_another_program_is_refused(profile, folder, command_with, lbhm_words, lbhm_refuses):
    placed(folder, command_with, lbhm_words, "lifetime")
    said = lbhm_refuses("run", *COMMON, "--placement", str(folder / "lifetime.json"), "--", str(program("fe-emu")))
    assert "it places objects of multiphase-emu" in said


def test_lbhm_begins_from_a_profile_and_goes_on(profile, folder, command_with):
    report = folder / "lbhm.json"
    options = ("--heap", "--profile", str(folder / "p.json"), "--fast", "25%", "--json", str(report))
    command_with(("run", *COMMON, *options), "multiphase-emu", *SMALL)
    content = json.loads(report.read_text())
    assert content["policy"] == "lbhm"
    assert any("10 objects began where LBHM_PLACEMENT has them, and 0" in remark for remark in content["remarks"])
    assert content["migrated_bytes"] > 0


def test_regions_are_phases_where_a_program_names_none(folder, command_with, monkeypatch):
    """Each region that is another one than the last; the placed run has the same ones and moves when they begin."""
    monkeypatch.setenv("LBHM_FIND_PHASES", "regions")
    command_with(("profile", *COMMON, "--heap", "--output", str(folder / "r.json")), "fe-emu", "--size", "12")
    names = [phase["name"] for phase in json.loads((folder / "r.json").read_text())["objects"]["phases"]]
    assert len(names) > 100
    assert all(one != other for one, other in itertools.pairwise(names))
