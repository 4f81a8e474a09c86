"""Is each kind of input behind one call of LB_HM_config learnt and planned for by itself?"""

import pytest

NAMES = {"name": ["even", "odd"], "number": [str(1 << 40), "-7"], "not": ["", "2"], "taken back": ["", "2"]}


@pytest.fixture(params=NAMES)
def run(request, runner):
    """(how the program says it, its report): twelve instances, of two kinds in turn."""
    outcome = runner.run("two_kinds", request.param, machine="optane", policy="merchandiser-once", fast_capacity="1M")
    assert (outcome.status, outcome.stderr) == (0, "")
    return request.param, outcome.report


def test_a_kind_is_learnt_by_itself(run):
    how, report = run
    even, odd = NAMES[how]
    kinds = [plan["kind"] for plan in report["plans"]]
    # All but the first instance of a kind have a plan. Kinds that are found are told apart from the fifth input on.
    first = [even, odd, even] if how in ("name", "number") else [even] * 4
    assert kinds == [*first, *([odd] if how in ("name", "number") else []), even, odd, even, odd, even, odd]


def test_the_first_instance_of_a_kind_is_not_planned_by_the_other(run):
    how, report = run
    base = 1 if how in ("name", "number") else 5
    assert all(plan["instance"] > 0 for plan in report["plans"])
    assert all(task["predicted_ns"] is None for task in report["regions"][base]["tasks"])


def test_predictions_are_of_the_kind(run):
    """The large array is another lane's in each."""
    for region in run[1]["regions"][6:]:
        first, second = (task["predicted_ns"] for task in region["tasks"])
        assert (first > 2 * second) if region["instance"] % 2 == 0 else (second > 2 * first)


def test_a_program_that_names_kinds_runs_without_us(runner):
    assert runner.run("two_kinds", "name", library=None).status == 0
