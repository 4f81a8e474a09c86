"""Does each public header compile alone, in the languages that it is for? Does what is installed suffice a program?"""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
BUILD = Path(os.environ.get("LBHM_BUILD", ROOT / "build" / "release"))
INCLUDE = ROOT / "include"
CXX_ONLY = {"access_pattern.h", "memory_resource.h"}
HEADERS = sorted(str(path.relative_to(INCLUDE / "lbhm")) for path in (INCLUDE / "lbhm").rglob("*.h"))
LANGUAGES = {"c": ["clang-19", "-std=c11"], "cpp": ["clang++-19", "-std=c++23"]}

PROGRAM = """
#include <lbhm/lbhm.h>
#include <lbhm/omp_traits.h>
#include <stdio.h>

int main(void) {
  static double values[4096];
  lbhm_object object = {values, sizeof values, "values"};
  if (lbhm_config) lbhm_config(&object, 1);
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < 4096; ++i) sum += values[i] + 1;
  printf("%.0f\\n", sum);
  return 0;
}
"""


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("header", HEADERS)
def test_a_header_compiles_alone(header, language, tmp_path):
    if language == "c" and header in CXX_ONLY:
        pytest.skip("C++ only")
    source = tmp_path / f"alone.{language}"
    source.write_text(f"#include <lbhm/{header}>\n#include <lbhm/{header}>\n")
    words = [*LANGUAGES[language], "-Wall", "-Wextra", "-Werror", "-fopenmp", "-fsyntax-only", f"-I{INCLUDE}", source]
    done = subprocess.run(words, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def run(*words, **settings: str) -> str:
    done = subprocess.run(list(map(str, words)), capture_output=True, text=True, env=os.environ | settings)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_program_needs_only_what_is_installed(tmp_path):
    prefix = tmp_path / "prefix"
    run("cmake", "--install", BUILD, "--prefix", prefix)
    source = tmp_path / "program.c"
    source.write_text(PROGRAM)
    program = tmp_path / "program"
    library = prefix / "lib"
    plugin = f"-fpass-plugin={library}/liblbhm-plugin.so"
    flags = ["-O2", "-fopenmp", plugin, f"-I{prefix}/include"]
    run("clang-19", *flags, source, "-o", program, f"-L{library}", "-llbhm", f"-Wl,-rpath,{library}")
    report = tmp_path / "report.json"
    settings = {"LBHM_MACHINE": "optane", "LBHM_REPORT": str(report), "OMP_NUM_THREADS": "2"}
    assert run(program, **settings) == "4096\n"
    assert json.loads(report.read_text())["makespan_ns"] > 0
