"""lbhm train, as somebody uses it: what is measured is kept, what fails is listed, bad input is refused."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from lbhm.base.build_tree import BuildTree
from lbhm.base.errors import Refusal
from lbhm.machine import MachineChoice
from lbhm.train.collect import Plan, collect, threads_of
from lbhm.train.corpus import chosen, programs_in
from lbhm.train.job import Job

ROOT = Path(__file__).parents[2]
BUILD = Path(os.environ.get("LBHM_BUILD", ROOT / "build" / "release"))


@pytest.fixture
def plan(tmp_path, monkeypatch):
    """Three programs, one of which fails; each measurement leaves a line in `log`."""
    build = tmp_path / "build"
    (build / "lib").mkdir(parents=True)
    (build / "lib/liblbhm.so").write_text("library")
    (tmp_path / "machine.json").write_text('{"schema": "lbhm.machine/2"}')
    programs = []
    for name in ("cg", "ep", "broken"):
        program = tmp_path / f"corpus-{name}"
        program.write_text(name)
        program.chmod(program.stat().st_mode | stat.S_IXUSR)
        programs.append(program)

    def measure(job: Job, which: str, _chosen: list, lanes: bool) -> dict:
        with (tmp_path / "log").open("a") as log:
            log.write(f"{job.name} {which} {lanes}\n")
        if "broken" in job.name:
            raise Refusal("broken: the program ended with exit status 1")
        return {"regions": []}

    monkeypatch.setattr(Job, "_measure", measure)
    machine = MachineChoice(str(tmp_path / "machine.json"), emulated=True)
    return Plan(BuildTree(build), machine, programs, [1, 2], 10, 1, tmp_path / "work")


def runs(plan: Plan) -> list[str]:
    log = plan.work.parent / "log"
    return log.read_text().splitlines() if log.exists() else []


def test_a_failed_program_is_listed_and_the_others_are_measured(plan):
    found = collect(plan, 2)
    assert [file.name for file in found.files] == ["cg-1.json", "cg-2.json", "ep-1.json", "ep-2.json"]
    assert found.failed == dict.fromkeys(("broken-1", "broken-2"), "broken: the program ended with exit status 1")
    assert "cg-1 seed True" in runs(plan), "the lanes of the seed input are needed"


def test_a_second_run_measures_nothing_but_what_failed(plan):
    collect(plan, 2)
    before = len(runs(plan))
    again = collect(plan, 2)
    assert (len(again.files), again.kept) == (4, 4)
    assert all(line.startswith("broken") for line in runs(plan)[before:])


@pytest.mark.parametrize("what", ["corpus-cg", "build/lib/liblbhm.so", "machine.json"])
def test_what_changed_is_measured_again(plan, what):
    collect(plan, 2)
    from lbhm.train.job import _digest

    _digest.cache_clear()
    before = len(runs(plan))
    (plan.work.parent / what).write_text('{"schema": "lbhm.machine/2", "changed": 1}')
    collect(plan, 2)
    assert any(line.startswith("cg-1 train") for line in runs(plan)[before:])
    assert any(line.startswith("ep-1 train") for line in runs(plan)[before:]) == (what != "corpus-cg")


def test_a_file_cut_off_is_measured_again(plan):
    collect(plan, 1)
    file = plan.work / "cg-1.json"
    file.write_text(file.read_text()[:40])
    assert collect(plan, 1).kept == 3
    assert json.loads(file.read_text())["program"] == "cg"


def test_threads_are_those_that_the_machine_has():
    assert threads_of("1,12", 8) == [1, 8]
    assert threads_of("8,12", 8) == [8]


@pytest.mark.parametrize(("text", "sentence"), [("1,a", "these are no numbers"), ("0", "at least 1 thread")])
def test_bad_numbers_of_threads(text, sentence):
    with pytest.raises(Refusal, match=sentence):
        threads_of(text, 8)


def test_programs_are_chosen_by_name(plan):
    assert [path.name for path in chosen(plan.programs, "ep, cg")] == ["corpus-ep", "corpus-cg"]
    with pytest.raises(Refusal, match=r"no training program 'x'; there are: cg, ep, broken"):
        chosen(plan.programs, "cg,x")


def test_a_folder_without_programs(tmp_path):
    with pytest.raises(Refusal, match="there is no training program in it"):
        programs_in(tmp_path)


BAD = [
    (["--machine", "nowhere"], "machine 'nowhere' is unknown"),
    (["--machine", "host", "--jobs", "2"], "--jobs 2: on a real machine programs side by side disturb each other"),
    (["--machine", "host", "--repeat", "1"], "--repeat 1: one run does not tell what chance is in a time"),
    (["--repeat", "3"], "--repeat: virtual times are the same in every run"),
    (["--jobs", "0"], "--jobs: '0' is not in range; give a whole number from 1"),
    (["--output", "no/such/folder/m.json"], "the folder no/such/folder does not exist"),
    (["--corpus", "nowhere"], "nowhere: there is no such folder"),
]


@pytest.mark.parametrize(("words", "sentence"), BAD)
def test_bad_input_of_the_command(tmp_path, words, sentence):
    environment = os.environ | {"LBHM_BUILD": str(BUILD), "PYTHONPATH": f"{ROOT}/tools:{ROOT}/training"}
    command = [sys.executable, "-m", "lbhm", "train", *words]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, cwd=tmp_path, check=False)
    assert done.returncode == 2
    assert sentence in done.stderr
    assert len(done.stderr.splitlines()) == 1
