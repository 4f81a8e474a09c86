"""Are results compared, and not the times that programs print beside them?"""

import json

import pytest

from lbhm.clock_numbers import clock_numbers
from lbhm.other_clock import slow_down
from lbhm.report import validator
from lbhm.results import results

POLICIES = ("--policies", "slow-only,first-touch,lbhm")


@pytest.fixture
def compare(lbhm, tmp_path):
    """compare(options, words): what ended, and the JSON."""

    def run(options: tuple[str, ...], *words: str):
        target = tmp_path / "compare.json"
        done = lbhm("compare", *POLICIES, *options, "--json", str(target), "--", "./good", *words)
        result = json.loads(target.read_text()) if target.exists() else None
        if result:
            validator("compare").validate(result)
        return done, result

    return run


def test_times_are_left_out_and_named(compare):
    done, result = compare((), "times")
    assert done.returncode == 0, done.stderr
    assert result["result"]["compared"] == "output without clock"
    assert result["result"]["left_out"] == [
        {"line": 2, "text": "took #"},
        {"line": 3, "text": "sum 42 of 7 rows, #"},
    ]
    assert len({run["checksum"] for run in result["runs"]}) == 1
    assert "changes with the clock (#): line 2 'took #', line 3 'sum 42 of 7 rows, #'; --result" in done.stdout


def test_a_ratio_of_times_is_left_out(compare):
    done, result = compare((), "ratio")
    assert done.returncode == 0, done.stderr
    assert result["result"]["left_out"] == [{"line": 2, "text": "speed-up #"}]


def test_a_result_that_differs_beside_times_is_found(compare):
    done, result = compare((), "times", "lbhm")
    assert done.returncode == 1
    assert "RESULTS DIFFER between slow-only and lbhm: line 3 is 'sum 42 of 7 rows, #' under slow-only, 'sum 8" in (
        done.stderr
    )
    assert [difference["policy"] for difference in result["result"]["differences"]] == ["lbhm"]
    assert "first-touch" in done.stdout


def test_the_first_policy_has_the_other_result(compare):
    """Times of the reference alone tell what to leave out, so it must not matter which policy is wrong."""
    done, _ = compare((), "times", "slow-only")
    assert done.returncode == 1
    assert "between slow-only and first-touch, lbhm" in done.stderr


def test_a_pattern_says_what_the_result_is(compare):
    done, result = compare(("--result", r"sum (\d+) of (\d+)"), "times")
    assert done.returncode == 0, done.stderr
    assert result["result"] == {
        "pattern": r"sum (\d+) of (\d+)",
        "compared": "matches",
        "left": None,
        "left_out": [],
        "reference": "slow-only",
        "differences": [],
    }
    done, result = compare(("--result", r"^sum \d+"), "times", "lbhm")
    assert done.returncode == 1
    assert result["result"]["differences"] == [
        {"policy": "lbhm", "part": 1, "expected": "sum 42", "found": "sum 8"},
    ]


def test_patterns_that_say_nothing(compare):
    done, _ = compare(("--result", "sum ("), "times")
    assert done.returncode == 2
    assert done.stderr.startswith("lbhm: --result 'sum (': it is no regular expression")
    done, _ = compare(("--result", "total"), "times")
    assert done.returncode == 2
    assert "--result 'total': nothing that ./good printed" in done.stderr
    assert done.stderr.endswith("took   1.25 s\nsum 42 of 7 rows, 2.4 GB/s\n")


def test_status_of_the_program_when_its_results_are_the_same(compare):
    done, result = compare((), "times", "nobody", "1")
    assert done.returncode == 1
    assert "the program ended with exit status 1 under policies slow-only, first-touch, lbhm" in done.stderr
    assert result["result"]["differences"] == []


@pytest.mark.parametrize(
    ("one", "other", "kept"),
    [
        ("time 1.5 s, n 3", "time 980 us, n 3", "time #, n 3"),
        ("a,17,0.25", "a,17,3e-05", "a,17,#"),
        ("12:30:01 done", "12:31:59 done", "# done"),
        ("thread3 5", "thread3 6", "thread3 #"),
        ("range 3-5 x2", "range 3-7 x2", "range 3-# x2"),
        ("nan rows", "-1.0 rows", "# rows"),
        ("at 0x7ffe10", "at 0x7ffe2f", "at #"),
        ("fast enough", "slow", "#"),
        ("no number", "no number", "no number"),
    ],
)
def test_what_is_left_of_a_line(one, other, kept):
    assert clock_numbers([one], [other]).without([one]) == [kept]


def test_lines_that_come_and_go_tell_nothing():
    assert clock_numbers(["a", "b"], ["a"]) is None


def test_a_slower_machine_has_slower_memories():
    tier = {"latency_random_ns": 80, "read_bandwidth_gb_per_s": {"value": 30}}
    machine = {"core": {"frequency_ghz": {"value": 3}}, "tiers": [tier]}
    slow_down(machine, 3)
    slower = {"latency_random_ns": 240, "read_bandwidth_gb_per_s": {"value": 10}}
    assert machine == {"core": {"frequency_ghz": {"value": 1}}, "tiers": [slower]}


def test_a_time_of_few_digits_is_found_on_the_second_slower_machine():
    """On the first one it looks as under the reference."""
    printed = {"slow-only": b"sum 7, 0.003 s\n", "lbhm": b"sum 7, 0.002 s\n"}
    found = results(printed, None, [lambda: b"sum 7, 0.003 s\n", lambda: b"sum 7, 0.021 s\n"])
    assert (found.left_out, found.differences()) == ([(1, "sum 7, #")], [])


def test_the_second_slower_machine_is_not_asked_where_one_is_enough():
    printed = {"slow-only": b"0.3 s\n", "lbhm": b"0.2 s\n"}
    assert results(printed, None, [lambda: b"0.9 s\n", lambda: pytest.fail("asked")]).differences() == []


@pytest.mark.parametrize(
    ("first", "second", "again", "left"),
    [
        (b"", b"", b"", "nothing printed"),
        (b"\n", b"\n", b"\n", "nothing printed"),
        (b"1.5 s\n", b"1.7 s\n", b"4.5 s\n", "nothing"),
        (b"took 1.5 s\n", b"took 1.7 s\n", b"took 4.5 s\n", "words"),
        (b"done\n", b"done\n", b"done\n", None),
        (b"7 rows, 1.5 s\n", b"7 rows, 1.7 s\n", b"7 rows, 4.5 s\n", None),
        (b"checksum: 1\n", b"checksum: 1\n", b"", None),
    ],
)
def test_what_is_left_to_compare(first, second, again, left):
    found = results({"slow-only": first, "lbhm": second}, None, [lambda: again])
    assert found.json()["left"] == left
    assert found.differences() == []
