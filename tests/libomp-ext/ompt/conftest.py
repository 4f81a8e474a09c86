"""Programs and OMPT tools as their users would build and start them, with LB-HM and without."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

HERE = Path(__file__).parent
ROOT = HERE.parents[2]
BUILD = Path(os.environ.get("LBHM_BUILD", ROOT / "build" / "release"))
LIBRARY = BUILD / "lib/liblbhm.so"
LIBOMP = Path("/usr/lib/llvm-19/lib")


@dataclass
class Outcome:
    stdout: str
    stderr: str
    status: int
    report: dict | None

    @property
    def regions(self) -> list[tuple[int, int]]:
        """Instance and number of lanes of each region that LB-HM saw."""
        assert self.report is not None, self.stderr
        lanes = [[task for task in region["tasks"] if not task["name"]] for region in self.report["regions"]]
        return [(region["instance"], len(own)) for region, own in zip(self.report["regions"], lanes, strict=True)]


@pytest.fixture(scope="session")
def build(tmp_path_factory) -> Callable[..., Path]:
    """build("work.c", "tool.c", *flags): the program, or the library with -shared; emulated=True: with the plugin."""
    built: dict[tuple[str, ...], Path] = {}

    def get(*words: str, emulated: bool = False) -> Path:
        flags = (*words, *([f"-fpass-plugin={BUILD}/lib/liblbhm-plugin.so"] if emulated else []))
        if flags not in built:
            target = tmp_path_factory.mktemp("ompt") / ("tool.so" if "-shared" in words else "program")
            files = [str(HERE / "programs" / word) if word.endswith(".c") else word for word in flags]
            command = ["clang-19", "-std=gnu11", "-Wall", "-Wextra", "-Werror", "-Wno-unused-parameter", "-O1", "-g"]
            done = subprocess.run(
                [*command, "-fopenmp", *files, "-o", str(target)], capture_output=True, text=True, check=False
            )
            assert done.returncode == 0, done.stderr
            built[flags] = target
        return built[flags]

    return get


@pytest.fixture
def run(tmp_path) -> Callable[..., Outcome]:
    """run(program, *arguments, lbhm=True, machine=None, preload=..., libomp=folder, **environment)."""

    def start(
        program: Path,
        *arguments: str,
        lbhm: bool = True,
        machine: str | None = None,
        preload: tuple[Path, ...] = (LIBRARY,),
        libomp: Path = LIBOMP,
        **environment: str,
    ) -> Outcome:
        report = tmp_path / "report.json"
        report.unlink(missing_ok=True)
        clean = {k: v for k, v in os.environ.items() if not k.startswith(("LBHM_", "OMP_", "KMP_", "TSAN_", "ARCHER_"))}
        clean |= {"OMP_NUM_THREADS": "3", "LD_LIBRARY_PATH": str(libomp)}
        if lbhm:
            clean |= {"LBHM_REPORT": str(report)} | ({"LBHM_MACHINE": machine} if machine else {})
        clean |= environment
        libraries = [str(path) for path in preload if lbhm or path != LIBRARY]
        if libraries:
            clean["LD_PRELOAD"] = ":".join(libraries)
        done = subprocess.run([program, *arguments], env=clean, capture_output=True, text=True, timeout=60, check=False)
        content = json.loads(report.read_text()) if report.exists() else None
        return Outcome(done.stdout, done.stderr, done.returncode, content)

    return start
