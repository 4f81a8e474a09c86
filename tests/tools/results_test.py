"""Are results compared, and not the times that programs print beside them?"""

import json

import pytest

from lbhm.errors import Refusal
from lbhm.other_clock import slow_down
from lbhm.repeatable import Printed, Repeatable
from lbhm.report import validator
from lbhm.results import results
from lbhm.verdict import check_verdict

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
    assert "'sum 8 of 7 rows, #' under lbhm. A second run under lbhm printed the same again" in done.stderr
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
        ("fast enough", "slow", "#"),
        ("no number", "no number", "no number"),
    ],
)
def test_what_is_left_of_a_line(one, other, kept):
    run = Printed.of(one)
    left_out = Repeatable(run, [Printed.of(other)]).left_out(run)
    assert left_out == ([(1, kept)] if kept != one else [])


def compared(policies: dict[str, str], *others: str):
    """The results, where the reference printed the others with other clocks."""
    asked = [lambda other=other: other.encode() for other in others]
    return results({policy: text.encode() for policy, text in policies.items()}, None, asked)


def differing(reference: str, policy: str, *others: str) -> list[tuple[str | None, str | None]]:
    found = compared({"slow-only": reference, "lbhm": policy}, *others).differences()
    return [(difference["expected"], difference["found"]) for difference in found]


def test_a_number_that_is_a_time_in_one_line_is_one_in_all_lines_of_its_form():
    """Intervals shorter than a tick: which of them shows a tick is luck."""
    interval = "phase {}: {} s\n"
    reference = "".join(interval.format(at, "0.000000") for at in range(8))
    other = reference.replace("3: 0.000000", "3: 0.000001")
    policy = reference.replace("6: 0.000000", "6: 0.000001")
    assert differing(reference, policy, other) == []
    assert differing(reference, policy.replace("phase 5", "phase 6"), other) == [("phase 5: #", "phase 6: #")]


def test_rows_of_numbers_alone_are_not_taken_together():
    """Two tables may look alike, one of times and one of results."""
    assert differing("1 0.5\n2 0.7\n", "1 0.5\n2 0.8\n", "1 0.4\n2 0.7\n") == [("2 0.7", "2 0.8")]


@pytest.mark.parametrize(
    ("reference", "policy", "other"),
    [
        ("lookups/s: 12,959\n", "lookups/s: 1,234,567\n", "lookups/s: 999\n"),
        ("elapsed......0.25\n", "elapsed......0.17\n", "elapsed......0.91\n"),
        ("finish 0.00 %\n", "finish 0.01 %\n", "finish 0.03 %\n"),
        ("a 1 done\rb 2 done\nsum 7\n", "b 1 done\ra 2 done\nsum 7\n", "b 1 done\ra 2 done\nsum 7\n"),
        ("10 %\n50 %\nsum 7\n", "10 %\n20 %\n90 %\nsum 7\n", "10 %\nsum 7\n"),
    ],
)
def test_times_in_any_dress_and_progress_are_no_difference(reference, policy, other):
    assert differing(reference, policy, other) == []


def test_lines_in_the_order_of_threads_are_compared_in_any_order():
    lines = [f"thread {at} has {at * at} rows\n" for at in range(4)]
    reference, other, policy = (
        "".join(lines[at] for at in order) for order in ((0, 1, 2, 3), (2, 0, 3, 1), (3, 1, 0, 2))
    )
    assert differing(reference, policy, other) == []
    wrong = policy.replace("has 9", "has 8")
    assert differing(reference, wrong, other) == [("thread # has # rows: 0 1 4 9", "thread # has # rows: 0 1 4 8")]


def test_a_wrong_word_beside_progress_is_found():
    reference, other = "10 %\n50 %\nPASSED\n", "10 %\n30 %\n60 %\nPASSED\n"
    assert differing(reference, reference.replace("PASSED", "FAILED"), other)[0][0] == "PASSED"


def test_the_place_of_a_difference_in_a_long_line_is_quoted():
    line = "row " + " ".join(str(at) for at in range(100, 160))
    found = compared({"slow-only": line, "lbhm": line.replace(" 150 ", " 151 ")}, line, line, line)
    with pytest.raises(Refusal) as told:
        check_verdict({"command": ["./a"], "failed": [], "result": found.json()})
    assert told.value.status == 1
    assert "in 4 runs of it" in told.value.sentence
    assert "148 149 150 151" in told.value.sentence
    assert "148 149 151 151" in told.value.sentence


@pytest.mark.parametrize(
    ("second", "said"), [(b"sum 8", "this is a bug of LB-HM"), (b"sum 9", "changes from run to run by itself")]
)
def test_lb_hm_is_blamed_for_what_a_second_run_repeats(second, said):
    found = compared({"slow-only": "sum 7", "lbhm": "sum 8"}, "sum 7", "sum 7", "sum 7")
    found.ask_twice(lambda _: second)
    with pytest.raises(Refusal, match=said):
        check_verdict({"command": ["./a"], "failed": [], "result": found.json()})


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
