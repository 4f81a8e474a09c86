"""Is a program with a sanitizer, another allocator or another preload what it is without LB-HM?"""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))

from company import HOSTS, SANITIZERS, Host

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
BUILD = Path(os.environ.get("LBHM_BUILD", ROOT / "build" / "release"))
LIBRARY = BUILD / "lib" / "liblbhm.so"
MODULE = BUILD / "tests" / "programs" / "faults" / "plain" / "openmp_module.so"
LIBOMP = "-Wl,-rpath,/usr/lib/llvm-19/lib"
SECONDS = 120  # valgrind


@dataclass(frozen=True)
class Outcome:
    status: int
    stdout: str
    stderr: str


def said_by_the_program(text: str) -> str:
    """Without LB-HM's lines, and without process numbers (sanitizers, gdb)."""
    lines = [line for line in text.splitlines() if not line.startswith(("lbhm: ", "[Inferior 1 (process "))]
    return "\n".join(line for line in lines if "PROFILE: interrupts/evictions" not in line)


@pytest.fixture(scope="session")
def program(tmp_path_factory):
    """program(host, name): built at the first call."""
    built: dict[tuple[str, ...], Path] = {}

    def get(host: Host, name: str) -> Path:
        key = (host.compiler, *host.flags, name)
        if key not in built:
            built[key] = tmp_path_factory.mktemp("host") / name
            flags = ["-std=c++20", "-O1", "-g", f"-I{ROOT / 'include'}", LIBOMP, *host.flags]
            flags += ["-fopenmp"] if name == "openmp" else []
            source = HERE / "programs" / f"{name}.cpp"
            subprocess.run([host.compiler, *flags, "-o", built[key], source, "-ldl", "-pthread"], check=True)
        return built[key]

    return get


@pytest.fixture(scope="session")
def preloads(tmp_path_factory):
    """preloads(host): the files of its preloads."""

    def file_of(name: str) -> str:
        if not name.endswith(".c"):
            return name
        file = tmp_path_factory.mktemp("preload") / "preload.so"
        words = ["clang-19", "-O1", "-shared", "-fPIC", HERE / "programs" / name, "-o", file, "-ldl"]
        subprocess.run(words, check=True)
        return str(file)

    file_of = cache(file_of)
    return lambda host: [file_of(name) for name in host.preloads]


def runtime_of(program: Path, name: str) -> list[str]:
    """The file of a sanitizer's library that the program needs."""
    listing = subprocess.run(["ldd", program], capture_output=True, text=True, check=True).stdout
    return [line.split()[2] for line in listing.splitlines() if name and line.split()[0].startswith(name)]


def run(host: Host, words: list[str], preloads: list[str]) -> Outcome:
    """The launcher itself has nothing preloaded."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("LBHM_", "OMP_", "LD_PRELOAD"))}
    environment |= {"OMP_NUM_THREADS": "2"} | host.environment
    preload = ["env", f"LD_PRELOAD={':'.join(preloads)}"] if preloads else []
    if host.launcher and host.launcher[0] in ("stdbuf", "fakeroot"):  # they preload, too: theirs first
        preload = ["sh", "-c", f'LD_PRELOAD="$LD_PRELOAD:{":".join(preloads)}" exec "$@"', "sh"] if preloads else []
    elif host.launcher and preloads:
        environment["LD_PRELOAD"], preload = ":".join(preloads), []
    done = subprocess.run(
        [*host.launcher, *preload, *words],
        env=environment,
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    return Outcome(done.returncode, said_by_the_program(done.stdout), said_by_the_program(done.stderr))


def words_of(host: Host, program, name: str) -> list[str]:
    return [str(program(host, "serial")), str(MODULE)] if name == "later" else [str(program(host, name))]


CASES = [(host, name) for host in HOSTS for name in host.programs]


@pytest.mark.parametrize(("host", "name"), CASES, ids=lambda value: str(value))
def test_the_host_is_what_it_is_without_lbhm(program, preloads, host, name):
    words, others = words_of(host, program, name), preloads(host)
    first = runtime_of(Path(words[0]), host.runtime)
    alone = run(host, words, others)
    assert alone.status == 0, alone.stderr
    assert run(host, words, [*first, *others, str(LIBRARY)]) == alone
    assert run(host, words, [*first, str(LIBRARY), *others]) == alone


@pytest.mark.parametrize("host", SANITIZERS, ids=str)
def test_a_sanitizer_still_finds_what_it_looks_for(program, host):
    """The tests above would pass with one that is off."""
    words = [str(program(host, "faulty"))]
    found = run(host, words, [*runtime_of(Path(words[0]), host.runtime), str(LIBRARY)])
    assert "Sanitizer" in found.stderr or "runtime error" in found.stderr
