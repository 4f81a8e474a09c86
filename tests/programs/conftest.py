"""Programs as a stranger would bring them: each has a Makefile, and is built twice; only the flags change."""

from __future__ import annotations

import json
import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
BUILD = Path(os.environ.get("LBHM_BUILD", ROOT / "build" / "release"))
WAYS = {"native": "", "emulated": f"-fpass-plugin={BUILD}/lib/liblbhm-plugin.so"}


@dataclass
class Outcome:
    stdout: str
    stderr: str
    status: int
    report: dict | None

    def remarks(self, word: str) -> list[str]:
        return [remark for remark in (self.report or {}).get("remarks", []) if word in remark]


def compile_program(name: str, way: str, folder: Path) -> Path:
    """The program's file. `make` gets the compilers with one more flag, as from a user's command line."""
    folder.mkdir(parents=True, exist_ok=True)
    flag = WAYS[way]
    words = ["make", "-s", "-C", str(HERE / name), f"OUT={folder}", f"CC=clang-19 {flag}", f"CXX=clang++-19 {flag}"]
    done = subprocess.run(words, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    return folder / name


@pytest.fixture(scope="session")
def program(tmp_path_factory):
    """program(name, way): built at the first call."""
    built: dict[tuple[str, str], Path] = {}

    def get(name: str, way: str = "emulated") -> Path:
        if (name, way) not in built:
            built[name, way] = compile_program(name, way, tmp_path_factory.mktemp(f"{name}-{way}"))
        return built[name, way]

    return get


@pytest.fixture
def run(tmp_path):
    """run(file, *arguments, machine="optane", **settings); machine=None: without LB-HM."""

    def start(
        file: Path, *arguments: str, machine: str | None = "optane", threads: int = 4, **settings: str
    ) -> Outcome:
        report = tmp_path / "report.json"
        report.unlink(missing_ok=True)
        environment = {k: v for k, v in os.environ.items() if not k.startswith(("LBHM_", "OMP_"))}
        environment["OMP_NUM_THREADS"] = str(threads)
        if machine:
            environment |= {"LD_PRELOAD": str(BUILD / "lib/liblbhm.so"), "LBHM_MACHINE": machine}
            environment |= {f"LBHM_{key.upper()}": value for key, value in settings.items()}
            environment["LBHM_REPORT"] = str(report)
        done = subprocess.run(
            [file, *arguments], env=environment, capture_output=True, text=True, timeout=180, check=False
        )
        content = json.loads(report.read_text()) if report.exists() else None
        return Outcome(done.stdout, done.stderr, done.returncode, content)

    return start
