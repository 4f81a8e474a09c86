"""Does a program that may do more than whoever starts it run as without LB-HM, whatever the settings say?"""

import os
import shutil
import struct
import subprocess
import tempfile
from pathlib import Path

import pytest

from .conftest import BUILD

LIBOMP = "/usr/lib/llvm-19/lib"
NOBODY = 65534
PROGRAM = """
#include <omp.h>
#include <sys/auxv.h>
#include <cstdio>
#include "lbhm/omp_traits.h"
int main() {
  int sum = 0;
  #pragma omp parallel num_threads(3) reduction(+ : sum)
  sum += omp_get_thread_num();
  omp_alloctrait_t traits[] = {lbhm_managed(true)};
  const auto allocator = omp_init_allocator(omp_default_mem_space, 1, traits);
  void* block = omp_alloc(100'000, allocator);
  std::printf("%d %d %lu\\n", sum, block != nullptr, getauxval(AT_SECURE));
  omp_free(block, allocator);
}
"""


def make_set_uid(program: Path) -> None:
    program.chmod(0o4755)


def give_capability(program: Path) -> None:
    """CAP_NET_RAW as its effective set: struct vfs_cap_data, revision 2, of linux/capability.h."""
    os.setxattr(program, "security.capability", struct.pack("<5I", 0x02000001, 1 << 13, 0, 0, 0))


@pytest.fixture(scope="module")
def folder():
    """Where everybody may read the program and write; pytest's own folders are for their user alone."""
    if os.geteuid() != 0:
        pytest.skip("needs root, to make programs with privileges")
    with tempfile.TemporaryDirectory(prefix="lbhm-privileged-") as name:
        folder = Path(name)
        folder.chmod(0o777)
        shutil.copy(BUILD / "lib/liblbhm.so", folder)
        (folder / "program.cpp").write_text(PROGRAM)
        words = ["clang++-19", "-std=c++20", "-fopenmp", f"-I{Path(__file__).parents[2]}/include", "program.cpp"]
        words += ["-o", "program", "-Wl,--no-as-needed", f"-L{name}", "-llbhm", f"-Wl,-rpath,{name}:{LIBOMP}"]
        subprocess.run(words, cwd=folder, check=True)
        yield folder


def run(folder: Path, program: str, **settings: str) -> subprocess.CompletedProcess:
    return subprocess.run(
        [folder / program],
        env={"PATH": "/usr/bin:/bin", **settings},
        cwd=folder,
        user=NOBODY,
        group=NOBODY,
        extra_groups=[],
        capture_output=True,
        text=True,
        check=False,
    )


def privileged(folder: Path, give) -> str:
    name = give.__name__
    shutil.copy(folder / "program", folder / name)
    try:
        give(folder / name)
    except OSError as error:
        pytest.skip(f"{folder}: no privileges can be given to files ({error.strerror})")
    if run(folder, name).stdout != "3 1 1\n":
        pytest.skip(f"{folder}: privileges of files have no effect (mounted nosuid?)")
    return name


@pytest.mark.parametrize("give", [make_set_uid, give_capability])
def test_no_setting_is_read_and_no_file_written(folder, give):
    name = privileged(folder, give)
    report = folder / f"{name}.json"
    for settings in ({}, {"LBHM_MACHINE": "nonsense"}, {"LBHM_MACHINE": "host"}, {"LBHM_FAST_CAPACITY": "x"}):
        done = run(folder, name, LBHM_REPORT=str(report), **settings)
        assert (done.returncode, done.stdout, done.stderr) == (0, "3 1 1\n", "")
        assert not report.exists()
    done = run(folder, name, LBHM_REPORT="-")
    assert (done.returncode, done.stdout) == (0, "3 1 1\n")


def test_the_same_program_without_privileges_has_its_report(folder):
    """So that the test above can fail."""
    report = folder / "plain.json"
    done = run(folder, "program", LBHM_REPORT=str(report))
    assert (done.returncode, done.stdout) == (0, "3 1 0\n")
    assert report.exists()
    assert "nonsense" in run(folder, "program", LBHM_REPORT=str(report), LBHM_MACHINE="nonsense").stderr
