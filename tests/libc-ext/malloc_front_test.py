"""Are blocks of malloc what the C library promises when large ones are objects, and do programs print what they would
without LB-HM?"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
BUILD = Path(os.environ.get("LBHM_BUILD", ROOT / "build" / "release"))
PRELOAD = f"{BUILD / 'lib' / 'liblbhm.so'}:{BUILD / 'lib' / 'liblbhm-heap.so'}"
MACHINES = ["host", "optane"]  # without tiers every block is malloc's; on optane large ones are objects
CASES = ["contents", "zeroed", "alignments", "limits", "threads", "forks", "libraries", "signals", "cpp"]
CASES += ["system-calls", "at-exit", "before", "mappings", "variables", "small"]


def clean(**more: str) -> dict[str, str]:
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("LBHM_", "OMP_", "LD_PRELOAD", "GIT_"))}
    return kept | more


@pytest.fixture(scope="session")
def blocks(built_blocks):
    """blocks(words, **settings): the program of these cases, with the front."""

    def run(*words: str, preload: str = PRELOAD, **settings: str) -> subprocess.CompletedProcess:
        environment = clean(LD_PRELOAD=preload, BLOCKS_LIBRARY=str(built_blocks / "library"), **settings)
        return subprocess.run(
            [built_blocks / "blocks", *words], env=environment, capture_output=True, text=True, timeout=120, check=False
        )

    return run


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("case", CASES)
def test_blocks_are_what_was_asked_for(blocks, case, machine):
    done = blocks(case, LBHM_MACHINE=machine)
    assert (done.returncode, done.stdout, done.stderr) == (0, f"{case}: right\n", "")


def test_the_cases_are_right_without_lbhm(blocks):
    assert blocks(*CASES, preload="").returncode == 0


def test_large_blocks_are_objects_on_two_tiers_alone(blocks):
    assert blocks("objects", "new-objects", LBHM_MACHINE="optane").returncode == 0
    assert blocks("objects", LBHM_MACHINE="host").returncode == 1
    assert blocks("objects", preload=str(BUILD / "lib" / "liblbhm.so"), LBHM_MACHINE="optane").returncode == 1


def test_small_blocks_are_right_when_most_are_of_arenas(blocks):
    cases = [case for case in CASES if case != "limits"]
    done = blocks(*cases, LBHM_MACHINE="optane", LBHM_ARENA_MINIMUM="1")
    assert (done.returncode, done.stderr) == (0, ""), done.stdout


def test_small_blocks_of_places_that_ask_often_lie_apart(blocks):
    assert blocks("apart", LBHM_MACHINE="optane").returncode == 0
    assert blocks("apart", LBHM_MACHINE="optane", LBHM_ARENA_MINIMUM="0").returncode == 1
    assert blocks("apart", LBHM_MACHINE="host").returncode == 1


@pytest.mark.parametrize("library", ["libjemalloc.so.2", "libtcmalloc_minimal.so.4", "libmimalloc.so.2"])
def test_another_allocator_serves_all_that_is_asked_of_malloc(blocks, library):
    if blocks("zeroed", preload=library).stderr:
        pytest.skip(f"{library} is not installed")
    for case in ("contents", "zeroed", "threads", "libraries", "at-exit"):
        done = blocks(case, preload=f"{PRELOAD}:{library}", LBHM_MACHINE="optane")
        assert (done.returncode, done.stderr) == (0, ""), done.stdout
    assert blocks("objects", preload=f"{PRELOAD}:{library}", LBHM_MACHINE="optane").returncode == 1


@pytest.mark.parametrize(("value", "served"), [("64K", True), ("65537", True), ("4K", False), ("1G", False)])
def test_the_threshold_is_a_setting(blocks, value, served):
    """The program wants it to be 64 KiB: with 4 KiB smaller blocks are objects, too, with 1 GiB none."""
    done = blocks("objects", LBHM_MACHINE="optane", LBHM_HEAP_MINIMUM=value)
    assert (done.returncode == 0) == served, done.stdout


@pytest.mark.parametrize("value", ["4095", "2G", "many", "-1", ""])
def test_a_bad_threshold_is_named(blocks, value):
    done = blocks("contents", LBHM_MACHINE="optane", LBHM_HEAP_MINIMUM=value)
    assert done.returncode == 0
    assert ("LBHM_HEAP_MINIMUM" in done.stderr and "4K to 1G" in done.stderr) == bool(value), done.stderr


C_SOURCE = "#include <stdio.h>\n" + "".join(f"int f{i}(int x) {{ return x * {i} + 1; }}\n" for i in range(2000))
PYTHON = "a = bytearray(10**7); b = [bytes(200_000) for _ in range(50)]; print(len(a), sum(map(len, b)))"
MAKEFILE = "all: a b\n\tcat a b\na b:\n\tseq 30000 | sort -r > $@\n"
TOOLS = {
    "bash": ["bash", "-c", "x=$(seq 40000); for i in 1 2 3; do (echo ${#x}); done; echo $x | wc -c; exec echo end"],
    "python": [sys.executable, "-c", PYTHON],
    "git": ["git", "--version"],
    "git-log": ["git", "-C", str(ROOT), "log", "--stat", "-n", "40"],
    "gcc": ["gcc", "-O2", "-S", "-o", "-", "source.c"],
    "clang": ["clang-19", "-O2", "-S", "-o", "-", "source.c"],
    "sort": ["sort", "--parallel=4", "-S", "8M", "numbers"],
    "make": ["make", "-s", "-j2"],
    "tar": ["bash", "-c", "tar -cz numbers source.c | tar -tz"],
}


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("tool", TOOLS)
def test_tools_do_what_they_do_without(tool, machine, tmp_path):
    outcomes = []
    for settings in ({}, {"LD_PRELOAD": PRELOAD, "LBHM_MACHINE": machine}):
        folder = tmp_path / ("with" if settings else "without")
        folder.mkdir()
        (folder / "source.c").write_text(C_SOURCE)
        (folder / "Makefile").write_text(MAKEFILE)
        (folder / "numbers").write_text("".join(f"{i * 7919 % 100_003}\n" for i in range(300_000)))
        os.utime(folder / "Makefile", (1e9, 1e9))  # on an emulated machine make's clock is behind that of files
        done = subprocess.run(
            TOOLS[tool], env=clean(**settings), cwd=folder, capture_output=True, timeout=120, check=False
        )
        outcomes.append((done.returncode, done.stdout, done.stderr))
    assert outcomes[0][0] == 0, outcomes[0][2]
    assert outcomes[0] == outcomes[1]
