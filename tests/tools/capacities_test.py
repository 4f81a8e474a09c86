"""What does lbhm compare say of several amounts of fast memory?"""

from __future__ import annotations

import json

import pytest

from lbhm.files.report import validator

POLICIES = "slow-only,merchandiser,lbhm,fast-only"


@pytest.fixture
def compared(lbhm, tmp_path):
    """The run with 50, 10 and 25 %, and its JSON."""
    target = tmp_path / "compare.json"
    done = lbhm("compare", "--fast", "50%, 10%,25%", "--policies", POLICIES, "--json", str(target), "--", "./good")
    assert done.returncode == 0, done.stderr
    return done, json.loads(target.read_text())


def test_there_is_a_comparison_a_capacity_from_the_smallest_on(compared):
    comparisons = compared[1]["comparisons"]
    assert compared[1]["schema"] == "lbhm.capacities/1"
    for comparison in comparisons:
        validator("compare").validate(comparison)
        assert [run["policy"] for run in comparison["runs"]] == POLICIES.split(",")
    assert [comparison["fast_capacity_bytes"] for comparison in comparisons] == [102400, 262144, 524288]
    of_lbhm = [comparison["runs"][2]["fast_capacity_bytes"] for comparison in comparisons]
    assert of_lbhm == [102400, 262144, 524288], "what the program was run with"


def test_what_does_not_depend_on_it_runs_once(compared):
    ran = [line.split()[1] for line in compared[0].stderr.splitlines() if line.endswith(" done")]
    assert sorted(ran) == ["fast-only", *["lbhm"] * 3, *["merchandiser"] * 3, "slow-only"]


def test_the_table_has_a_column_each_and_says_what_more_buys(compared):
    text = compared[0].stdout
    head = next(line for line in text.splitlines() if "policy" in line)
    places = [head.index(share) for share in ("9.8 % 100 KiB", "25.0 % 256 KiB", "50.0 % 512 KiB")]
    assert places == sorted(places)
    row = next(line for line in text.splitlines() if "merchandiser" in line)
    assert row.count("2.00 ms 2.00×") == 3
    assert "156 KiB more fast memory (9.8 % to 25.0 %): 0" in text
    assert "256 KiB more fast memory (25.0 % to 50.0 %): 0" in text
    assert max(map(len, text.splitlines())) <= 80


def test_an_amount_that_cannot_be_is_refused_before_the_others_run(lbhm):
    done = lbhm("compare", "--fast", "25%,2M", "--", "./good")
    assert done.returncode == 2
    assert "--fast 2M: all of the program fits into that" in done.stderr
    assert " done" not in done.stderr


@pytest.mark.parametrize(
    ("amounts", "why"),
    [
        ("25%,25.0%", "25.0% is named twice"),
        ("1M,1024K", "1024K is named twice"),
        ("25%,", "--fast 25%,: something is missing behind the comma; without blanks: --fast 25%"),
        ("25%,0%", "--fast 0%: a fast memory of 0 bytes holds nothing"),
    ],
)
def test_what_no_amount_is(lbhm, amounts, why):
    done = lbhm("compare", "--fast", amounts, "--", "./good")
    assert done.returncode == 2
    assert why in done.stderr


def test_run_takes_one(lbhm):
    done = lbhm("run", "--fast", "10%,25%", "--", "./good")
    assert done.returncode == 2
    assert "--fast 10%,25%: one amount is taken here (lbhm compare takes several)" in done.stderr


def test_results_that_differ_under_one_capacity_are_an_error(lbhm, tmp_path):
    target = tmp_path / "compare.json"
    words = ["--policies", "merchandiser", "--json", str(target), "--", "./good", "differ"]
    done = lbhm("compare", "--fast", "25%,50%", *words)
    assert done.returncode == 1
    assert "THE RESULTS DIFFER" in done.stderr
    assert len(json.loads(target.read_text())["comparisons"]) == 2
