"""Is amg right, the same everywhere, and a program without anything of ours?"""

import re

import pytest

NAME = "amg"
SMALL = ("--size", "12", "--steps", "1")


def test_result_is_verified_and_the_same_everywhere(app):
    app.verifies_everywhere()


def test_checksum_depends_on_the_input(app):
    runs = [app.native(), app.native("--size", "13"), app.native("--points", "7"), app.native("--seed", "2")]
    runs.append(app.native("--steps", "2"))
    assert len({run.checksum for run in runs}) == len(runs)


@pytest.mark.parametrize("points", ["7", "27"])
def test_iterations_are_nearly_those_of_a_small_grid(app, points):
    """Without its coarser levels conjugate gradients would need twice as many on a grid of twice the points a side."""
    ended = app.native("--points", points, "--size", "40")
    coarse, fine = map(int, re.search(r"^iterations (\d+) and (\d+)", ended.out, re.MULTILINE).groups())
    assert "verified: yes" in ended.out
    assert fine <= min(coarse + 2, 20)


def test_matrices_of_the_hierarchy_are_small(app):
    lines = re.findall(r"^ +40 +0 +64000 +(\d+) +([\d.]+)", app.native("--size", "40").out, re.MULTILINE)
    [(levels, complexity)] = lines
    assert int(levels) == 3
    assert float(complexity) < 1.5


@pytest.mark.parametrize(
    ("sentence", "arguments"),
    [
        ("--size: '11' must be a whole number from 12 to 256", ("--size", "11")),
        ("--steps: '0' must be a whole number", ("--steps", "0")),
        ("--points: 9 must be 7 or 27", ("--points", "9")),
        ("--size: '4k' must be a whole number", ("--size=4k",)),
        ("--threads: '0' must be a whole number from 1 to 1024", ("--threads", "0")),
        ("--seed: a value must follow", ("--seed",)),
        ("unknown option '--speed'", ("--speed", "1")),
        ("unknown option '-x'", ("-x",)),
        ("unknown option 'file'", ("file",)),
    ],
)
def test_bad_options_are_refused_by_name(app, sentence, arguments):
    app.refuses(sentence, *arguments)


def test_nothing_of_ours_is_in_it(app):
    app.has_nothing_of_ours()
