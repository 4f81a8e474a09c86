"""Do allocators with statics, namespaces of the loader and threads that take all signals go on beside LB-HM?"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from outcome import BUILD, build

LIBOMP = "-Wl,-rpath,/usr/lib/llvm-19/lib"
PRELOADS = {"plain": ["liblbhm.so"], "heap": ["liblbhm.so", "liblbhm-heap.so"]}
WAYS = [(machine, which) for machine in ("host", "optane") for which in PRELOADS]


def run(words, preload=(), **settings) -> subprocess.CompletedProcess:
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("LBHM_", "OMP_", "LD_PRELOAD"))}
    environment |= {"OMP_NUM_THREADS": "2", "LD_PRELOAD": ":".join(map(str, preload))} | settings
    return subprocess.run(words, env=environment, capture_output=True, text=True, timeout=60, check=False)


def ours(which: str) -> list:
    return [BUILD / "lib" / name for name in PRELOADS[which]]


@pytest.mark.parametrize(("machine", "which"), WAYS)
def test_a_malloc_with_statics_lives_in_front_of_us_and_behind(tmp_path, machine, which):
    allocator = tmp_path / "allocator.so"
    build("static_in_malloc.cpp", allocator, "-shared", "-fPIC", compiler="clang++-19")
    for preload in ([allocator, *ours(which)], [*ours(which), allocator]):
        assert run(["true"], preload, LBHM_MACHINE=machine).returncode == 0


@pytest.mark.parametrize(("machine", "which"), WAYS)
def test_a_namespace_runs_as_without_us(tmp_path, machine, which):
    library = tmp_path / "library.so"
    build("namespace.c", library, "-fopenmp", LIBOMP, "-shared", "-fPIC", "-DLIBRARY", compiler="clang-19")
    build("namespace.c", tmp_path / "program", "-fopenmp", LIBOMP, compiler="clang-19")
    words = [tmp_path / "program", library]
    alone = run(words, KMP_DUPLICATE_LIB_OK="TRUE")
    assert alone.returncode == 0 and alone.stdout
    done = run(words, ours(which), LBHM_MACHINE=machine, KMP_DUPLICATE_LIB_OK="TRUE")
    assert (done.returncode, done.stdout) == (0, alone.stdout), done.stderr
    assert done.stderr.count("dlmopen") == (machine == "optane")


@pytest.mark.parametrize("way", [[], ["file"]], ids=["sigwait", "signalfd"])
def test_whoever_takes_all_signals_is_given_none_of_ours(tmp_path, way):
    plugin = f"-fpass-plugin={BUILD / 'lib' / 'liblbhm-plugin.so'}"
    flags = ("-O1", "-fopenmp", LIBOMP, plugin, "-pthread", "-lm")
    build("takes_all_signals.c", tmp_path / "program", *flags, compiler="clang-19")
    words = [tmp_path / "program", *way]
    alone = run(words)
    assert alone.stdout.count("\n") == 4, "three signals and the sum"
    done = run(words, ours("plain"), LBHM_MACHINE="optane")
    assert (done.returncode, sorted(done.stdout.split())) == (0, sorted(alone.stdout.split())), done.stderr
