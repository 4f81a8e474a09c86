"""Is mc right, the same everywhere, and a program without anything of ours?"""

import re

import pytest

NAME = "mc"
SMALL = ("--shells", "2", "--grid", "24", "--walkers", "16", "--warmup", "2", "--steps", "2")
ENERGY = re.compile(r"^energy +([\d.]+) \+- ([\d.]+), exactly +([\d.]+): yes$", re.MULTILINE)


def test_result_is_verified_and_the_same_everywhere(app):
    app.verifies_everywhere()


def test_checksum_depends_on_the_input(app):
    others = [("--shells", "3"), ("--grid", "25"), ("--walkers", "17"), ("--steps", "3"), ("--seed", "2")]
    runs = [app.native(), *(app.native(*other) for other in others)]
    assert len({run.checksum for run in runs}) == len(runs)


def test_energy_is_nearer_with_more_walkers(app):
    """As the root of their number, and where it should be by a measure of its own: 10 fermions of each spin."""
    found = [
        ENERGY.search(app.native("--shells", "3", "--grid", "48", "--warmup", "10", "--walkers", walkers).out)
        for walkers in ("100", "1600")
    ]
    assert [float(match[3]) for match in found] == [60, 60]
    assert float(found[0][2]) / float(found[1][2]) == pytest.approx(4, rel=0.4)
    assert float(found[1][1]) == pytest.approx(60, abs=0.02)


@pytest.mark.parametrize("shells", ["1", "5"])
@pytest.mark.parametrize("seed", ["1", "7"])
def test_other_shells_and_seeds_are_verified(app, shells, seed):
    assert (
        "verified: yes"
        in app.native("--grid", "40", "--shells", shells, "--seed", seed, "--warmup", "10", "--walkers", "64").out
    )


@pytest.mark.parametrize(
    ("sentence", "arguments"),
    [
        ("--shells: Value 7 not in range", ("--shells", "7")),
        ("--grid: Value 23 not in range", ("--grid", "23")),
        ("--walkers", ("--walkers", "many")),
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
