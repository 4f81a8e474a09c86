"""lbhm regions, as somebody uses it: on a stranger's build, on a program, and to measure."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest

from lbhm.files.report import validator

ROOT = Path(__file__).resolve().parents[2]
SOURCES = ROOT / "tests/compiler/regions"
BUILD = Path(os.environ.get("LBHM_BUILD", ROOT / "build" / "release"))
PLACEMENTS = 4


class Folder:
    """A copy of sources, and lbhm in it with the real plugin and runtime."""

    def __init__(self, path: Path, sources: str) -> None:
        self.path = path / "work"
        shutil.copytree(SOURCES / sources, self.path)
        self.environment = {key: value for key, value in os.environ.items() if not key.startswith(("LBHM_", "OMP_"))}
        self.environment |= {"LBHM_BUILD": str(BUILD), "PYTHONPATH": str(ROOT / "tools"), "COLUMNS": "200"}

    def run(self, *words: str) -> subprocess.CompletedProcess:
        command = [sys.executable, "-m", "lbhm", "regions", *words]
        return subprocess.run(
            command, cwd=self.path, env=self.environment, capture_output=True, text=True, timeout=300, check=False
        )

    def json(self, *words: str, schema: str = "regions") -> dict:
        done = self.run("--json", "out.json", *words)
        assert done.returncode == 0, done.stderr
        found = json.loads((self.path / "out.json").read_text())
        validator(schema).validate(found)
        return found


@pytest.fixture
def project(tmp_path):
    return Folder(tmp_path, "project")


@pytest.fixture
def programs(tmp_path):
    return Folder(tmp_path, "programs")


def ids(found: dict) -> dict[str, list[str]]:
    return {Path(file["path"]).name: [region["id"] for region in file["regions"]] for file in found["files"]}


def test_make_with_gcc_in_its_makefile(project):
    found = project.json("--", "make")
    assert set(ids(found)) == {"app", "libshared.so"}, "what was linked; the static library is in the program"
    regions = [region for file in found["files"] for region in file["regions"]]
    assert {region["file"] for region in regions} <= {"part.c", "part.h", "main.cpp", "other.cpp", "shared.cpp"}
    assert all(region["line"] > 0 and region["kind"] == "loop" for region in regions)
    plain = subprocess.run([project.path / "app"], capture_output=True, text=True, check=True).stdout
    assert plain == "400800\n", "200 rounds of 1000 + 1001 + 1 + 1 + 1"


def test_what_is_no_regular_file_is_passed_over(project):
    os.mkfifo(project.path / "pipe")  # opened for reading, it would wait for a writer
    (project.path / "link").symlink_to("/dev/zero")
    assert set(ids(project.json("--", "make"))) == {"app", "libshared.so"}


def test_cmake_makes_the_same_regions_without_g(project):
    script = project.path / "build.sh"
    script.write_text("cmake -S . -B out -DCMAKE_BUILD_TYPE=Release && cmake --build out\n")
    found = project.json("--", "sh", "build.sh")
    assert set(ids(found)) == {"app", "libshared.so"}
    assert all(region["line"] > 0 for file in found["files"] for region in file["regions"]), "lines without -g, too"
    again = subprocess.run(["cmake", "--build", "out", "--clean-first"], cwd=project.path, capture_output=True)
    assert again.returncode == 0, "the folder stays usable without lbhm regions"


def test_a_build_from_another_place_gives_the_same_ids(project, tmp_path):
    other = Folder(tmp_path / "elsewhere", "project")
    assert ids(project.json("--", "make")) == ids(other.json("--", "make"))


def test_a_program_shows_its_table(project):
    made = project.json("--", "make")
    shown = project.run("app")
    assert shown.returncode == 0
    for name in ids(made)["app"]:
        assert name in shown.stdout
    assert "part_sum" in shown.stdout and "part.c:6" in shown.stdout


def test_link_time_optimisation_is_named_and_dropped(programs):
    done = programs.run("--", "gcc", "-O2", "-flto", "random_access.c", "-o", "program")
    assert done.returncode == 0
    assert "dropped, because regions are marked before the link: -flto" in done.stderr


@pytest.mark.parametrize(
    ("words", "sentence", "status"),
    [
        ([], "nothing is named", 2),
        (["--", "true"], "the build compiled nothing", 2),
        (["--", "no-such-build"], "no-such-build: the build cannot be started", 2),
        (["--", "sh", "-c", "exit 7"], "the build ended with exit status 7", 7),
        (["--", "gcc", "-c", "random_access.c"], "the build made no program", 2),
        (["--", "gcc", "empty.c", "-o", "empty"], "empty: there are no loops in what the build made", 2),
        (["--", "gcc", "wrong.c", "-o", "wrong"], "clang-19, which stands in for its compilers, refused wrong.c", 1),
        (["--", "gcc", "-mno-such-thing", "empty.c", "-o", "empty"], "refused empty.c", 1),
        (["plain"], "plain: there are no code regions in it", 2),
        (["--measure", "--", "./plain"], "it was not built with LB-HM's plugin", 2),
        (["--measure", "--machine", "host", "--", "./plain"], "only emulated machines", 2),
    ],
)
def test_what_cannot_be_done_is_said(programs, words, sentence, status):
    (programs.path / "empty.c").write_text("int main(void) { return 0; }\n")
    (programs.path / "wrong.c").write_text("int main(void) { return nothing; }\n")
    subprocess.run(["gcc", "random_access.c", "-o", "plain"], cwd=programs.path, check=True)
    done = programs.run(*words)
    assert done.returncode == status, done.stderr
    assert sentence in done.stderr
    assert "Traceback" not in done.stderr


def test_the_message_of_the_compiler_is_shown(programs):
    (programs.path / "wrong.c").write_text("int main(void) { return nothing; }\n")
    assert "use of undeclared identifier 'nothing'" in programs.run("--", "cc", "wrong.c").stderr


@pytest.fixture(scope="module")
def random_access(tmp_path_factory):
    """random_access.c under six placements."""
    folder = Folder(tmp_path_factory.mktemp("measured"), "programs")
    folder.json("--", "cc", "-O2", "-g", "random_access.c", "-o", "program")
    words = ("--measure", "--placements", str(PLACEMENTS), "--threads", "1", "--", "./program")
    return folder.json(*words, schema="region-data")


def test_a_line_says_which_own_times_are_not_known(programs):
    programs.json("--", "cc", "-O2", "-g", "random_access.c", "-o", "program")
    few = ("--measure", "--placements", "1", "--executions", "2", "--threads", "1", "--json", "few.json")
    done = programs.run(*few, "--", "./program")
    assert done.returncode == 0, done.stderr
    assert "regions whose own time (self) is null: 1. Regions nested in them ran more than 2 times" in done.stdout
    data = json.loads((programs.path / "few.json").read_text())
    validator("region-data").validate(data)
    assert [run["self"]["work_ns"] for run in runs_of(data, "main")] == [None] * 3
    assert all(run["inclusive"]["work_ns"] for run in runs_of(data, "main"))


def runs_of(data: dict, function: str) -> list[dict]:
    return next(region["runs"] for region in data["regions"] if region["function"] == function)


def test_the_more_pages_are_fast_the_more_accesses_are_and_the_faster_it_is(random_access):
    assert [placement["policy"] for placement in random_access["placements"]] == [
        "slow-only",
        *["scatter"] * PLACEMENTS,
        "fast-only",
    ]
    runs = runs_of(random_access, "gather")
    shares = [run["inclusive"]["fast_share"] for run in runs]
    times = [run["inclusive"]["time_ns"] for run in runs]
    assert (shares[0], shares[-1]) == (0, 1)
    for run, placement in zip(runs, random_access["placements"], strict=True):
        # 4096 pages, static ones and malloc's alike: three standard deviations of a share of them
        assert run["inclusive"]["fast_share"] == pytest.approx(placement["page_share"], abs=3 * 0.5 / 4096**0.5)
    assert all(before < after for before, after in pairwise(shares))
    assert all(after < 1.01 * before for before, after in pairwise(times))
    assert times[-1] < 0.6 * times[0]


def test_loops_that_touch_their_pages_first_see_the_share_too(random_access):
    for run, placement in zip(runs_of(random_access, "fill"), random_access["placements"], strict=True):
        assert run["inclusive"]["fast_share"] == pytest.approx(placement["page_share"], abs=3 * 0.5 / 4096**0.5)


def test_every_placement_sees_the_same_executions_and_instructions(random_access):
    for region in random_access["regions"]:
        assert len({run["inclusive"]["executions"] for run in region["runs"]}) == 1
        counted = [run["inclusive"]["events"]["instructions"] for run in region["runs"]]
        assert max(counted) - min(counted) <= 1e-3 * max(counted) + 1, region["function"]
