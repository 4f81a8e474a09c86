"""Does python -m under lbhm run as it does without, and are the parallel regions of its extensions seen?"""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("LBHM_BUILD", ROOT / "build" / "release"))
LIBOMP = "/usr/lib/llvm-19/lib/libomp.so.5"
MODULE = [sys.executable, "-m", "package", "one", "two"]
CLUSTERS = """
import numpy, sklearn.cluster
points = numpy.random.default_rng(0).random((2000, 4))
print(round(sklearn.cluster.KMeans(4, n_init=1, max_iter=4, random_state=0).fit(points).inertia_, 6))
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """With the package, whose extension was built for the emulated machine."""
    folder = tmp_path_factory.mktemp("python")
    shutil.copytree(ROOT / "tests/docs/user/package", folder / "package")
    call(
        folder,
        [ROOT / "lbhm", "cc", "--emulate", "-O2", "-shared", "-fPIC", "extension.c", "-o", "extension.so"],
        "package",
    )
    (folder / "clusters.py").write_text(CLUSTERS)
    return folder


def call(folder: Path, words: list[str | Path], inside: str = ".", **more: str) -> subprocess.CompletedProcess:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("LBHM_", "OMP_", "LD_"))}
    given = kept | {"LBHM_BUILD": str(BUILD)} | more
    done = subprocess.run(words, cwd=folder / inside, env=given, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, f"{done.stdout}{done.stderr}"
    return done


def run(folder: Path, *words: str, **more: str) -> subprocess.CompletedProcess:
    return call(folder, [ROOT / "lbhm", "run", "--threads", "2", *words], **more)


def test_the_regions_of_an_extension(folder):
    alone = call(folder, MODULE).stdout
    done = run(folder, "--heap", "--fast", "128K", "--json", "run.json", "--", *MODULE)
    assert alone == "checksum: 983015.0\n" and done.stdout.startswith(alone)
    regions = json.loads((folder / "run.json").read_text())["regions"]
    assert len(regions) == 10 and all(task["accesses"] > 0 for region in regions[1:2] for task in region["tasks"])
    assert "extension.so" in done.stdout or "work" in done.stdout


@pytest.mark.skipif(not importlib.util.find_spec("sklearn"), reason="scikit-learn is not installed")
def test_a_wheel_that_brings_another_runtime(folder):
    words = ["--machine", "host", "--", sys.executable, "clusters.py"]
    unseen = run(folder, *words)
    assert f"LD_PRELOAD={LIBOMP} before lbhm" in unseen.stderr
    seen = run(folder, *words, LD_PRELOAD=LIBOMP)
    assert seen.stdout.startswith(unseen.stdout) and "k_means" in seen.stdout
