"""Do programs of Go's that call C with OpenMP run as without LB-HM?"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from outcome import BUILD, PROGRAMS, assert_the_same


@pytest.mark.skipif(shutil.which("go") is None, reason="Go is not installed")
def test_a_program_of_go_with_openmp_in_c(tmp_path):
    folder = shutil.copytree(PROGRAMS / "go_words", tmp_path / "go_words")
    plugin = f"-fpass-plugin={BUILD / 'lib' / 'liblbhm-plugin.so'}"
    words = ["clang-19", "-O1", "-shared", "-fPIC", "-fopenmp", plugin, "sum.c", "-o", "libsum.so"]
    subprocess.run(words, cwd=folder, check=True)
    settings = os.environ | {"CC": "clang-19", "GOCACHE": str(BUILD / "go-cache"), "GOFLAGS": "-buildvcs=false"}
    subprocess.run(["go", "build", "-o", "words", "."], cwd=folder, env=settings, check=True, timeout=300)
    outcome = assert_the_same(folder / "words", "one", "two", WORD="word")
    assert (outcome.status, outcome.stdout) == (0, f"[one two] word {os.sysconf('SC_PAGESIZE')} 499500\n")
