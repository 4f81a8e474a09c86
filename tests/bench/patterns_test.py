"""Does the benchmark of patterns judge what it sees as a person would?"""

import pytest
from harness.patterns import NO_PATTERN, accesses_of, is_right, judge, summary


def access(kind, stride=8):
    return {"kind": kind, "stride": stride, "place": "app.c:1 f", "in": ("a", 0, 0)}


def trace(steps, number=0, other=0, pages=((0, 1),)):
    executions = sum(times for _, times in steps) + other + 1
    return {
        "access": f"{number:x}",
        "executions": executions,
        "steps": [list(step) for step in steps],
        "other_steps": other,
        "compared": sum(times for _, times in steps) + other,
        "again": max((times for _, times in steps), default=0),
        "pages": [list(run) for run in pages],
    }


@pytest.mark.parametrize(
    ("kind", "stride", "steps", "other", "right"),
    [
        ("stream", 8, [(8, 99), (-800, 1)], 0, True),
        ("stream", 8, [(8, 60), (16, 39)], 0, True),  # conditions skip elements
        ("stream", 8, [(-8, 99)], 0, False),
        ("stream", 8, [(128, 99)], 0, False),
        ("strided", 128, [(256, 99)], 0, False),
        ("stream", 8, [(0, 500), (8, 99)], 0, True),  # it stands still in inner loops
        ("strided", 0, [(4096, 99)], 0, True),  # the length of a row is known at run time only
        ("strided", 0, [(4096, 50), (8, 50)], 0, False),
        ("gather", None, [(8, 10), (-64, 10)], 80, True),
        ("gather", None, [(8, 99)], 0, False),  # the indices were in order: nobody could know, and it is counted
        ("fixed", None, [(0, 99)], 0, True),
        ("fixed", None, [(8, 99)], 0, False),
        ("stencil", 8, [(8, 99)], 0, True),
        ("chase", None, [(32, 20)], 80, True),
    ],
)
def test_patterns_are_right_when_steps_are_theirs(kind, stride, steps, other, right):
    assert is_right(access(kind, stride), trace(steps, other=other)) == right


def test_an_access_that_ran_once_cannot_be_wrong():
    assert is_right(access("stream"), trace([]))


def test_all_accesses_are_accounted_for():
    known = {0: access("stream"), 1: access("unknown"), 2: access("gather")}
    traces = [
        trace([(8, 9_999)], 0, pages=[(0, 10)]),
        trace([], 1, other=4_999, pages=[(10, 5)]),
        trace([(8, 9_999)], 2, pages=[(5, 10)]),
        trace([(0, 2_499)], NO_PATTERN, pages=[(100, 5)]),
    ]
    tally = judge(known, traces)
    assert tally.executions == {"right": 10_000, "wrong": 10_000, "unknown": 5_000, "none": 2_500}
    assert tally.wrong == [(10_000, "gather app.c:1 f")]
    shares = summary([tally])
    assert shares["classified_share"] == pytest.approx(15 / 20)
    assert shares["right_share"] == pytest.approx(0.5)
    assert shares["accesses_classified_share"] == pytest.approx(200 / 275)


def test_accesses_are_numbered_through_a_module():
    nest = {"file": "/x/app.c", "name": "f", "accesses": [{"line": 1, "loop": 0}, {"line": 2, "loop": 1}]}
    found = accesses_of([{"id": "a", "nests": [nest, nest]}])
    assert sorted(found) == [(0xA << 20) + i for i in range(4)]
    assert found[(0xA << 20) + 3]["in"] == ("a", 1, 1)
