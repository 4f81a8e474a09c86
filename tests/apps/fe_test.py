"""Is fe right, the same everywhere, and a program without anything of ours?"""

import re

import pytest

NAME = "fe"
SMALL = ("--size", "12")


def test_result_is_verified_and_the_same_everywhere(app):
    app.verifies_everywhere()


def test_checksum_depends_on_the_input(app):
    assert len({app.native("--size", size).checksum for size in ("12", "13", "14")}) == 3


@pytest.mark.parametrize("size", ["8", "9", "24"])
def test_error_falls_with_the_square_of_the_elements(app, size):
    ended = app.native("--size", size)
    assert "verified: yes" in ended.out
    assert float(re.search(r"order of convergence: ([\d.]+)", ended.out)[1]) == pytest.approx(2, abs=0.03)


def test_a_solver_that_has_not_converged_is_no_success(app):
    ended = app.native("--iterations", "5")
    assert ended.status == 1
    assert "verified: NO" in ended.out
    assert "Allow more --iterations" in ended.err


@pytest.mark.parametrize(
    ("sentence", "arguments"),
    [
        ("--size: Value 7 not in range", ("--size", "7")),
        ("--iterations: Value 0 not in range", ("--iterations", "0")),
        ("--size", ("--size", "large")),
        ("--threads: Value 2000 not in range", ("--threads", "2000")),
        ("--size", ("--size",)),
        ("--speed", ("--speed", "1")),
        ("file", ("file",)),
    ],
)
def test_bad_options_are_refused_by_name(app, sentence, arguments):
    app.refuses(sentence, *arguments)


def test_nothing_of_ours_is_in_it(app):
    app.has_nothing_of_ours()
