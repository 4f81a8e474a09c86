"""Is bt right, the same everywhere, and a program without anything of ours?"""

import re
import shutil

import pytest

NAME = "bt"
SMALL = ("--size", "20", "--steps", "6")

pytestmark = pytest.mark.skipif(
    not any(map(shutil.which, ("flang-new-19", "flang-19"))), reason="bt is not built: install flang-19"
)


def test_result_is_verified_and_the_same_everywhere(app):
    app.verifies_everywhere()


def test_checksum_depends_on_the_input(app):
    runs = [app.native(), app.native("--size", "21"), app.native("--steps", "7")]
    assert len({run.checksum for run in runs}) == len(runs)


@pytest.mark.parametrize("size", ["8", "17", "32"])
def test_the_manufactured_solution_is_found(app, size):
    """It is the exact solution of the differences, whatever the grid."""
    ended = app.native("--size", size, "--steps", "150")
    assert "verified: yes" in ended.out
    assert float(re.search(r"in the end +([\d.E+-]+)", ended.out)[1]) < 1e-7


def test_smallest_input_is_verified(app):
    assert "verified: yes" in app.native("--size", "8", "--steps", "1").out


@pytest.mark.parametrize(
    ("sentence", "arguments"),
    [
        ("--size: '7' must be a whole number from 8 to 1024", ("--size", "7")),
        ("--size: '8 9' must be a whole number", ("--size", "8 9")),
        ("--steps: '-1' must be a whole number", ("--steps", "-1")),
        ("--steps: '' must be a whole number", ("--steps", "")),
        ("--threads: '0' must be a whole number from 1 to 1024", ("--threads", "0")),
        ("--size: '99999999999999999999' must be", ("--size", "99999999999999999999")),
        ("--size: a value must follow", ("--size",)),
        ("unknown option '--speed'", ("--speed", "1")),
        ("unknown option 'file'", ("file",)),
    ],
)
def test_bad_options_are_refused_by_name(app, sentence, arguments):
    app.refuses(sentence, *arguments)


def test_nothing_of_ours_is_in_it(app):
    app.has_nothing_of_ours()
