"""Is sweep right, the same everywhere, and a program without anything of ours?"""

import pytest

NAME = "sweep"
SMALL = ("--size", "6", "--angles", "1", "--groups", "2", "--steps", "1")


def test_result_is_verified_and_the_same_everywhere(app):
    app.verifies_everywhere()


def test_checksum_depends_on_the_input(app):
    others = [("--size", "7"), ("--angles", "3"), ("--groups", "3"), ("--steps", "2")]
    runs = [app.native(), *(app.native(*other) for other in others)]
    assert len({run.checksum for run in runs}) == len(runs)


@pytest.mark.parametrize("arguments", [("--size", "4"), ("--size", "21"), ("--angles", "4"), ("--groups", "1")])
def test_inputs_of_any_size_are_verified(app, arguments):
    """Chunks do not divide 21; one group has nobody to scatter to."""
    ended = app.native("--steps", "3", *arguments)
    assert "verified: yes" in ended.out
    assert "infinite medium to 1e-9: yes" in ended.out


def test_a_source_that_has_not_converged_is_no_success(app):
    ended = app.native("--iterations", "2")
    assert ended.status == 1
    assert "verified: NO" in ended.out
    assert "Allow more --iterations" in ended.err


@pytest.mark.parametrize(
    ("sentence", "arguments"),
    [
        ("--size: Value 3 not in range", ("--size", "3")),
        ("--angles: Value 0 not in range", ("--angles", "0")),
        ("--groups", ("--groups", "many")),
        ("--threads: Value 2000 not in range", ("--threads", "2000")),
        ("--steps", ("--steps",)),
        ("--speed", ("--speed", "1")),
        ("file", ("file",)),
    ],
)
def test_bad_options_are_refused_by_name(app, sentence, arguments):
    app.refuses(sentence, *arguments)


def test_nothing_of_ours_is_in_it(app):
    app.has_nothing_of_ours()
