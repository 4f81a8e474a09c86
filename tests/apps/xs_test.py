"""Is xs right, the same everywhere, and a program without anything of ours?"""

import pytest

NAME = "xs"
SMALL = ("--nuclides", "12", "--points", "600", "--histories", "3000")


def test_result_is_verified_and_the_same_everywhere(app):
    app.verifies_everywhere()


def test_checksum_depends_on_the_input(app):
    runs = [app.native(), app.native("--seed", "2"), app.native("--histories", "3001"), app.native("--points", "601")]
    assert len({run.checksum for run in runs}) == len(runs)


@pytest.mark.parametrize("arguments", [("--nuclides", "2"), ("--points", "16"), ("--histories", "1")])
def test_smallest_inputs_are_verified(app, arguments):
    assert "verified: yes" in app.native(*arguments).out


@pytest.mark.parametrize(
    ("sentence", "arguments"),
    [
        ("--points: '15' must be a whole number from 16 to 10000000", ("--points", "15")),
        ("--histories: '-1' must be a whole number", ("--histories", "-1")),
        ("--nuclides: '8k' must be a whole number", ("--nuclides=8k",)),
        ("--threads: '0' must be a whole number from 1 to 1024", ("--threads", "0")),
        ("--seed: a value must follow", ("--seed",)),
        ("unknown option '--speed'", ("--speed", "1")),
        ("unknown option '-x'", ("-x",)),
        ("unknown option 'file'", ("file",)),
    ],
)
def test_bad_options_are_refused_by_name(app, sentence, arguments):
    app.refuses(sentence, *arguments)


def test_short_memory_is_an_error_with_advice(app):
    ended = app.native("--nuclides", "10000", "--points", "10000000")
    assert ended.status == 1
    assert "not enough memory. Use fewer --nuclides or --points" in ended.err


def test_nothing_of_ours_is_in_it(app):
    app.has_nothing_of_ours()
