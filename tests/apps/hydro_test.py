"""Is hydro right, the same everywhere, and a program without anything of ours?"""

import re

import pytest

NAME = "hydro"
SMALL = ("--size", "32", "--steps", "20")


def test_result_is_verified_and_the_same_everywhere(app):
    app.verifies_everywhere()


def test_checksum_depends_on_the_input(app):
    runs = [app.native(), app.native("--size", "33"), app.native("--steps", "21")]
    assert len({run.checksum for run in runs}) == len(runs)


@pytest.mark.parametrize("steps", ["300", "500"])
def test_shock_is_where_sedov_has_it(app, steps):
    ended = app.native("--size", "64", "--steps", steps, "--threads", "1")
    found = re.search(r"shock at ([\d.]+), Sedov's at ([\d.]+): yes", ended.out)
    assert found, ended.out
    assert float(found[1]) == pytest.approx(float(found[2]), rel=0.05, abs=1 / 64)


def test_a_blast_that_has_met_the_walls_conserves_energy(app):
    ended = app.native("--size", "16", "--steps", "1500", "--threads", "1")
    assert ended.status == 0, ended
    assert "not compared" in ended.out


def test_smallest_input_is_verified(app):
    assert "verified: yes" in app.native("--size", "4", "--steps", "1").out


@pytest.mark.parametrize(
    ("sentence", "arguments"),
    [
        ("--size: Value 3 not in range", ("--size", "3")),
        ("--steps: Value 0 not in range", ("--steps", "0")),
        ("--size", ("--size", "large")),
        ("--threads: Value 0 not in range", ("--threads", "0")),
        ("--steps", ("--steps",)),
        ("--speed", ("--speed", "1")),
        ("file", ("file",)),
    ],
)
def test_bad_options_are_refused_by_name(app, sentence, arguments):
    app.refuses(sentence, *arguments)


def test_nothing_of_ours_is_in_it(app):
    app.has_nothing_of_ours()
