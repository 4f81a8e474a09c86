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
    blocks = [row for row in found["objects"] if row["objects"] and row["bytes"] >= row["objects"] << 20]
    assert len(blocks) == 2
    assert sorted(row["shown"] for row in blocks) == ["app.c:10 (main)", "app.c:11 (main)"]
    for row in blocks:
        assert set(row["by_lane"]) == {"0", "1"}
        assert sum(row["by_lane"].values()) == row["accesses"] >= 4 * (1 << 17) // 8


GRIDS = """
#include <cstdio>
#include <vector>
struct Grid {
  std::vector<double> values;
  explicit Grid(int n);
};
__attribute__((noinline)) Grid::Grid(int n) : values(n) {}
__attribute__((noinline)) double sum(const Grid& grid) {
  double all = 0;
#pragma omp parallel for reduction(+ : all)
  for (int i = 0; i < (int)grid.values.size(); ++i) all += grid.values[i] + 1;
  return all;
}
int main(int argc, char** argv) {
  Grid coarse(100000 * argc);
  Grid fine(200000 * argc);
  printf("%g\\n", sum(coarse) + sum(fine));
}
"""


def built_grids(folder: Path, name: str, source: str) -> str:
    (folder / f"{name}.cpp").write_text(source)
    assert lbhm(folder, "c++", "--emulate", "-g", "-O2", f"{name}.cpp", "-o", name).returncode == 0
    return f"./{name}"


def portable_ids(folder: Path, program: str) -> set[str]:
    lbhm(folder, "objects", "--fast", "1M", "--threads", "2", "--json", "ids.json", "--", program)
    rows = json.loads((folder / "ids.json").read_text())["objects"]
    return {site["portable"] for row in rows for site in row["sites"]}


def test_the_tree_shows_the_calls_of_the_program(folder):
    program = built_grids(folder, "grids", GRIDS)
    done = lbhm(folder, "objects", "--tree", "--fast", "1M", "--threads", "2", "--", program)
    lines = [line.split(")")[0] + ")" for line in done.stdout.splitlines() if ".cpp:" in line]
    assert lines == [
        " grids.cpp:17 (main)",
        "   grids.cpp:8 (Grid::Grid)",
        " grids.cpp:16 (main)",
        "   grids.cpp:8 (Grid::Grid)",
    ], "neither the vector's insides nor operator new"


def test_calls_that_look_alike_are_told_apart_by_their_order(folder):
    """Without debug information both blocks are of main."""
    assert lbhm(folder, "cc", "--emulate", "-O1", "app.c", "-o", "bare").returncode == 0
    lbhm(folder, "objects", "--fast", "1M", "--threads", "2", "--json", "found.json", "--", "./bare")
    shown = [row["shown"] for row in json.loads((folder / "found.json").read_text())["objects"]]
    assert {"main, call 1", "main, call 2"} <= set(shown)


def test_portable_ids_survive_a_comment(folder):
    """The ids of runs do not: the build-id is another."""
    before = portable_ids(folder, built_grids(folder, "grids", GRIDS))
    assert len(before) == 2 and None not in before
    commented = GRIDS.replace("int main", "// what follows is the main program\n\nint main")
    commented = commented.replace("Grid fine", "/* twice\n as fine */ Grid fine")
    assert portable_ids(folder, built_grids(folder, "grids", commented)) == before


def test_sites_are_the_same_in_every_run(folder):
    """Twenty times, wherever the system puts the program."""
    program = built_grids(folder, "grids", GRIDS)
    sites = set()
    for _ in range(20):
        lbhm(folder, "run", "--heap", "--fast", "1M", "--threads", "2", "--json", "sites.json", "--", program)
        sites.add(json.dumps(json.loads((folder / "sites.json").read_text())["sites"]))
    assert len(sites) == 1


TABLES = """
#include <cstdio>
namespace mesh { double table[50000]; }
static int small[100];
extern "C" double shared[];
int main(int argc, char** argv) {
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < 50000; ++i) {
    mesh::table[i] = i * argc;
    sum += mesh::table[i] + shared[i % 20000] + small[i % 100];
  }
  printf("%g\\n", sum);
}
"""


def test_large_variables_have_lines_of_their_own(folder):
    """Of the program and of a library that was built with the plugin or not; 0.4 MB / 64 bytes a line."""
    (folder / "shared.c").write_text("double shared[20000] = {1};\n")
    assert lbhm(folder, "cc", "-shared", "-fPIC", "shared.c", "-o", "libshared.so").returncode == 0
    (folder / "tables.cpp").write_text(TABLES)
    words = ("-fPIC", "-O1", "tables.cpp", "-L.", "-lshared", "-Wl,-rpath,$ORIGIN", "-o", "tables")
    assert lbhm(folder, "c++", "--emulate", *words).returncode == 0
    done = lbhm(folder, "objects", "--fast", "1M", "--threads", "2", "--json", "found.json", "--", "./tables")
    assert done.returncode == 0, done.stderr
    rows = {row["shown"]: row for row in json.loads((folder / "found.json").read_text())["objects"]}
    table, shared = rows["mesh::table"], rows["shared"]
    assert 400_000 <= table["bytes"] <= 400_000 + 2 * 4096, "whole pages"
    assert 160_000 <= shared["bytes"] <= 160_000 + 2 * 4096
    assert set(table["by_lane"]) == {"0", "1"}
    assert 50_000 / 8 - 128 <= table["accesses"] <= 50_000 / 8 + 2
    assert shared["accesses"] >= 20_000 / 8 - 128
    assert "managed" not in table, "an object like others: lbhm objects has --heap by default"


PHASES = """
#include <stdio.h>
#include <stdlib.h>
double table[20000];
int main(void) {
  int n = 1 << 17;
  double* a = malloc(n * 8);
  double* b = malloc(n * 8);
  double sum = 0;
#pragma omp parallel for
  for (int i = 0; i < n; ++i) a[i] = i;
  for (int i = 0; i < n; ++i) b[i] = i;
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < n; ++i) sum += a[i] + b[i] + table[i % 20000];
  printf("%g\\n", sum);
}
"""


def phases_of(folder: Path, *options: str) -> tuple[str, dict[tuple[str, str], dict]]:
    words = ("--fast", "1M", "--threads", "2", "--json", "phases.json")
    done = lbhm(folder, "objects", *words, *options, "--", "./phases")
    assert done.returncode == 0, done.stderr
    rows = json.loads((folder / "phases.json").read_text())["objects"]
    return done.stdout, {(row["shown"], row.get("phase_shown", "")): row for row in rows}


@pytest.fixture(scope="module")
def regions(folder):
    """A program that fills one block in its first region and reads both in the second one."""
    (folder / "phases.c").write_text(PHASES)
    assert lbhm(folder, "cc", "--emulate", "-g", "-O1", "phases.c", "-o", "phases").returncode == 0
    return folder


FILL, READ = "phases.c:10 (main)", "phases.c:13 (main)"


def test_objects_of_each_parallel_region_are_counted(regions):
    out, rows = phases_of(regions, "--phases", "--lanes")
    a, b = "phases.c:7 (main)", "phases.c:8 (main)"
    assert {key for key in rows if key[0] in (a, b)} == {(a, FILL), (a, READ), (b, READ)}, "b is filled by no task"
    for key in ((a, FILL), (a, READ), (b, READ)):
        assert set(rows[key]["by_lane"]) == {"0", "1"}
        assert rows[key]["objects"] == 1 and rows[key]["bytes"] >= 1 << 20
    lines = [line for line in out.splitlines() if line.startswith(" phases.c:8 ")]
    assert [line.split()[2:4] + line.split()[7:8] for line in lines] == [
        ["phases.c:13", "(main)", lane] for lane in ("0", "1")
    ]
    assert "of each parallel region" in out
    _, whole = phases_of(regions)
    for shown in (a, b):
        parts = [row["accesses"] for key, row in rows.items() if key[0] == shown]
        assert sum(parts) == whole[shown, ""]["accesses"]


def test_variables_and_what_is_no_object_are_counted_by_region(regions):
    _, rows = phases_of(regions, "--phases", "--no-heap")
    assert {phase for shown, phase in rows if shown == "table"} == {READ}
    assert rows["table", READ]["accesses"] >= 20_000 / 8 - 128
    blocks = {phase: row["accesses"] for (_, phase), row in rows.items() if row["name"] == "unmanaged"}
    assert blocks[READ] > 1.5 * blocks[FILL] > 0, "two blocks and one, of malloc"


def test_objects_that_are_named_have_lines_of_source(folder):
    lbhm(folder, "run", "--heap", "--threads", "2", "--json", "report.json", "--", "./app", "named")
    done = lbhm(folder, "objects", "report.json")
    assert done.returncode == 0, done.stderr
    rows = [line.split()[:4] for line in done.stdout.splitlines() if line.startswith(" app.c:")]
    assert sorted(rows) == [["app.c:10", "(main)", "1", "8.00"], ["app.c:11", "(main)", "1", "8.00"]]
