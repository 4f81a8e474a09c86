"""Is nbody right, the same everywhere, and a program without anything of ours?"""

import re

import pytest

NAME = "nbody"
SMALL = ("--bodies", "1000", "--steps", "1")


def test_result_is_verified_and_the_same_everywhere(app):
    app.verifies_everywhere()


def test_checksum_depends_on_the_input(app):
    runs = [app.native(), app.native("--bodies", "1001"), app.native("--steps", "2"), app.native("--seed", "2")]
    assert len({run.checksum for run in runs}) == len(runs)


def test_a_cluster_lasts(app):
    assert "verified: yes" in app.native("--steps", "40").out


def test_energy_is_that_of_plummers_model(app):
    """3 pi / 64, but for what lies beyond ten radii, and for the softening."""
    ended = app.native("--bodies", "20000")
    assert float(re.search(r"^energy -([\d.]+)$", ended.out, re.MULTILINE)[1]) == pytest.approx(0.1473, rel=0.05)


def test_forces_have_fewer_terms_than_pairs(app):
    terms = [
        int(re.search(r"terms of forces: (\d+)", app.native("--bodies", bodies).out)[1]) for bodies in ("2000", "16000")
    ]
    assert terms[1] / terms[0] < 16  # eight times as many bodies: 64 times as many pairs


@pytest.mark.parametrize("arguments", [("--bodies", "500"), ("--seed", "0")])
def test_small_inputs_are_verified(app, arguments):
    assert "verified: yes" in app.native(*arguments).out


@pytest.mark.parametrize(
    ("sentence", "arguments"),
    [
        ("--bodies: Value 499 not in range", ("--bodies", "499")),
        ("--steps: Value 0 not in range", ("--steps", "0")),
        ("--bodies", ("--bodies", "many")),
        ("--threads: Value 0 not in range", ("--threads", "0")),
        ("--seed", ("--seed",)),
        ("--speed", ("--speed", "1")),
        ("file", ("file",)),
    ],
)
def test_bad_options_are_refused_by_name(app, sentence, arguments):
    app.refuses(sentence, *arguments)


def test_nothing_of_ours_is_in_it(app):
    app.has_nothing_of_ours()
