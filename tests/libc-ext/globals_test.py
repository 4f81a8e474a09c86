"""Are variables and mappings of a program that nobody changed placed and moved, and known by their names, in the same
way in every run, also those of libraries that come and go?"""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
BUILD = Path(os.environ.get("LBHM_BUILD", ROOT / "build" / "release"))
PLUGIN = f"-fpass-plugin={BUILD / 'lib' / 'liblbhm-plugin.so'}"
LIBOMP = "-Wl,-rpath,/usr/lib/llvm-19/lib"


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """The folder of the program and its library."""
    folder = tmp_path_factory.mktemp("globals")
    words = ["clang++-19", "-std=c++20", "-O2", PLUGIN, LIBOMP]
    sources = HERE / "programs"
    # The program finds its library where it says itself: the loader must see that it is the program that asks.
    found = "-Wl,--enable-new-dtags,-rpath,$ORIGIN"
    subprocess.run([*words, found, "-fopenmp", "-o", folder / "globals", sources / "globals.cpp"], check=True)
    subprocess.run([*words, "-shared", "-fPIC", "-o", folder / "libtable.so", sources / "shared_table.cpp"], check=True)
    return folder


def lbhm(command: str, *words: str | Path, **settings: str) -> str:
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("LBHM_", "OMP_", "LD_PRELOAD"))}
    done = subprocess.run(
        [ROOT / "lbhm", command, "--threads", "4", *words],
        env=kept | {"LBHM_BUILD": str(BUILD)} | settings,
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def compared(folder: Path, file: Path, *words: str) -> dict[str, dict]:
    lbhm("compare", "--policies", "first-touch,lbhm", *words, "--json", file, "--", folder / "globals")
    return {run["policy"]: run for run in json.loads(file.read_text())["runs"]}


def test_variables_move_and_the_program_gains(built, tmp_path):
    with_heap, without = (compared(built, tmp_path / "json", *words) for words in ((), ("--no-heap",)))
    assert with_heap["lbhm"]["migrated_bytes"] > 0
    assert with_heap["lbhm"]["makespan_ns"] < 0.8 * with_heap["first-touch"]["makespan_ns"]
    assert without["lbhm"]["migrated_bytes"] == 0


def objects(built: Path, file: Path, *words: str | Path) -> dict[str, dict]:
    lbhm("objects", "--json", file, "--", built / "globals", *words)
    return {row["shown"]: row for row in json.loads(file.read_text())["objects"]}


def test_objects_have_the_names_of_variables(built, tmp_path):
    rows = objects(built, tmp_path / "json")
    assert rows["field::table"]["accesses"] > rows["field::filler"]["accesses"]
    assert rows["field::table"]["bytes"] >= 1 << 20
    of_program = [name for name, row in rows.items() if row["accesses"] and name.startswith("field::")]
    assert sum(row["accesses"] for row in rows.values()) * 0.95 < sum(
        row["accesses"] for name, row in rows.items() if name in of_program or name == "main"
    )


def test_libraries_come_and_go(built, tmp_path):
    rows = objects(built, tmp_path / "json", "libtable.so")
    table = next(row for name, row in rows.items() if name.startswith("libtable.so+0x"))
    assert table["objects"] == 2  # its first life and its second one
    assert table["accesses"] > 0
    alone = subprocess.run([built / "globals", "libtable.so"], capture_output=True, text=True, check=True)
    assert alone.stdout in lbhm("run", "--heap", "--fast", "1M", "--", built / "globals", "libtable.so")


@pytest.mark.parametrize("policy", ["lbhm", "memtis"])
def test_runs_are_equal(built, tmp_path, policy):
    reports = []
    for size in (0, 3000):
        words = ["--heap", "--policy", policy, "--fast", "1100K", "--json", tmp_path / "report.json"]
        lbhm("run", *words, "--", built / "globals", "libtable.so", LONGER="x" * size)
        reports.append((tmp_path / "report.json").read_text())
    assert reports[0] == reports[1]
