"""Do the allocator calls of OpenMP 5.2 and 6.0 answer with LB-HM what each runtime answers alone?"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("LBHM_BUILD", ROOT / "build" / "release"))
PROGRAMS = ROOT / "tests/libomp-ext/programs"
# The runtime is the one that the environment names, and may be older than what the program calls.
FLAGS = ["-std=gnu11", "-O1", "-Wall", "-Wextra", "-Werror", "-fopenmp", f"-I{ROOT}/include"]
FLAGS += ["-rdynamic", "-Wl,--unresolved-symbols=ignore-all"]
OLDER, NEWER = ["14", "16", "19"], ["21", "intel"]


@pytest.fixture(scope="module")
def build(tmp_path_factory) -> Callable[..., Path]:
    """build("calls_5_2.c", folder of another omp.h)"""

    def get(source: str, *headers: Path) -> Path:
        program = tmp_path_factory.mktemp("calls") / "program"
        command = ["clang-19", *FLAGS, *(f"-isystem{folder}" for folder in headers), PROGRAMS / source, "-o", program]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return program

    return get


@pytest.fixture(scope="module")
def of_5_2(build) -> Path:
    return build("calls_5_2.c")


@pytest.fixture(scope="module")
def of_6_0(build, runtime) -> Path:
    return build("calls_6_0.c", runtime("21").parent / "include")


def run(program: Path, libomp: Path, *words: str, lbhm: bool = True, **more: str) -> tuple[int, list[str], list[str]]:
    """Its status, and the lines of its output and of its errors."""
    clean = {k: v for k, v in os.environ.items() if not k.startswith(("LBHM_", "OMP_", "KMP_"))}
    clean |= {"LD_LIBRARY_PATH": str(libomp)} | ({"LD_PRELOAD": str(BUILD / "lib/liblbhm.so")} if lbhm else {}) | more
    done = subprocess.run([program, *words], env=clean, capture_output=True, text=True, timeout=60, check=False)
    return done.returncode, done.stdout.splitlines(), done.stderr.splitlines()


@pytest.mark.parametrize("version", OLDER + NEWER)
def test_calls_of_5_2_answer_as_without_us(of_5_2, runtime, version):
    alone = run(of_5_2, runtime(version), lbhm=False)
    assert alone[0] == 0 and len(alone[1]) > 100, alone
    assert run(of_5_2, runtime(version)) == alone


@pytest.mark.parametrize("version", NEWER)
def test_calls_of_6_0_answer_as_without_us(of_6_0, runtime, version):
    alone = run(of_6_0, runtime(version), lbhm=False)
    assert alone[0] == 0 and len(alone[1]) > 500, alone
    assert run(of_6_0, runtime(version)) == alone


@pytest.mark.parametrize("version", NEWER)
def test_blocks_of_devices_find_their_allocator(of_6_0, runtime, version):
    status, lines, said = run(of_6_0, runtime(version), "more")
    assert (status, said) == (0, [])
    asked, freed = (sum(line.startswith(f"  device memory: {what}") for line in lines) for what in ("", "free"))
    assert asked == 2 * freed > 0
    assert {"device_access: 1", "both: 1"} <= set(lines)


@pytest.mark.parametrize("version", OLDER + NEWER)
def test_a_program_for_6_0_runs_on_every_runtime(build, runtime, version):
    """With LB-HM after a sentence for each thing that the runtime does not know; without, by lbhm_init_allocator."""
    program = build("omp6_traits.c", runtime("21").parent / "include")
    status, lines, said = run(program, runtime(version), "plain", LBHM_MACHINE="optane")
    assert (status, lines) == (0, ["plain: 1", "ours: 1", "managed: 1"])
    assert [line.split(" does not know ")[1].split(" (")[0] for line in said] == (
        ["memory space 99", "trait key 14"] if version in OLDER else []
    )
    assert run(program, runtime(version), lbhm=False) == (0, ["ours: 1"], [])


@pytest.mark.parametrize("version", OLDER + NEWER)
def test_the_environments_allocator(build, runtime, version):
    program = build("environment_default.c")
    for allocator in ("omp_thread_mem_alloc", "omp_default_mem_space:pool_size=1000,fallback=null_fb"):
        alone = run(program, runtime(version), lbhm=False, OMP_ALLOCATOR=allocator)
        assert alone[0] == 0 and len(alone[1]) == 4
        assert run(program, runtime(version), OMP_ALLOCATOR=allocator) == alone


@pytest.mark.parametrize("version", NEWER)
@pytest.mark.parametrize("words", ["clang-19 -std=c11", "gcc -std=c11", "clang++-19 -std=c++11", "g++ -std=c++20"])
def test_the_header_compiles_with_the_omp_h_of_6_0(runtime, version, words):
    headers = runtime(version).parent / "include"
    source = PROGRAMS / ("our_traits_cpp.cpp" if "++" in words else "our_traits.c")
    flags = ["-fopenmp", "-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Werror", "-fsyntax-only"]
    command = [*words.split(), *flags, f"-isystem{headers}", f"-I{ROOT}/include", source]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
