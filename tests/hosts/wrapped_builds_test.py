"""Do builds by CMake and make take "lbhm cc" for a compiler, and do their programs have what LB-HM looks for?"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from outcome import BUILD, ROOT

FORTRAN = shutil.which("flang-new-19") is not None
CMAKE = """
cmake_minimum_required(VERSION 3.20)
project(small C CXX)
include(CheckCCompilerFlag)
check_c_compiler_flag(-Wall HAS_WALL)
check_c_compiler_flag(-fno-such-flag HAS_NO_SUCH_FLAG)
file(WRITE ${CMAKE_BINARY_DIR}/flags "${HAS_WALL} ${HAS_NO_SUCH_FLAG}")
add_library(part SHARED part.cpp)
add_executable(app app.c)
target_link_libraries(app part)
target_compile_options(app PRIVATE -Wall -Werror)
"""
MAKEFILE = """
app: app.o part.o
\t$(CXX) $(LDFLAGS) -o $@ $^
"""
FILES = {
    "CMakeLists.txt": CMAKE,
    "Makefile": MAKEFILE,
    "part.cpp": """
#include <vector>
extern "C" double part(int n) {
  std::vector<double> ones(n, 1.0);
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < n; ++i) sum += ones[i];
  return sum;
}
""",
    "app.c": """
#include <stdio.h>
double part(int);
int main(void) { printf("%g\\n", part(1 << 17)); return 0; }
""",
    "sum.f90": """
program sum
  real(8), allocatable :: a(:)
  real(8) :: s
  integer :: i
  allocate(a(131072))
  s = 0
  !$omp parallel do reduction(+:s)
  do i = 1, 131072
    a(i) = 1
    s = s + a(i)
  end do
  print '(f9.1)', s
end program
""",
}


@pytest.fixture
def folder(tmp_path):
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    return tmp_path


ONE_WORD = {"CC": "lbhm-cc-emulate", "CXX": "lbhm-c++-emulate", "FC": "lbhm-fc-emulate"}


def run(folder: Path, *words: str | Path, emulate: bool = True, **settings: str) -> str:
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("LBHM_", "OMP_"))}
    option = " --emulate" if emulate else ""
    environment |= {name: f"{ROOT}/lbhm {of}{option}" for name, of in (("CC", "cc"), ("CXX", "c++"), ("FC", "fc"))}
    environment |= {"LBHM_BUILD": str(BUILD)} | settings
    done = subprocess.run(words, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def accesses_seen(folder: Path, program: str) -> bool:
    shown = run(folder, ROOT / "lbhm", "run", "--fast", "64K", "--threads", "2", "--json", "report.json", "--", program)
    assert "131072" in shown
    report = json.loads((folder / "report.json").read_text())
    return any(task["accesses"] for region in report["regions"] for task in region["tasks"])


@pytest.mark.parametrize(
    "launcher", [[], ["-DCMAKE_C_COMPILER_LAUNCHER=ccache", "-DCMAKE_CXX_COMPILER_LAUNCHER=ccache"]]
)
def test_cmake(folder, launcher):
    run(folder, "cmake", "-S", ".", "-B", "build", *launcher)
    assert (folder / "build/flags").read_text() == "1 "
    run(folder, "cmake", "--build", "build")
    assert accesses_seen(folder, "build/app")


def test_make(folder):
    run(folder, "make")
    assert accesses_seen(folder, "./app")


def test_builds_that_take_a_compiler_for_one_word(folder):
    """By its path, and by its name in PATH through a link."""
    (folder / "Makefile").write_text(MAKEFILE.replace("$(CXX)", '"$(CXX)"') + '%.o: %.c\n\t"$(CC)" -c -o $@ $<\n')
    run(folder, "make", **{name: str(BUILD / "bin" / word) for name, word in ONE_WORD.items()})
    assert accesses_seen(folder, "./app")
    (folder / "bin").mkdir()
    for word in ONE_WORD.values():
        (folder / "bin" / word).symlink_to(BUILD / "bin" / word)
    inside = ONE_WORD | {"PATH": f"{folder}/bin:{os.environ['PATH']}"}
    run(folder, "cmake", "-S", ".", "-B", "build", **inside)
    run(folder, "cmake", "--build", "build", **inside)
    assert accesses_seen(folder, "build/app")


def test_one_word_of_the_real_machine(folder):
    words = (BUILD / "bin/lbhm-c++", "-c", "part.cpp", "-o", "one.o")
    run(folder, *words)
    run(folder, ROOT / "lbhm", "c++", "-c", "part.cpp", "-o", "two.o")
    assert (folder / "one.o").read_bytes() == (folder / "two.o").read_bytes()


def test_the_plugin_of_real_machines_is_the_default(folder):
    run(folder, "make", emulate=False)
    assert "accesses" in run(folder, ROOT / "lbhm", "run", "--machine", "host", "--", "./app")
    assert not accesses_seen(folder, "./app")


@pytest.mark.skipif(not FORTRAN, reason="flang-new-19 is not installed")
def test_fortran(folder):
    run(folder, ROOT / "lbhm", "fc", "--emulate", "-O1", "sum.f90", "-o", "sum")
    assert accesses_seen(folder, "./sum")


FIELD = """
module field
  real(8), allocatable :: values(:)
  real(8) :: fixed(20000)
contains
  subroutine solve(n)
    integer, intent(in) :: n
    integer :: i
!$omp parallel do
    do i = 1, n
      values(i) = values(i) + fixed(i)
    end do
  end subroutine
end module
program main
  use field
  allocate(values(20000))
  values = 1
  call solve(20000)
  print *, sum(values)
end program
"""


@pytest.mark.skipif(not FORTRAN, reason="flang-new-19 is not installed")
def test_names_of_fortran_are_those_of_the_source(folder):
    (folder / "field.f90").write_text(FIELD)
    run(folder, ROOT / "lbhm", "fc", "--emulate", "-O2", "-g", "field.f90", "-o", "field")
    shown = run(folder, ROOT / "lbhm", "patterns", "--parallel", "./field")
    assert {"field::solve", "(parallel)", "field::values", "field::fixed"} <= set(shown.split())
    assert "_Q" not in shown
    assert "field::solve" in run(folder, ROOT / "lbhm", "run", "--fast", "1M", "--", "./field")


def test_the_compilers_errors_are_its_own(folder):
    (folder / "wrong.c").write_text("int main(void) { return x; }\n")
    words = ["-c", "wrong.c"]
    plain = subprocess.run(["clang-19", *words], cwd=folder, capture_output=True, text=True, check=False)
    ours = subprocess.run([ROOT / "lbhm", "cc", *words], cwd=folder, capture_output=True, text=True, check=False)
    assert (ours.returncode, ours.stderr) == (plain.returncode, plain.stderr)
    (folder / "empty.s").write_text(".globl x\n")
    run(folder, ROOT / "lbhm", "cc", "-Werror", "-c", "empty.s")
