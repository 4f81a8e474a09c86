"""Does a program that nobody changed gain under `lbhm run`, in the same way in every run, and are its objects known by
their places whatever the order in which they are allocated?"""

from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path

import pytest

from lbhm.files.page_counts import read_page_counts

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
BUILD = Path(os.environ.get("LBHM_BUILD", ROOT / "build" / "release"))
PLUGIN = f"-fpass-plugin={BUILD / 'lib' / 'liblbhm-plugin.so'}"
PRELOAD = f"{BUILD / 'lib' / 'liblbhm.so'}:{BUILD / 'lib' / 'liblbhm-heap.so'}"
LIBOMP = "-Wl,-rpath,/usr/lib/llvm-19/lib"
ARRAY_PAGES = 256


def build(name: str, folder: Path) -> Path:
    words = ["clang++-19", "-std=c++20", "-O2", "-fopenmp", PLUGIN, LIBOMP]
    subprocess.run([*words, "-o", folder / name, HERE / "programs" / f"{name}.cpp"], check=True)
    return folder / name


@pytest.fixture(scope="module")
def plain(tmp_path_factory):
    return build("plain", tmp_path_factory.mktemp("plain"))


@pytest.fixture(scope="module")
def racing(tmp_path_factory):
    return build("racing", tmp_path_factory.mktemp("racing"))


@pytest.fixture(scope="module")
def nodes(tmp_path_factory):
    return build("nodes", tmp_path_factory.mktemp("nodes"))


def run(program: Path, folder: Path, *words: str, **settings: str) -> tuple[str, str]:
    """What it printed, and its report."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("LBHM_", "OMP_", "LD_PRELOAD"))}
    report = folder / "report.json"
    kept |= {"LD_PRELOAD": PRELOAD, "LBHM_MACHINE": "optane", "LBHM_FAST_CAPACITY": "1100K"}
    kept |= {"OMP_NUM_THREADS": "4", "OMP_WAIT_POLICY": "passive", "LBHM_REPORT": str(report)}
    done = subprocess.run(
        [program, *words], env=kept | settings, capture_output=True, text=True, timeout=240, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout, report.read_text()


def compare(program: Path, file: Path, *options: str, words: tuple[str, ...] = (), **settings: str) -> dict[str, dict]:
    command = [ROOT / "lbhm", "compare", "--threads", "4", "--policies", "first-touch,lbhm", *options, "--json", file]
    done = subprocess.run(
        [*command, "--", program, *words],
        env=os.environ | {"LBHM_BUILD": str(BUILD)} | settings,
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return {run["policy"]: run for run in json.loads(file.read_text())["runs"]}


def test_something_moves_and_the_program_gains(plain, tmp_path):
    """At 25 % of fast memory, and only because its blocks are objects."""
    with_heap, without = (compare(plain, tmp_path / "json", *words) for words in ((), ("--no-heap",)))
    assert with_heap["lbhm"]["makespan_ns"] < with_heap["first-touch"]["makespan_ns"] / 2
    assert with_heap["lbhm"]["migrated_bytes"] > 0
    assert without["lbhm"]["migrated_bytes"] == 0


def test_a_place_of_small_blocks_gains(nodes, tmp_path):
    """A million nodes at 25 % of fast memory, of which a fifth is hot: in objects of their places they can be told
    apart, in malloc's memory nothing can be moved for them."""
    words = ("1000000", "6")
    with_arenas, without = (
        compare(nodes, tmp_path / "json", "--heap", words=words, LBHM_FIND_PHASES="on", LBHM_ARENA_MINIMUM=minimum)
        for minimum in ("64K", "0")
    )
    assert with_arenas["lbhm"]["makespan_ns"] < with_arenas["first-touch"]["makespan_ns"] / 1.5
    assert with_arenas["lbhm"]["migrated_bytes"] > 0
    assert without["lbhm"]["migrated_bytes"] == 0


@pytest.mark.parametrize("policy", ["lbhm", "memtis"])
def test_lanes_that_race_for_small_blocks_find_the_same_in_every_run(nodes, tmp_path, policy):
    runs = []
    for size in (0, 500, 3000, 5000):
        counts = tmp_path / "counts"
        own = {"LBHM_PAGE_COUNTS": str(counts), "LBHM_FIND_PHASES": "on", "LONGER": "x" * size}
        done = run(nodes, tmp_path, "8000", "6", "race", LBHM_POLICY=policy, LBHM_FAST_CAPACITY="600K", **own)
        without_addresses = [re.sub("0x[0-9a-f]+", "", text) for text in done]  # a failed move names its page
        runs.append((without_addresses, sorted(read_page_counts(counts).sites)))
    assert {nth >> 32 for _, nth in runs[0][1]} >= {1, 2, 3, 4}
    assert all(other == runs[0] for other in runs[1:])


@pytest.mark.parametrize(("count", "begin"), [("1500", True), ("400", False)])
def test_arenas_begin_by_what_all_lanes_ask_for(nodes, tmp_path, count, begin):
    """Four lanes with 47 KiB of nodes each, of which 64 KiB are the minimum; and with 13 KiB each."""
    counts = tmp_path / "counts"
    run(nodes, tmp_path, count, "1", "race", LBHM_POLICY="first-touch", LBHM_PAGE_COUNTS=str(counts))
    assert ({nth >> 32 for _, nth in read_page_counts(counts).sites} >= {1, 2, 3, 4}) == begin


@pytest.mark.parametrize("words", [("0123",), ("2031", "race")], ids=" ".join)
@pytest.mark.parametrize("policy", ["lbhm", "first-touch", "memtis"])
def test_runs_are_equal(plain, tmp_path, policy, words):
    runs = [run(plain, tmp_path, *words, LBHM_POLICY=policy, LONGER="x" * size) for size in (0, 3000)]
    assert runs[0] == runs[1]


@pytest.mark.parametrize("policy", ["lbhm", "memtis", "first-touch"])
def test_lanes_that_race_find_the_same_in_every_run(racing, tmp_path, policy):
    """Sites and numbers of their objects, too."""
    runs = []
    for size in (0, 500, 3000, 5000):
        counts = tmp_path / "counts"
        own = {"LBHM_PAGE_COUNTS": str(counts), "LBHM_FAST_CAPACITY": "600K", "LONGER": "x" * size}
        runs.append((run(racing, tmp_path, LBHM_POLICY=policy, **own), sorted(read_page_counts(counts).sites)))
    assert {nth >> 32 for _, nth in runs[0][1]} >= {1, 2, 3, 4}
    assert all(other == runs[0] for other in runs[1:])


def objects(program: Path, folder: Path, *words: str) -> list[tuple[int, int]]:
    """(site, nth) of the arrays."""
    counts = folder / "counts"
    run(program, folder, *words, LBHM_POLICY="slow-only", LBHM_PAGE_COUNTS=str(counts))
    content = read_page_counts(counts)
    pairs = zip(content.object_pages.tolist(), content.sites, strict=True)
    return sorted(site for pages, site in pairs if pages == ARRAY_PAGES)


def test_sites_do_not_depend_on_the_order(plain, tmp_path):
    known = objects(plain, tmp_path, "0123")
    assert len({site for site, _ in known}) == 4 and {nth for _, nth in known} == {0}
    assert objects(plain, tmp_path, "3210") == objects(plain, tmp_path, "2031") == known


def test_scratch_of_every_round_is_one_object(plain, tmp_path):
    """From the second time on, when it is known that it is asked for again."""
    counts = tmp_path / "counts"
    run(plain, tmp_path, LBHM_POLICY="slow-only", LBHM_PAGE_COUNTS=str(counts))
    assert {nth for _, nth in read_page_counts(counts).sites} == {0, 1}


def test_blocks_of_lanes_that_race_are_objects_of_their_lanes(plain, tmp_path):
    """Numbered by lane, from lane + 1 times 2^32 on."""
    known = objects(plain, tmp_path, "2031", "race")
    assert sorted(nth >> 32 for _, nth in known) == [1, 2, 3, 4]
    assert objects(plain, tmp_path, "2031", "race") == known


def test_the_program_prints_what_it_prints_alone(plain, tmp_path):
    alone = subprocess.run([plain], capture_output=True, text=True, timeout=60, check=True).stdout
    assert run(plain, tmp_path)[0] == alone
    assert run(plain, tmp_path, LBHM_MACHINE="host", LBHM_FAST_CAPACITY="1G")[0] == alone
