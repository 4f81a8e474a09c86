"""The OpenMP runtimes that people have."""

from __future__ import annotations

import fcntl
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
KEPT = ROOT / "build" / "openmp-runtimes"


@pytest.fixture(scope="session")
def runtime() -> Callable[[str], Path]:
    """runtime("16"), runtime("intel"): the folder of its libomp.so.5. All but 19 are only unpacked (get-libomp)."""

    def folder_of(version: str) -> Path:
        if version == "19":
            return Path("/usr/lib/llvm-19/lib")
        library = KEPT / version / ("lib" if version in ("21", "intel") else f"usr/lib/llvm-{version}/lib")
        KEPT.mkdir(parents=True, exist_ok=True)
        with (KEPT / f"{version}.lock").open("w") as turn:
            fcntl.flock(turn, fcntl.LOCK_EX)  # two workers of pytest may want the same one
            if (library / "libomp.so.5").exists():
                return library
            command = [ROOT / "scripts/get-libomp", version, KEPT / version]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            pytest.skip(done.stderr.strip() or f"the OpenMP runtime {version} cannot be had")
        return library

    return folder_of
