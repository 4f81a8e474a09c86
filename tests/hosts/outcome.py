"""Builds small programs as their users would, and compares runs with and without LB-HM."""

from __future__ import annotations

import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("LBHM_BUILD", ROOT / "build" / "release"))
LIBRARY = BUILD / "lib" / "liblbhm.so"
PROGRAMS = Path(__file__).parent / "programs"
SECONDS = 120  # programs take a second or two


@dataclass(frozen=True)
class Outcome:
    status: int  # negative: ended by that signal
    stdout: str
    stderr: str  # without LB-HM's lines


def build(source: str, to: Path, *options: str, compiler: str = "clang++-19") -> Path:
    """The program, or a shared object if `options` say so."""
    words = [compiler, "-O1", f"-I{ROOT / 'include'}", PROGRAMS / source, "-o", to, *options]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return to


def run(*words: str | Path, preload: bool, **settings: str) -> Outcome:
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("LBHM_", "OMP_", "LD_PRELOAD"))}
    environment |= {"OMP_NUM_THREADS": "3"} | settings
    if preload:
        environment["LD_PRELOAD"] = str(LIBRARY)
    done = subprocess.run(words, env=environment, capture_output=True, text=True, timeout=SECONDS, check=False)
    own = ("lbhm: ", "LB-HM: ")
    others = "".join(line for line in done.stderr.splitlines(keepends=True) if not line.startswith(own))
    return Outcome(done.returncode, done.stdout, others)


def assert_the_same(*words: str | Path, **settings: str) -> Outcome:
    """The program ends as without LB-HM: on one memory, with a report, and on an emulated machine."""
    expected = run(*words, preload=False, **settings)
    report = words[0].parent / "report.json" if isinstance(words[0], Path) else Path("/dev/null")
    for front in ({}, {"LBHM_REPORT": str(report)}, {"LBHM_MACHINE": "optane", "LBHM_FAST_CAPACITY": "1M"}):
        assert run(*words, preload=True, **settings, **front) == expected, front
    return expected
