"""Does lbhm objects find what malloc gave a program, with the real runtime?"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from outcome import BUILD, ROOT

SOURCE = """
#include <stdio.h>
#include <stdlib.h>
#include "lbhm/lbhm.h"
int main(int argc, char** argv) {
  volatile int rounds = 4;
  double sum = 0;
  for (int round = 0; round < rounds; ++round) {
    int n = (1 << 17) << (argc > 1 ? round : 0), bytes[] = {n * 8, n * 8};
    double* a = malloc(n * 8);
    double* b = malloc(n * 8);
    void* objects[] = {a, b, NULL};
    if (argc > 1 && LB_HM_config) LB_HM_config(objects, bytes);
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < n; ++i) {
      a[i] = i;
      b[(i * 7919L) % n] = 2;
      sum += a[i];
    }
    free(a);
    free(b);
  }
  printf("%s %g\\n", argv[0], sum);
  return 5;
}
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("objects")
    (folder / "app.c").write_text(SOURCE)
    lbhm(folder, "cc", "--emulate", "-g", "-O1", "app.c", "-o", "app")
    return folder


def lbhm(folder: Path, *words: str) -> subprocess.CompletedProcess:
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("LBHM_", "OMP_"))}
    environment["LBHM_BUILD"] = str(BUILD)
    return subprocess.run([ROOT / "lbhm", *words], cwd=folder, env=environment, capture_output=True, text=True)


def test_a_program_that_names_no_object_has_exact_counts(folder):
    done = lbhm(folder, "objects", "--threads", "2", "--json", "found.json", "--", "./app")
    assert done.returncode == 5, done.stderr
    assert done.stdout.startswith("./app 3.43")
    found = json.loads((folder / "found.json").read_text())
    assert found["source"] == "exact counts"
    blocks = [row for row in found["objects"] if row["bytes"] >= row["objects"] << 20]
    assert len(blocks) == 2
    for row in blocks:
        assert set(row["by_lane"]) == {"0", "1"}
        assert sum(row["by_lane"].values()) == row["accesses"] >= 4 * (1 << 17) // 8


def test_objects_that_are_named_have_lines_of_source(folder):
    lbhm(folder, "run", "--heap", "--threads", "2", "--json", "report.json", "--", "./app", "named")
    done = lbhm(folder, "objects", "report.json")
    assert done.returncode == 0, done.stderr
    rows = [line.split()[:4] for line in done.stdout.splitlines() if line.startswith(" app.c:")]
    assert sorted(rows) == [["app.c:10", "(main)", "1", "8.00"], ["app.c:11", "(main)", "1", "8.00"]]
