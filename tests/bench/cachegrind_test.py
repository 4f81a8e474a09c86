"""Cachegrind's output file: which functions count, and what happens when there is nothing to count."""

import pytest
from harness.errors import BenchError
from harness.fidelity.cachegrind import KERNEL_CODE, LIBRARY_CODE, UNLIKE, Comparison, table
from harness.fidelity.cachegrind_output import Counts, parse

OUTPUT = """\
desc: I1 cache:         32768 B, 64 B, 8-way associative
cmd: ./host-kernels matvec --small
events: Ir I1mr ILmr Dr D1mr DLmr Dw D1mw DLmw
fl=/src/dense.cpp
fn=host::(anonymous namespace)::matvec(unsigned long)
53 100 0 0 40 5 3 20 2 1
54 10 0 0 4
fl=/src/memset.S
fn=memset
12 50 0 0 0 0 0 30 7 6
fl=/src/main.cpp
fn=main
9 1000 9 9 500 50 50 400 40 40
summary: 1160 9 9 544 55 53 450 49 47
"""


def test_counts_only_the_functions_that_are_kept():
    assert parse(OUTPUT, lambda name: "host::" in name) == Counts(references=64, last_level_misses=4)
    assert parse(OUTPUT, lambda name: name == "memset") == Counts(references=30, last_level_misses=6)
    assert parse(OUTPUT, lambda name: False) == Counts()


def test_difference_of_two_runs():
    assert Counts(64, 4) - Counts(30, 1) == Counts(34, 3)


@pytest.mark.parametrize("text", ["", "events: Ir\nfn=main\n9 1000\n"])
def test_output_without_caches_is_refused(text):
    with pytest.raises(BenchError, match="cachegrind"):
        parse(text, lambda name: True)


def test_code_of_the_kernels_and_of_the_library():
    assert KERNEL_CODE.search("host::(anonymous namespace)::search(unsigned int const*)")
    assert KERNEL_CODE.search("multiply(unsigned long, double const*) [clone .omp_outlined]")
    assert not KERNEL_CODE.search("__kmp_fork_call")
    assert LIBRARY_CODE.search("__memset_avx2_unaligned_erms")
    assert not LIBRARY_CODE.search("malloc")


def test_worst_error_is_that_of_misses_or_accesses():
    assert Comparison("a", (103, 100), (102, 100)).worst == pytest.approx(0.03)
    assert Comparison("a", (100, 100), (95, 100)).worst == pytest.approx(0.05)
    assert Comparison("a", (101, 100), None).worst == pytest.approx(0.01)


def test_table_says_which_accesses_are_not_compared():
    rows = table([Comparison("fft", (101, 100), None), Comparison("lu", (99, 100), (10, 10))]).rows
    assert rows[0] == ["fft", "101", "100", "+1.0%", "", "", "unlike"]
    assert rows[1][3] == "-1.0%"
    assert "fft" in UNLIKE
