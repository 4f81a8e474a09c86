"""Do programs that were built with the plugin live and end on an emulated machine as without LB-HM?"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
import instrumented
import outcome


@pytest.fixture(scope="module")
def build(tmp_path_factory):
    folder = tmp_path_factory.mktemp("programs")
    return lambda source: instrumented.build(source, folder)


@pytest.mark.parametrize(("threads", "work"), [(20_000, "alone"), (2_000, "with-region")])
def test_threads_that_end_give_everything_back(build, threads, work):
    """The program says whether it grew by a MiB."""
    program = build("ending_threads.cpp")
    done, _ = instrumented.run(program, str(threads), work)
    assert (done.status, done.stdout) == (0, f"sum {2 * threads}\n")


@pytest.mark.parametrize("lane", ["0", "1"])
@pytest.mark.parametrize("way", ["exit", "_exit", "quick_exit", "exec"])
def test_the_report_of_a_program_that_ends_in_a_region_has_its_time(build, way, lane):
    program = build("ends_in_region.cpp")
    done, report = instrumented.run(program, way, lane)
    assert done.status == 3
    assert report is not None and report["makespan_ns"] > 100_000  # of virtual time; what was done takes 200,000
    _, again = instrumented.run(program, way, lane)
    assert again is not None and again["makespan_ns"] == report["makespan_ns"]


@pytest.mark.parametrize("lane", ["0", "1"])
@pytest.mark.parametrize("way", ["exit", "_exit", "quick_exit", "exec"])
def test_so_it_has_on_this_computer(build, way, lane):
    done, report = instrumented.run(build("ends_in_region.cpp"), way, lane, LBHM_MACHINE="host")
    assert done.status == 3
    assert report is not None and report["makespan_ns"] > 0


def test_an_abort_in_a_region_is_an_abort(build):
    done, report = instrumented.run(build("ends_in_region.cpp"), "abort", "1")
    assert done.status == -6
    assert report is None  # docs/reports say so


def test_children_run_on_whatever_other_threads_were_at(build):
    instrumented.assert_the_same(build("forks_among_regions.cpp"), "60")


@pytest.mark.parametrize("round_without", ["0", "1", "4"])
def test_a_program_that_takes_all_memory_ends_as_without_us(build, round_without):
    instrumented.assert_the_same(build("out_of_memory.cpp"), round_without)


def mappings_of(words: list[str | Path], preloads: str, folder: Path) -> int:
    """How many mappings LB-HM makes in a run."""
    done, _ = instrumented.run(*words, LD_PRELOAD=preloads, FAIL_FROM="1000000", MAPPINGS=str(folder / "mappings"))
    assert done.status == 5
    return int((folder / "mappings").read_text())


def test_no_memory_for_us_from_any_point_on(build, tmp_path):
    """The n-th mapping of LB-HM itself fails and all that follow; LBHM_EVERY_POINT asks for every n, not every 20th."""
    shim = outcome.build("failing_mmap.c", tmp_path / "failing_mmap.so", "-shared", "-fPIC", compiler="clang-19")
    program = build("out_of_memory.cpp")
    preloads = f"{shim}:{outcome.LIBRARY}"
    words = [program, "100"]  # it keeps its own memory
    last = mappings_of(words, preloads, tmp_path)
    assert last > 50
    failed = {}
    for point in range(3, last, 1 if "LBHM_EVERY_POINT" in os.environ else 20):
        done, _ = instrumented.run(*words, LD_PRELOAD=preloads, FAIL_FROM=str(point))
        if (done.status, done.stdout) != (5, "bad 0\n"):
            failed[point] = done
    assert not failed


@pytest.mark.parametrize(("asked", "limit", "got"), [("1000000", "8", "8"), ("512", "600", "512")])
def test_teams_of_any_size(build, asked, limit, got):
    """A lane costs what it uses: below 200 KiB for one that does next to nothing, the thread itself included."""
    done, _ = instrumented.run(build("asked_lanes.cpp"), asked, OMP_THREAD_LIMIT=limit)
    words = done.stdout.split()
    assert done.status == 0
    assert words[0] == got
    assert int(words[1]) < 40_000 + 200 * int(got), "resident KiB"


def test_regions_without_end_one_in_the_other(build):
    instrumented.assert_the_same(build("nested_regions.cpp"), "2000")
