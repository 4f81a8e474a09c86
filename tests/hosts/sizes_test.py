"""Sizes that others choose."""

import resource
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from outcome import assert_the_same, build


@pytest.mark.parametrize("lanes", [1_000_000, 100_000_000])
def test_a_team_of_any_size_takes_the_memory_of_the_team_that_comes(lanes, tmp_path):
    program = build("many_lanes.c", tmp_path / "lanes", "-fopenmp", compiler="clang-19")
    outcome = assert_the_same(program, str(lanes), "150", OMP_THREAD_LIMIT="8", KMP_WARNINGS="0")
    assert outcome.stdout == "8 lanes, little memory\n"


def test_regions_nest_as_deep_as_they_do_without(tmp_path):
    program = build("nested.c", tmp_path / "nested", "-fopenmp", compiler="clang-19")
    # libomp takes some hundred bytes of stack for a level; the program alone needs it as well.
    before = resource.getrlimit(resource.RLIMIT_STACK)
    resource.setrlimit(resource.RLIMIT_STACK, (1 << 30, before[1]))
    try:
        assert assert_the_same(program, "100000").stdout == "100000\n"
    finally:
        resource.setrlimit(resource.RLIMIT_STACK, before)
