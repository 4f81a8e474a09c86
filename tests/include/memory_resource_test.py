"""Are containers of the standard library objects of LB-HM, by the names that they were given, and nothing else without
it?"""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
BUILD = Path(os.environ.get("LBHM_BUILD", ROOT / "build" / "release"))

PROGRAM = """
#include <lbhm/memory_resource.h>

#include <cstdint>
#include <cstdio>
#include <map>
#include <string>

struct alignas(256) Wide { double x[32]; };

template <class Ask>
const char *refused(Ask ask) {
  try {
    ask();
  } catch (const std::bad_array_new_length &) {
    return "length";
  } catch (const std::bad_alloc &) {
    return "memory";
  } catch (const std::invalid_argument &) {
    return "traits";
  }
  return "nothing";
}

int main() {
  lbhm::memory_resource first("first"), second("second", {lbhm_tier_hint(1), {omp_atk_alignment, 64}});
  std::pmr::vector<double> a(1 << 15, 1.0, &first);
  std::vector<double, lbhm::allocator<double>> b(1 << 15, 2.0, second), empty(first);
  std::map<int, Wide, std::less<>, lbhm::allocator<std::pair<const int, Wide>>> wide(first);
  for (int i = 0; i < 100; ++i) wide[i].x[0] = i;
  b.push_back(3);
  a.resize(1 << 16);
  std::pmr::vector<double> copy(a, &second);
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < 1 << 15; ++i) sum += a[i] + b[i] + copy[i];
  for (const auto &[key, value] : wide)
    if (reinterpret_cast<std::uintptr_t>(&value) % 256) return 1;
  lbhm::allocator<double> of_first(first);
  std::printf("%.0f %d %d %s %s\\n", sum, of_first == lbhm::allocator<int>(first), of_first == b.get_allocator(),
              refused([&] { (void)of_first.allocate(SIZE_MAX / 4); }),
              refused([&] { (void)of_first.allocate(SIZE_MAX / 16); }));
  BAD
}
"""
PRINTED = "131072 1 0 length memory\n"


@pytest.fixture(params=["c++17", "c++23"])
def program(request, tmp_path):
    def build(bad: str = "") -> Path:
        (tmp_path / "program.cpp").write_text(PROGRAM.replace("BAD", bad))
        words = ["clang++-19", f"-std={request.param}", "-O1", "-Wall", "-Wextra", "-Werror", "-fopenmp"]
        words += [f"-I{ROOT / 'include'}", tmp_path / "program.cpp", "-o", tmp_path / "program"]
        done = subprocess.run(list(map(str, words)), capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return tmp_path / "program"

    return build


def run(program: Path, **settings: str) -> subprocess.CompletedProcess:
    return subprocess.run(
        [program], capture_output=True, text=True, env=os.environ | {"OMP_NUM_THREADS": "2"} | settings
    )


def test_containers_are_objects_of_these_names(program, tmp_path):
    report = tmp_path / "report.json"
    done = run(program(), LD_PRELOAD=str(BUILD / "lib" / "liblbhm.so"), LBHM_MACHINE="optane", LBHM_REPORT=str(report))
    assert (done.returncode, done.stdout, done.stderr) == (0, PRINTED, "")
    sites = json.loads(report.read_text())["sites"]
    assert {"first", "second"} <= {site["name"] for site in sites}


def test_without_lbhm_they_have_ordinary_memory(program):
    done = run(program())
    assert (done.returncode, done.stdout) == (0, PRINTED)


def test_traits_that_are_refused_say_so(program):
    bad = 'std::printf("%s\\n", refused([] { lbhm::memory_resource wrong("wrong", {lbhm_tier_hint(-7)}); }));'
    done = run(program(bad), LD_PRELOAD=str(BUILD / "lib" / "liblbhm.so"), LBHM_MACHINE="optane")
    assert done.stdout == PRINTED + "traits\n"
    assert "tier" in done.stderr
