"""Are runs with and without compared in pairs, and is what does not grow left out?"""

import pytest
from harness import overhead
from harness.errors import BenchError
from harness.overhead import Run


def test_each_pair_is_compared_on_its_own():
    """The machine became twice as slow after the first pair; the ratio did not change."""
    pairs = [(Run(1, 2), Run(1.1, 2.2)), (Run(2, 4), Run(2.2, 4.4)), (Run(2, 4), Run(2.2, 4.4))]
    assert overhead.slowdown(pairs) == {"wall": 1.1, "processor": 1.1, "seconds_without": 2}


def test_memory_that_does_not_grow_is_told_apart():
    mib = 1 << 20
    grown = overhead.growth({128: 140 * mib, 384: 396 * mib}, {128: 143 * mib + 12800, 384: 399 * mib + 38400})
    assert grown == {"bytes_per_managed_mib": 100, "fixed_bytes": 3 * mib}


def test_programs_are_named():
    assert list(overhead.chosen_programs("pic,bfs")) == ["pic", "bfs"]
    with pytest.raises(BenchError, match="'pik'"):
        overhead.chosen_programs("pic,pik")


def test_a_program_that_fails_is_no_figure():
    with pytest.raises(BenchError, match="status 1"):
        overhead.timed(["/bin/false"], {})
