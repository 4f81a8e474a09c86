"""Is bwaves right, the same everywhere, and a program without anything of ours?"""

import re
import shutil

import pytest

NAME = "bwaves"
SMALL = ("--size", "12", "--steps", "3")

pytestmark = pytest.mark.skipif(
    not any(map(shutil.which, ("flang-new-19", "flang-19"))), reason="bwaves is not built: install flang-19"
)


def test_result_is_verified_and_the_same_everywhere(app):
    app.verifies_everywhere()


def test_checksum_depends_on_the_input(app):
    runs = [app.native(), app.native("--size", "13"), app.native("--steps", "4")]
    assert len({run.checksum for run in runs}) == len(runs)


@pytest.mark.parametrize("size", ["8", "17", "24"])
def test_blocks_are_the_slopes_and_nothing_is_lost(app, size):
    ended = app.native("--size", size, "--steps", "6")
    assert "verified: yes" in ended.out
    order, lost = (float(re.search(rf"{what} +([\d.E+-]+)", ended.out)[1]) for what in ("the power", "lost"))
    assert order == pytest.approx(2, abs=0.05)
    assert lost < 1e-10


def test_the_gas_comes_to_rest(app):
    """Viscosity takes all motion in a closed box."""
    ended = app.native("--size", "8", "--steps", "120")
    machs = [float(line.split()[2]) for line in ended.out.splitlines() if re.match(r" +\d+ +\d", line)]
    assert "verified: yes" in ended.out
    assert len(machs) == 120
    assert max(machs) > 0.3
    assert machs[-1] < 1e-3


def test_smallest_input_is_verified(app):
    assert "verified: yes" in app.native("--size", "8", "--steps", "1").out


@pytest.mark.parametrize(
    ("sentence", "arguments"),
    [
        ("--size: '7' must be a whole number from 8 to 512", ("--size", "7")),
        ("--steps: '0' must be a whole number", ("--steps", "0")),
        ("--threads: '-1' must be a whole number from 1 to 1024", ("--threads", "-1")),
        ("--size: a value must follow", ("--size",)),
        ("unknown option '--speed'", ("--speed", "1")),
    ],
)
def test_bad_options_are_refused_by_name(app, sentence, arguments):
    app.refuses(sentence, *arguments)


def test_nothing_of_ours_is_in_it(app):
    app.has_nothing_of_ours()
