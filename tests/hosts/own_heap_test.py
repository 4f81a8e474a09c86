"""LB-HM's own data and the program's heap are two things."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from outcome import LIBRARY, assert_the_same, build, run


def test_operator_new_may_be_an_openmp_allocator(tmp_path):
    program = build("replaced_new.cpp", tmp_path / "replaced", "-fopenmp")
    assert assert_the_same(program).stdout == "3 1000\n"


def test_the_programs_operator_new_is_called_for_the_program_alone(tmp_path):
    program = build("counted_new.cpp", tmp_path / "counted", "-fopenmp")
    assert assert_the_same(program).stdout == "1\n"


def test_a_program_may_have_the_four_functions_alone(tmp_path):
    program = build("four_functions.cpp", tmp_path / "four", "-fopenmp")
    expected = assert_the_same(program)
    assert expected.stdout == "1048576 1\n"
    heap = f"{LIBRARY.with_name('liblbhm-heap.so')}:{LIBRARY}"
    for machine in ("host", "optane"):
        assert run(program, preload=False, LD_PRELOAD=heap, LBHM_MACHINE=machine) == expected
