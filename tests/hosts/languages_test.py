"""Programs in other languages that call a library with OpenMP: do they run as without LB-HM?

Python is here in any case. Go, Java, Node and memray are large packages: `./check --nightly` installs them
([nightly] in scripts/packages.txt) and sets LBHM_NIGHTLY.
"""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "two"))

from host import TwoNodes
from outcome import BUILD, LIBRARY, Outcome, run

SOURCES = Path(__file__).resolve().parent / "programs" / "languages"
nightly = pytest.mark.skipif("LBHM_NIGHTLY" not in os.environ, reason="large packages: ./check --nightly")


@dataclass(frozen=True)
class Program:
    words: tuple[str | Path, ...]
    settings: dict[str, str] = field(default_factory=dict)


def make(*words: str | Path, **settings: str) -> None:
    done = subprocess.run(words, env=os.environ | settings, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.fixture(scope="module")
def library(tmp_path_factory) -> Path:
    file = tmp_path_factory.mktemp("work") / "libwork.so"
    make("clang-19", "-O1", "-fopenmp", "-shared", "-fPIC", SOURCES / "work.c", "-o", file)
    return file


def python(library: Path, folder: Path) -> Program:
    return Program((sys.executable, SOURCES / "foreign.py", library))


def memray(library: Path, folder: Path) -> Program:
    """The profiler of Python's memory, in front of malloc as LB-HM is."""
    make(sys.executable, "-m", "venv", folder / "venv")
    here = folder / "venv" / "bin" / "python"
    make(here, "-m", "pip", "install", "--quiet", "--no-input", "memray==1.20.0")
    return Program((here, "-m", "memray", "run", "-qfo", "/dev/null", SOURCES / "foreign.py", library))


def go(library: Path, folder: Path) -> Program:
    cgo = {"CGO_LDFLAGS": f"-L{library.parent} -Wl,-rpath,{library.parent}", "GOCACHE": str(folder / "cache")}
    make("go", "build", "-o", folder / "gopher", SOURCES / "main.go", **cgo)
    return Program((folder / "gopher",), {"WORD": "kept"})


def java(library: Path, folder: Path) -> Program:
    home = Path(os.environ.get("LBHM_JAVA", "/usr/lib/jvm/java-17-openjdk-amd64"))
    include = [f"-I{home}/include", f"-I{home}/include/linux"]
    link = [f"-L{library.parent}", "-lwork", f"-Wl,-rpath,{library.parent}"]
    make("clang-19", "-shared", "-fPIC", *include, SOURCES / "work_jni.c", "-o", folder / "libjni.so", *link)
    make(home / "bin/javac", "-d", folder, SOURCES / "Work.java")
    return Program((home / "bin/java", "-cp", folder, "Work", folder / "libjni.so"))


def node(library: Path, folder: Path) -> Program:
    link = [f"-L{library.parent}", "-lwork", f"-Wl,-rpath,{library.parent}"]
    source = SOURCES / "work_node.c"
    make("clang-19", "-shared", "-fPIC", "-I/usr/include/node", source, "-o", folder / "work.node", *link)
    return Program(("node", SOURCES / "work.js", folder / "work.node"))


LANGUAGES = {one.__name__: one for one in (python, memray, go, java, node)}


@pytest.fixture(scope="module")
def program(library, tmp_path_factory):
    """program("go"): built at the first call."""
    return cache(lambda language: LANGUAGES[language](library, tmp_path_factory.mktemp(language)))


def fronts(tree: Path) -> dict[str, dict[str, str]]:
    """One memory; two, where objects are placed; and where blocks of malloc are objects, too."""
    two = TwoNodes(tree).environment("lbhm")
    heap = f"{two['LD_PRELOAD']}:{BUILD / 'lib' / 'liblbhm-heap.so'}"
    names = ("TWO_NODES_TREE", "LBHM_MACHINE", "LBHM_POLICY", "LBHM_REPORT", "LD_PRELOAD")
    placed = {name: two[name] for name in names}
    return {"plain": {"LD_PRELOAD": str(LIBRARY)}, "two": placed, "heap": placed | {"LD_PRELOAD": heap}}


def ends(program: Program, **settings: str) -> Outcome:
    """How it ends, without the addresses that memray tells."""
    found = run(*program.words, preload=False, **program.settings, **settings)
    lines = [line for line in found.stderr.splitlines() if not line.startswith("Memray WARNING: Correcting symbol")]
    return replace(found, stderr="\n".join(lines))


@pytest.mark.parametrize("front", ["plain", "two", "heap"])
@pytest.mark.parametrize(
    "language", [one if one == "python" else pytest.param(one, marks=nightly) for one in LANGUAGES]
)
def test_it_runs_as_without_lbhm(program, language, front, tmp_path):
    alone = ends(program(language))
    assert (alone.status, alone.stderr) == (0, ""), alone
    assert ends(program(language), **fronts(tmp_path)[front]) == alone


def test_the_library_is_seen(program, tmp_path):
    """The tests above would pass without LB-HM."""
    preloaded = fronts(tmp_path)["two"]
    assert ends(program("python"), **preloaded).status == 0
    assert "libwork.so" in Path(preloaded["LBHM_REPORT"]).read_text()
