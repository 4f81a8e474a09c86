"""Work that is dealt to threads anew: is a task that the program names learnt by its name, whichever thread does it?"""

import statistics

import pytest

NUMBERS = [str(i) for i in range(8)]
PIECES = {"name": [f"piece {i}" for i in range(8)], "number": NUMBERS, "explicit": NUMBERS}


def run(runner, how):
    outcome = runner.run("dealt_tasks", how, machine="optane", policy="lbhm", fast_capacity="512K")
    assert (outcome.status, outcome.stderr) == (0, "")
    return outcome


@pytest.fixture(params=PIECES)
def named(request, runner):
    """(names of the pieces, report)"""
    return PIECES[request.param], run(runner, request.param).report


def errors(report):
    """Of the predictions of all tasks that had work."""
    tasks = [task for region in report["regions"][2:] for task in region["tasks"] if task["accesses"] > 100]
    return [abs(task["predicted_ns"] / task["time_ns"] - 1) for task in tasks if task["predicted_ns"]]


def test_tasks_are_reported_by_name(named):
    names, report = named
    for region in report["regions"]:
        assert sorted(task["name"] for task in region["tasks"] if task["name"]) == names
        assert [task["lane"] for task in region["tasks"]] == list(range(2 + len(names)))


def test_what_lanes_did_is_the_named_tasks_alone(named):
    for region in named[1]["regions"]:
        own = sum(task["accesses"] for task in region["tasks"] if task["name"] is None)
        assert own < 0.01 * sum(task["accesses"] for task in region["tasks"])


def test_an_array_is_accessed_by_its_own_task(named):
    names, report = named
    number = {task["name"]: str(task["lane"]) for task in report["regions"][0]["tasks"]}
    for plan in report["plans"][:1]:
        for piece, array in enumerate(plan["objects"]):
            counted = array["counted_by_lane"]
            assert counted[number[names[piece]]] > 0.95 * sum(counted.values())  # the initial thread links it


def test_explicit_tasks_without_names_are_known_by_their_constructs(runner):
    for region in run(runner, "constructs").report["regions"]:
        short, long = sorted((task for task in region["tasks"] if task["name"]), key=lambda task: task["accesses"])
        assert all(task["name"].startswith("dealt_tasks+0x") for task in (short, long))
        assert short["accesses"] == pytest.approx(6 * 8192, rel=0.01)
        assert long["accesses"] == pytest.approx(2 * 65536, rel=0.01)


def test_predictions_are_of_the_task(runner):
    unnamed = statistics.median(errors(run(runner, "not").report))
    for how in [*PIECES, "constructs"]:
        assert statistics.median(errors(run(runner, how).report)) < min(0.05, unnamed / 2), how


def test_a_program_that_names_tasks_runs_without_us(runner):
    assert runner.run("dealt_tasks", "name", library=None).status == 0
