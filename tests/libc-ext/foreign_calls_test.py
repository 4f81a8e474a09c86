"""Do blocks of malloc survive functions that are not ours, and do programs with an allocator of their own keep it?"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
BUILD = Path(os.environ.get("LBHM_BUILD", HERE.parents[1] / "build" / "release"))
PRELOAD = f"{BUILD / 'lib' / 'liblbhm-heap.so'}:{BUILD / 'lib' / 'liblbhm.so'}"
FLAGS = ("clang-19", "-O1", "-fno-builtin", "-fopenmp", "-Wl,-rpath,/usr/lib/llvm-19/lib")
LINKED = ("-ldl", "-pthread", "-rdynamic", "-Wl,-rpath,$ORIGIN/inner")
WAYS = ["libc-names", "looked-up", "by-version", "behind", "now", "lazy", "by-name"]
WAYS += ["registered", "two", "this-space"]


@pytest.fixture(scope="session")
def built(tmp_path_factory):
    """built("own_allocators", "-DCOUNTS"): the program, and plugin.so beside it."""
    folder = tmp_path_factory.mktemp("foreign")
    plugin = [*FLAGS, "-fPIC", "-shared", "-DPLUGIN", HERE / "programs" / "foreign_calls.c", "-o", folder / "plugin.so"]
    subprocess.run(plugin, check=True)
    (folder / "inner").mkdir()
    shutil.copy(folder / "plugin.so", folder / "second.so")
    shutil.copy(folder / "plugin.so", folder / "inner" / "found.so")

    def build(name: str, *flags: str) -> Path:
        program = folder / "".join((name, *flags)).replace("/", "_")
        if not program.exists():
            words = [*FLAGS, HERE / "programs" / f"{name}.c", "-o", program, *flags, *LINKED]
            subprocess.run(words, check=True)
        return program

    return build


def run(program: Path, *words: str, preload: str = PRELOAD, **settings: str) -> tuple[int, str, str]:
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("LBHM_", "OMP_", "LD_"))}
    environment = kept | {"LD_PRELOAD": preload, "OMP_NUM_THREADS": "2", "LD_LIBRARY_PATH": str(program.parent)}
    environment |= {"LBHM_MACHINE": "optane", "LBHM_FAST_CAPACITY": "1M", "LBHM_POLICY": "lbhm"} | settings
    done = subprocess.run(
        [program, *words], env=environment, capture_output=True, text=True, timeout=120, check=False, cwd=program.parent
    )
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize("way", WAYS)
def test_a_block_may_reach_glibc(built, way):
    program = built("foreign_calls")
    plugin = {"by-name": "plugin.so", "two": "plugin.so", "registered": "found.so"}.get(way, "./plugin.so")
    assert run(program, way, plugin, preload="") == (0, f"{way}: no objects, right\n", "")
    assert run(program, way, plugin) == (0, f"{way}: objects, right\n", "")


def test_arenas_hold_blocks_that_do(built):
    """Else the test above would ask nothing of small blocks."""
    assert run(built("little_stack"), "arenas") == (0, "arena\n", "")


@pytest.mark.parametrize(
    ("flag", "objects", "owner"),
    [("-DNOTHING", True, None), ("-DCOUNTS", True, None), ("-DBY_LIBC_NAMES", False, "the program")]
    + [("-DOF_ITS_OWN", False, "the program")]
    + [(f"-l:{name}", False, name) for name in ("libjemalloc.so.2", "libtcmalloc_minimal.so.4")],
)
def test_a_program_keeps_its_own_allocator(built, tmp_path, flag, objects, owner):
    program = built("own_allocators", flag)
    report = tmp_path / "report.json"
    plain = run(program, preload="")
    assert plain[0] == 0
    status, said, wrong = run(program, LBHM_REPORT=str(report))
    assert (status, said.split()[0], wrong) == (0, plain[1].split()[0], "")
    assert ("no objects" not in said) == objects
    remarks = [line for line in json.loads(report.read_text())["remarks"] if "allocator of its own" in line]
    assert [f"that of {owner};" in line for line in remarks] == ([True] if owner else [])


@pytest.mark.parametrize("library", ["libjemalloc.so.2", "libtcmalloc.so.4"])
def test_native_calls_of_an_allocator_meet_its_own_blocks(built, library):
    program = built("native_calls", f"-l:{library}")
    assert run(program, preload="") == (0, "right\n", "")
    assert run(program) == (0, "right\n", "")


@pytest.mark.parametrize("preload", [PRELOAD, str(BUILD / "lib" / "liblbhm.so")], ids=["heap", "no-heap"])
@pytest.mark.parametrize("mebibytes", ["1024", "12288"])
def test_growth_touches_nothing(built, mebibytes, preload):
    assert run(built("sparse_growth"), mebibytes, preload=preload) == (0, "100, small\n", "")


def test_threads_and_coroutines_with_little_stack_may_allocate(built, tmp_path):
    assert run(built("little_stack"), "threads", preload="") == (0, "right\n", "")
    assert run(built("little_stack"), "threads") == (0, "right\n", "")
    seen = tmp_path / "little_stack_emulated"  # code of the plugin's, and our timer's signal
    words = [HERE.parents[1] / "lbhm", "cc", "--emulate", HERE / "programs" / "little_stack.c", *FLAGS[1:], "-pthread"]
    subprocess.run([*words, "-o", seen], check=True, env=os.environ | {"LBHM_BUILD": str(BUILD)})
    assert run(seen, "threads") == (0, "right\n", "")
