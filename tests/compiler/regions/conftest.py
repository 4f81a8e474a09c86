"""Programs whose regions the plugin marks, and runs of them with the real runtime on the emulated machine."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

HERE = Path(__file__).parent
BUILD = Path(os.environ.get("LBHM_BUILD", HERE.parents[2] / "build" / "release"))
PLAIN = {key: value for key, value in os.environ.items() if not key.startswith(("LBHM_", "OMP_"))}


def mark(output: Path, *words: str | Path, root: Path = HERE / "programs") -> Path:
    """clang with the plugin, in the folder `root`: it is what files are named relative to."""
    compiler = "clang++-19" if any(str(word).endswith(".cpp") for word in words) else "clang-19"
    environment = PLAIN | {"LBHM_PLUGIN_REGIONS": "1", "LBHM_PLUGIN_VERIFY": "1", "CCACHE_DISABLE": "1"}
    command = [compiler, f"-fpass-plugin={BUILD}/lib/liblbhm-plugin.so", *map(str, words), "-o", str(output)]
    done = subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return output


@pytest.fixture(scope="session")
def built(tmp_path_factory):
    """built(source, *flags): once for all tests."""
    made: dict[tuple[str, ...], Path] = {}

    def get(source: str, *flags: str) -> Path:
        if (source, *flags) not in made:
            made[source, *flags] = mark(tmp_path_factory.mktemp("built") / "program", source, *flags)
        return made[source, *flags]

    return get


@pytest.fixture
def report(tmp_path):
    """report(program, threads=1, policy="slow-only", **settings): its run report."""

    def run(program: Path, threads: int = 1, policy: str = "slow-only", **settings: str) -> dict:
        file = tmp_path / "report.json"
        environment = PLAIN | {"LD_PRELOAD": f"{BUILD}/lib/liblbhm.so", "OMP_NUM_THREADS": str(threads)}
        environment |= {"LBHM_MACHINE": "optane", "LBHM_POLICY": policy, "LBHM_REPORT": str(file)}
        environment |= {f"LBHM_{name.upper()}": value for name, value in settings.items()}
        subprocess.run([program], env=environment, check=True, capture_output=True, timeout=120)
        return json.loads(file.read_text())

    return run
