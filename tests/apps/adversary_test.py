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


@pytest.mark.parametrize("seed", range(12))
def test_the_default_policy_loses_no_more_than_its_account_holds(tmp_path, seed):
    """Two exchanges of fast memory and 2 % of the time (docs/lbhm.md), and one exchange more, for what is lost between
    two looks and because samples of so short a run are few."""
    compared = tmp_path / "compared.json"
    options = ["--machine", "optane", "--fast", "25%", "--heap", "--threads", "12", "--json", compared]
    program = [BIN / "adversary-emu", "--seed", str(seed), "--mib", "8", "--kloads", "1000"]
    words = ["./lbhm", "compare", *options, "--policies", "first-touch,lbhm", "--", *program]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    found = json.loads(compared.read_text())
    first_touch, lbhm = (run["makespan_ns"] for run in found["runs"])
    slow = json.loads((ROOT / "emulator" / "presets" / "optane.json").read_text())["tiers"][-1]
    exchange = sum(
        found["fast_capacity_bytes"] / slow[f"{way}_bandwidth_gb_per_s"]["value"] for way in ("read", "write")
    )
    assert lbhm <= 1.02 * first_touch + 3 * exchange


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
