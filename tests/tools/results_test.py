"""Are results compared, and not the times that programs print beside them?"""

import json

import pytest

from lbhm.base.errors import Refusal
from lbhm.compare.other_clock import slow_down
from lbhm.compare.printed import Printed
from lbhm.compare.repeatable import Repeatable
from lbhm.compare.results import Results
from lbhm.compare.verdict import check_verdict
from lbhm.files.report import validator

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
    assert (
        "with the clock or with the order of threads (#): line 2 'took #', line 3 'sum 42 of 7 rows, #'; --result"
        in done.stdout
    )


def test_a_ratio_of_times_is_left_out(compare):
    done, result = compare((), "ratio")
    assert done.returncode == 0, done.stderr
    assert result["result"]["left_out"] == [{"line": 2, "text": "speed-up #"}]


def test_a_result_that_differs_beside_times_is_found(compare):
    done, result = compare((), "times", "lbhm")
    assert done.returncode == 1
    assert "RESULTS DIFFER between slow-only and lbhm: line 3 is 'sum 42 of 7 rows, #' under slow-only (" in done.stderr
    assert "'sum 8 of 7 rows, #' under lbhm. All runs under lbhm agreed, too" in done.stderr
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
        "reference_runs": 1,
        "differences": [],
    }
    done, result = compare(("--result", r"^sum \d+"), "times", "lbhm")
    assert done.returncode == 1
    assert result["result"]["differences"] == [
        {"policy": "lbhm", "part": 1, "line": 1, "expected": "sum 42", "found": "sum 8", "repeated": True},
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
    """1 would say that they are not."""
    done, result = compare((), "times", "nobody", "1")
    assert done.returncode == 3
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
        ("fast enough", "slow", "# #"),
        ("took 1m02s, n 3", "took 59s, n 3", "took #, n 3"),
        ("fast path, n 3", "slow path, n 3", "# path, n 3"),
        ("work ..... 7", "work ... 7", "work # 7"),
        ("\x1b[32m0.25\x1b[0m n 3", "\x1b[32m0.75\x1b[0m n 3", "\x1b[32m#\x1b[0m n 3"),
        ("no number", "no number", "no number"),
    ],
)
def test_what_is_left_of_a_line(one, other, kept):
    found = Results({"slow-only": [one.encode(), other.encode()], "lbhm": [one.encode()]}, None)
    assert found.left_out() == ([(1, kept)] if kept != one else [])


def differing(reference: list[str], policy: list[str]) -> list[tuple[str | None, str | None]]:
    """What differs between runs of the reference and of a policy."""
    found = Repeatable([Printed.of(run) for run in reference], [Printed.of(run) for run in policy])
    return [(one.expected, one.found) for one in found.differences]


def wrong(run: str, right: str, digit: str) -> str:
    assert run.count(right) == 1
    return run.replace(right, digit)


def test_which_interval_shows_a_tick_is_luck():
    interval = "phase {}: {} s\n"
    even = "".join(interval.format(at, "0.000000") for at in range(8))
    three, five, six = (even.replace(f"{at}: 0.000000", f"{at}: 0.000001") for at in (3, 5, 6))
    assert differing([even, three], [six, five]) == []
    other_word = [run.replace("phase 4", "phase four") for run in (six, five)]
    assert differing([even, three], other_word) == [("phase 4: 0.000000 s", "phase four: 0.000000 s")]


def test_a_column_that_mostly_changes_is_one_of_times():
    """Of few digits, some look the same in all runs of one group."""
    runs = [
        "".join(f"phase {at}: {own[at]} s, n {at}\n" for at in range(4)) for own in ("1234", "2344", "2243", "3352")
    ]
    assert differing(runs[:2], runs[2:]) == []
    assert differing(runs[:2], [wrong(run, "n 2", "n 3") for run in runs[2:]]) == [
        ("phase 2: #, n 2", "phase 2: #, n 3")
    ]


def test_a_time_says_nothing_of_a_result_under_another_heading():
    run = "Times\n value: {}\n total: {}\nResults\n value: {}\n total: {}\n"
    reference, policy = (
        [run.format(1, 2, 5, 7), run.format(2, 3, 5, 7)],
        [run.format(3, 4, 5, 8), run.format(4, 5, 5, 8)],
    )
    assert differing(reference, policy) == [("total: 7", "total: 8")]


def test_rows_of_numbers_alone_are_not_taken_together():
    """Two tables may look alike, one of times and one of results."""
    assert differing(["1 0.5\n2 0.7\n", "1 0.4\n2 0.7\n"], ["1 0.5\n2 0.8\n"] * 2) == [("2 0.7", "2 0.8")]


@pytest.mark.parametrize(
    ("reference", "policy"),
    [
        (("lookups/s: 12,959", "lookups/s: 999"), ("lookups/s: 1,234,567", "lookups/s: 999,999")),
        (("elapsed......0.25", "elapsed......0.91"), ("elapsed......0.17", "elapsed......1.03")),
        (("finish 0.00 %", "finish 0.03 %"), ("finish 0.01 %", "finish 0.01 %")),
        (("a 1 done\rb 2 done", "b 2 done\ra 1 done"), ("b 2 done\ra 1 done", "b 2 done\ra 1 done")),
        (("10 %\n50 %", "10 %"), ("10 %\n20 %\n90 %", "10 %\n20 %\n90 %")),
        (("1.2 ms", "1.3 ms"), ("980 us", "970 us")),
        (("1m02s", "1m04s"), ("58s", "59s")),
        ((".....", "......."), ("..", "..")),
        (("first: thread 0", "first: thread 1"), ("first: thread 2", "first: thread 2")),
        (("0.30000000000000004", "0.30000000000000010"), ("0.2999999999999999", "0.2999999999999998")),
        (("first: thread 0", "first: thread 0"), ("first: thread 1", "first: thread 0")),
    ],
)
def test_times_order_and_progress_are_no_difference_and_hide_none(reference, policy):
    head, end = "rows 7 of 9\n", "\nsum 42 of 8\n"
    expected, found = [head + run + end for run in reference], [head + run + end for run in policy]
    assert differing(expected, found) == []
    assert differing(expected, [wrong(run, "7 of", "8 of") for run in found]) == [("rows 7 of 9", "rows 8 of 9")]
    assert differing(expected, [wrong(run, "42", "43") for run in found]) == [("sum 42 of 8", "sum 43 of 8")]


def test_the_first_digits_of_rounded_numbers_are_compared():
    reference, policy = ["sum 1234.5678901", "sum 1234.5678904"], ["sum 1234.5678902", "sum 1234.5678906"]
    assert differing(reference, policy) == []
    assert differing(reference, [run.replace("56", "57") for run in policy]) == [
        ("sum 1234.5678901", "sum 1234.5778902")
    ]


def test_a_number_that_changes_is_one_in_all_runs():
    assert differing(["left 0.3", "left 0.4"], ["left -nan", "left nan"]) == [("left 0.3", "left -nan")]


def test_lines_in_the_order_of_threads_are_compared_in_any_order():
    lines = [f"thread {at} has {at * at} rows\n" for at in range(4)]
    reference, other, policy = (
        "".join(lines[at] for at in order) for order in ((0, 1, 2, 3), (2, 0, 3, 1), (3, 1, 0, 2))
    )
    assert differing([reference, other], [policy] * 2) == []
    rows = "thread # has # rows"
    assert differing([reference, other], [wrong(policy, "has 9", "has 8")] * 2) == [
        (f"{rows}: 0 1 4 9", f"{rows}: 0 1 4 8")
    ]


def test_a_wrong_word_beside_progress_is_found():
    reference, other = "10 %\n50 %\nPASSED\n", "10 %\n30 %\n60 %\nPASSED\n"
    assert differing([reference, other], [wrong(reference, "PASSED", "FAILED")] * 2)[0][0] == "PASSED"


def test_a_line_more_or_less_is_found():
    run = "rows 7\nleft 3\nsum 8\n"
    assert differing([run] * 2, [wrong(run, "left 3\n", "")] * 2) == [("left 3", None)]
    assert differing([run] * 2, [wrong(run, "sum 8\n", "sum 8\nsum 8\n")] * 2) == [(None, "sum 8")]
    assert differing([run] * 2, ["left 3\nrows 7\nsum 8\n"] * 2) == [("rows 7", "left 3")]


def verdict(found: Results) -> Refusal:
    with pytest.raises(Refusal) as told:
        check_verdict({"command": ["./a"], "failed": [], "result": found.json()})
    return told.value


def test_the_place_of_a_difference_in_a_long_line_is_quoted():
    line = "row " + " ".join(str(at) for at in range(100, 160))
    found = Results({"slow-only": [line.encode()] * 4, "lbhm": [wrong(line, " 150 ", " 151 ").encode()]}, None)
    told = verdict(found)
    assert told.status == 1
    assert "in 4 runs of it" in told.sentence
    assert "148 149 150 151" in told.sentence
    assert "148 149 151 151" in told.sentence


def ask_again(found: Results, printed, times: int) -> None:
    """printed: what a policy prints the n-th time."""
    found.ask_again(lambda policies, number: {policy: printed(policy, number) for policy in policies}, times)


def test_lb_hm_is_blamed_for_what_all_runs_of_a_policy_print():
    found = Results({"slow-only": [b"sum 7"], "lbhm": [b"sum 8"]}, None)
    assert "a bug of LB-HM" not in verdict(found).sentence, "one run of each says little"
    ask_again(found, lambda policy, _: b"sum 7" if policy == "slow-only" else b"sum 8", 3)
    assert "this is a bug of LB-HM" in verdict(found).sentence


def test_what_a_second_run_of_the_policy_does_not_repeat_is_luck():
    found = Results({"slow-only": [b"first 7"], "lbhm": [b"first 8"]}, None)
    ask_again(found, lambda policy, number: b"first 7" if policy == "slow-only" or number else b"first 9", 3)
    assert (found.differences(), found.left_out()) == ([], [(1, "first #")])


def test_only_who_differs_runs_again_and_no_longer_than_it_does():
    found = Results({"slow-only": [b"0.3 s"], "first-touch": [b"0.3 s"], "lbhm": [b"0.2 s"]}, None)
    asked = []
    ask_again(found, lambda policy, number: asked.append((policy, number)) or b"0.9 s", 3)
    assert asked == [("slow-only", 0), ("lbhm", 0)]
    assert len({found.checksum(policy) for policy in ("slow-only", "first-touch", "lbhm")}) == 1


def test_a_slower_machine_has_slower_memories():
    tier = {"latency_random_ns": 80, "read_bandwidth_gb_per_s": {"value": 30}}
    tier |= {"copy_bandwidth_gb_per_s": {"value": 45}, "curves": {"rows": [{"bandwidth_gb_per_s": 30}]}}
    machine = {"core": {"frequency_ghz": {"value": 3}}, "tiers": [tier]}
    slow_down(machine, 3)
    slower = {"latency_random_ns": 240, "read_bandwidth_gb_per_s": {"value": 10}}
    slower |= {"copy_bandwidth_gb_per_s": {"value": 15}, "curves": {"rows": [{"bandwidth_gb_per_s": 10}]}}
    assert machine == {"core": {"frequency_ghz": {"value": 1}}, "tiers": [slower]}


@pytest.mark.parametrize(
    ("first", "second", "again", "left"),
    [
        (b"", b"", b"", "nothing printed"),
        (b"\n", b"\n", b"\n", "nothing printed"),
        (b"1.5 s\n", b"1.7 s\n", b"4.5 s\n", "nothing"),
        (b"took 1.5 s\n", b"took 1.7 s\n", b"took 4.5 s\n", "words"),
        (b"sum 0.3000000001\n", b"sum 0.3000000002\n", b"sum 0.3000000003\n", "rounded"),
        (b"done\n", b"done\n", b"done\n", None),
        (b"7 rows, 1.5 s\n", b"7 rows, 1.7 s\n", b"7 rows, 4.5 s\n", None),
        (b"checksum: 1\n", b"checksum: 1\n", b"", None),
    ],
)
def test_what_is_left_to_compare(first, second, again, left):
    found = Results({"slow-only": [first], "lbhm": [second]}, None)
    ask_again(found, lambda policy, _: again, 1)
    assert found.json()["left"] == left
    assert found.differences() == []
