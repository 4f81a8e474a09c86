"""Is multiphase right, and the same everywhere?"""

import pytest

NAME = "multiphase"
SMALL = ("--size", "32", "--phases", "8")


def test_result_is_verified_and_the_same_everywhere(app):
    app.verifies_everywhere()


def test_checksum_depends_on_the_input(app):
    runs = [app.native(), app.native("--size", "33"), app.native("--phases", "9"), app.native("--seed", "2")]
    assert len({run.checksum for run in runs}) == len(runs)


def test_smallest_input_is_verified(app):
    ended = app.native("--buffers", "3", "--size", "8", "--phases", "1", "--kernels", "1", "--rounds", "1")
    assert "verified: yes" in ended.out


@pytest.mark.parametrize(
    ("sentence", "arguments"),
    [
        ("--buffers: Value 2 not in range", ("--buffers", "2")),
        ("--size: Value 3 not in range", ("--size", "3")),
        ("--phases", ("--phases", "many")),
        ("file", ("file",)),
    ],
)
def test_bad_options_are_refused_by_name(app, sentence, arguments):
    app.refuses(sentence, *arguments)
