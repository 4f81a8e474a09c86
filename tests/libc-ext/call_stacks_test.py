"""Are the calls that make a site all there, and is it the same site each time, however program and libraries are built
and whichever way through the stack is taken?"""

from __future__ import annotations

import json
import os
import subprocess
from itertools import product
from pathlib import Path

import pytest

from lbhm.program.symbols import Symbols

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
BUILD = Path(os.environ.get("LBHM_BUILD", ROOT / "build" / "release"))
PRELOAD = f"{BUILD / 'lib' / 'liblbhm.so'}:{BUILD / 'lib' / 'liblbhm-heap.so'}"
LIBOMP = "/usr/lib/llvm-19/lib"
KEEPS, OMITS = "-fno-omit-frame-pointer", "-fomit-frame-pointer"
COMPILERS = ["gcc", "clang-19"]
WAYS = [["allocate", "inner", "apply", way, begin] for way, begin in product(["first", "second"], ["main", "thread"])]


def build(folder: Path, compiler: str, program: str, library: str, *options: str) -> Path:
    words = [compiler, "-O2", "-fno-optimize-sibling-calls", *options]
    source = HERE / "programs"
    shared = [library, "-fPIC", "-shared", "-o", folder / "libback.so"]
    subprocess.run([*words, *shared, source / "calls_back.c"], check=True)
    linked = ["-pthread", "-L.", "-lback", "-Wl,-rpath,$ORIGIN", f"-L{LIBOMP}", "-lomp", f"-Wl,-rpath,{LIBOMP}"]
    subprocess.run([*words, program, "-o", "app", source / "call_stacks.c", *linked], check=True, cwd=folder)
    return folder / "app"


def sites(program: Path, *before: str, **settings: str) -> dict[str, list[str]]:
    """The calls of sites, by their ids."""
    report = program.parent / "report.json"
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("LBHM_", "OMP_", "LD_PRELOAD"))}
    kept |= {"LD_PRELOAD": PRELOAD, "LBHM_MACHINE": "optane", "LBHM_REPORT": str(report)}
    subprocess.run([*before, program], env=kept | settings, check=True, timeout=60)
    found = json.loads(report.read_text())["sites"]
    return {site["site"]: site["calls"] for site in found if site["calls"]}


def functions(program: Path, calls: list[str]) -> list[str]:
    files = {"app": program, "libback.so": program.parent / "libback.so"}
    places = [call.rsplit("+", 1) for call in calls]
    return [Symbols(files[file]).at(int(offset, 16) - 1).name for file, offset in places]


@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize(("program", "library"), list(product([KEEPS, OMITS], repeat=2)))
@pytest.mark.parametrize("options", [("-fPIE", "-pie"), ("-fno-pie", "-no-pie")], ids=["pie", "no-pie"])
def test_no_call_is_left_out(tmp_path, compiler, program, library, options):
    app = build(tmp_path, compiler, program, library, *options)
    assert sorted(functions(app, calls) for calls in sites(app).values()) == sorted(WAYS)


def test_ids_are_equal_in_every_run(tmp_path):
    """The stack begins elsewhere each time, and the program and libraries lie elsewhere."""
    app = build(tmp_path, "gcc", OMITS, OMITS, "-fPIE", "-pie")
    once = sites(app)
    assert len(once) == len(WAYS)
    assert all(sites(app, LONGER="x" * 97 * run) == once for run in range(19))


def test_ids_are_equal_without_symbols(tmp_path):
    app = build(tmp_path, "gcc", OMITS, KEEPS, "-g", "-Wl,--build-id")
    once = sites(app)
    subprocess.run(["strip", "app", "libback.so"], cwd=tmp_path, check=True)
    assert sites(app) == once


def test_ids_are_equal_where_only_the_unwinder_finds_the_way(tmp_path):
    """So far down the stack that it could be another one."""
    app = build(tmp_path, "gcc", OMITS, OMITS)
    assert sites(app, "prlimit", "--stack=134217728:", DEEP="83886080") == sites(app)
