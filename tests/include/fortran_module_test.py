"""Does the Fortran module compile, and does a program that uses it reach the library?"""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
BUILD = Path(os.environ.get("LBHM_BUILD", ROOT / "build" / "release"))
COMPILER = os.environ.get("FC") or next(filter(shutil.which, ("gfortran", "gfortran-12", "flang-new-19")), None)

PROGRAM = """
program kinds
  use lbhm
  use, intrinsic :: iso_c_binding, only: c_intptr_t
  implicit none
  double precision, allocatable, target :: a(:)
  type(lbhm_object) :: objects(1)
  type(c_ptr) :: plan
  integer :: round
  integer(c_intptr_t) :: allocator
  allocate(a(4096))
  a = 1
  objects(1) = lbhm_object(c_loc(a), 4096 * 8_c_size_t, c_null_ptr)
  do round = 1, 4
    call lbhm_phase("ring  ")
    if (mod(round, 2) == 0) call lbhm_phase(round)
    plan = lbhm_config(objects, 1_c_size_t)
    call lbhm_task("outside of a region: nothing happens")
    call lbhm_task(round)
  end do
  allocator = lbhm_init_allocator(0_c_intptr_t, [lbhm_managed(.true.), lbhm_sensitivity(lbhm_latency), lbhm_group(3)])
  if (allocator == 0) stop 1
  allocator = lbhm_init_allocator(0_c_intptr_t, [lbhm_managed(.true.), lbhm_tier_hint(-7)])
  if (allocator /= 0) stop 2
  if (lbhm_move(c_loc(a), lbhm_low_latency) /= -1) stop 3  ! nothing to move here
  print '(i0)', nint(sum(a))
end program
"""


@pytest.mark.skipif(COMPILER is None, reason="no Fortran compiler: install gfortran, or name one in FC")
def test_a_fortran_program_reaches_the_library(tmp_path):
    (tmp_path / "kinds.f90").write_text(PROGRAM)
    words = [*COMPILER.split(), ROOT / "include" / "lbhm" / "lbhm.f90", "kinds.f90", "-o", "kinds"]
    words += [f"-L{BUILD / 'lib'}", "-llbhm", f"-Wl,-rpath,{BUILD / 'lib'}"]
    done = subprocess.run(list(map(str, words)), cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    done = subprocess.run([tmp_path / "kinds"], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "4096\n"), done.stderr
    assert "lbhm_tier_hint: value -7" in done.stderr
