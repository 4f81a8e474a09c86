"""Do programs that are built against an installed LB-HM, as people do that, run under it?"""

from __future__ import annotations

import json
import shutil

import pytest

SUM = """
#include <lbhm/lbhm.h>
#include <cstdio>
#include <vector>
int main() {
  std::vector<double> a(1 << 16, 1.0);
  void *objects[] = {a.data(), nullptr};
  int sizes[] = {int(a.size() * sizeof(double))};
  double sum = 0;
  for (int n = 0; n < 3; ++n) {
    CONFIG;
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < int(a.size()); ++i) sum += a[i];
  }
  std::printf("checksum: %g\\n", sum);
}
"""
# Compiled as it should be in any program, and in one that is linked with the library.
WEAK = SUM.replace("CONFIG", "if (LB_HM_config) LB_HM_config(objects, sizes)")
LINKED = SUM.replace("CONFIG", "if (!LB_HM_config) return 1; else LB_HM_config(objects, sizes)")
FORTRAN = """
program sum
  use lbhm
  implicit none
  real(8), allocatable, target :: a(:)
  type(lbhm_object) :: objects(1)
  type(c_ptr) :: plan
  real(8) :: s
  integer :: i, n
  allocate(a(65536))
  a = 1
  s = 0
  objects(1) = lbhm_object(c_loc(a), c_sizeof(a), c_null_ptr)
  do n = 1, 3
    call lbhm_phase("sum")
    plan = lbhm_config(objects, size(objects, kind=c_size_t))
    !$omp parallel do reduction(+:s)
    do i = 1, 65536
      s = s + a(i)
    end do
  end do
  print '(a, f9.1)', 'checksum: ', s
end program
"""
CMAKE = """
cmake_minimum_required(VERSION 3.20)
project(user LANGUAGES LANGUAGE)
find_package(lbhm 0.2 REQUIRED CONFIG)
find_package(OpenMP REQUIRED)
"""
CXX = """
add_executable(seen weak.cpp)
target_link_libraries(seen lbhm::emulate)
add_executable(looked weak.cpp)
target_link_libraries(looked lbhm::patterns)
add_executable(linked linked.cpp)
target_link_libraries(linked lbhm::lbhm OpenMP::OpenMP_CXX)
"""
F90 = """
add_executable(seen sum.f90)
target_link_libraries(seen lbhm::emulate lbhm::fortran)
"""
RELEASE = ["-DCMAKE_BUILD_TYPE=Release"]
flang = pytest.mark.skipif(not shutil.which("flang-new-19"), reason="flang-19 is not installed")


def check_by_comparing(person, program: str) -> None:
    """On an emulated machine, which refuses programs whose accesses it cannot see."""
    options = ["--policies", "slow-only,lbhm", "--fast", "64K", "--threads", "2", "--json", "compared.json"]
    person("lbhm", "compare", *options, "--", program)
    found = json.loads((person.home / "compared.json").read_text())
    assert {run["policy"]: float(run["checksum"]) for run in found["runs"]} == {"slow-only": 196608, "lbhm": 196608}


@pytest.fixture
def cxx(person):
    person.write("weak.cpp", WEAK)
    person.write("linked.cpp", LINKED)
    return person


def test_lbhm_is_the_compiler(cxx):
    cxx("lbhm", "c++", "--emulate", "-O2", "-g", "weak.cpp", "-o", "app")
    check_by_comparing(cxx, "./app")
    assert "512 KiB" in cxx("lbhm", "objects", "--threads", "2", "--", "./app").stdout
    assert "stream" in cxx("lbhm", "patterns", "app").stdout
    assert "checksum: 196608" in cxx("./app").stdout


def test_find_package(cxx):
    cxx.write("CMakeLists.txt", CMAKE.replace("LANGUAGE)", "CXX)") + CXX)
    cxx("cmake", "-S", ".", "-B", "build", f"-DCMAKE_PREFIX_PATH={cxx.tree}", *RELEASE, CXX="clang++-19")
    cxx("cmake", "--build", "build")
    check_by_comparing(cxx, "build/seen")
    assert "stream" in cxx("lbhm", "patterns", "build/looked").stdout
    assert "checksum: 196608" in cxx("build/linked").stdout


def test_pkg_config(cxx):
    path = {"PKG_CONFIG_PATH": f"{cxx.tree}/lib/pkgconfig"}
    flags = cxx("pkg-config", "--cflags", "lbhm-emulate", **path).stdout.replace("/lib/pkgconfig/../..", "")
    assert set(flags.split()) == set(cxx("lbhm", "cflags", "--emulate").stdout.split())
    build = "clang++-19 -O2 $(pkg-config --cflags --libs lbhm-emulate) weak.cpp -o app"
    cxx("sh", "-c", build, **path)
    check_by_comparing(cxx, "./app")
    cxx("sh", "-c", "clang++-19 linked.cpp $(pkg-config --cflags --libs lbhm) -fopenmp -o linked", **path)
    assert "checksum: 196608" in cxx("./linked", LD_LIBRARY_PATH=f"{cxx.tree}/lib").stdout


@flang
def test_fortran(person):
    person.write("sum.f90", FORTRAN)
    module = person.tree / "include/lbhm/flang-19"
    libraries = [f"-L{person.tree}/lib", "-llbhm-flang-19", "-llbhm", f"-Wl,-rpath,{person.tree}/lib"]
    person("lbhm", "fc", "--emulate", "-O1", f"-I{module}", "sum.f90", *libraries, "-o", "app")
    check_by_comparing(person, "./app")


@flang
def test_fortran_by_find_package(person):
    person.write("sum.f90", FORTRAN)
    person.write("CMakeLists.txt", CMAKE.replace("LANGUAGE)", "Fortran)") + F90)
    person("cmake", "-S", ".", "-B", "build", f"-Dlbhm_ROOT={person.tree}", *RELEASE, FC="flang-new-19")
    person("cmake", "--build", "build")
    check_by_comparing(person, "build/seen")


def test_what_takes_long_to_measure_is_kept_with_the_user(cxx):
    (cxx.home / "corpus").mkdir(mode=0o777)
    (cxx.home / "corpus").chmod(0o777)
    cxx("lbhm", "c++", "--emulate", "-O2", "-g", "weak.cpp", "-o", "corpus/sum", LBHM_PLUGIN_REGIONS="1")
    options = ["--corpus", "corpus", "--threads", "1", "--placements", "1"]
    said = cxx("lbhm", "train", *options, status=2).stderr
    assert "fewer than 12 regions, too few to learn from" in said  # after the measurements
    assert list((cxx.home / ".local/share/lbhm/training/optane").glob("*.json"))
    assert not (cxx.tree / "training").exists()


def test_nothing_else_is_written(cxx):
    cxx("lbhm", "c++", "--emulate", "-O2", "weak.cpp", "-o", "app")
    check_by_comparing(cxx, "./app")
    names = {path.name for path in cxx.home.rglob("*")}
    assert names == {"weak.cpp", "linked.cpp", "app", "compared.json"}
