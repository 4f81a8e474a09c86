"""Are the programs that are made to harm policies right, and does the default policy lose little on them?"""

import json
import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
BIN = Path(os.environ.get("LBHM_BUILD", ROOT / "build" / "release")) / "bin"
NAME = "adversary"
SMALL = ("--mib", "1", "--kloads", "96")


@pytest.mark.parametrize("seed", range(6))
def test_result_is_verified_and_the_same_everywhere(app, seed):
    first = app.native("--threads", "1", "--seed", str(seed))
    assert "verified: yes" in first.out
    for threads in ("5", "12"):
        assert app.native("--threads", threads, "--seed", str(seed)).out == first.out


def test_result_is_the_same_on_the_emulated_machine(app):
    app.verifies_everywhere()


def test_what_is_drawn_depends_on_the_seed(app):
    said = [app.native("--seed", str(seed)).out.splitlines()[0] for seed in range(18)]
    assert {line.split(":")[0] for line in said} == {"even", "streams", "swaps", "flees", "tables", "prelude"}
    assert len(set(said)) > 12


@pytest.mark.parametrize(
    ("sentence", "arguments"),
    [("--mib: Value 0 not in range", ("--mib", "0")), ("--seed", ("--seed", "many")), ("file", ("file",))],
)
def test_bad_options_are_refused_by_name(app, sentence, arguments):
    app.refuses(sentence, *arguments)
