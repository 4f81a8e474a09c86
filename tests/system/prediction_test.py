"""Does the report say how far predictions were off, and which step of the model it was?"""

from math import log
from statistics import mean, median

import pytest

HALF = "8M"  # of the 16 MB of twin_tasks


@pytest.fixture
def report(runner):
    outcome = runner.run("twin_tasks", machine="optane", policy="merchandiser-once", fast_capacity=HALF)
    assert outcome.status == 0, outcome.stderr
    return outcome.report


def predicted(report):
    return [task for region in report["regions"] for task in region["tasks"] if task["predicted_ns"] is not None]


def test_the_parts_add_up_to_the_error(report):
    assert predicted(report)
    for task in predicted(report):
        error = task["error"]
        assert error["total"] == pytest.approx(log(task["predicted_ns"] / task["time_ns"]), abs=1e-6)
        parts = error["counts"] + error["homogeneous"] + error["correlation"]
        assert parts == pytest.approx(error["total"], abs=1e-12)


def test_the_base_instance_has_no_error(report):
    base = report["regions"][0]
    assert [task["error"] for task in base["tasks"]] == [None, None]
    assert base["running_error"] is None


def test_the_summary_is_the_mean_over_all_predicted_tasks(report):
    tasks, summary = predicted(report), report["prediction"]
    assert summary["tasks"] == summary["explained_tasks"] == len(tasks)
    off = mean(abs(task["predicted_ns"] / task["time_ns"] - 1) for task in tasks)
    assert summary["mean_error"] == pytest.approx(off, abs=1e-6)
    assert summary["accuracy"] == pytest.approx(1 - off, abs=1e-6)
    for part in ("counts", "homogeneous", "correlation"):
        assert summary[part] == pytest.approx(mean(abs(task["error"][part]) for task in tasks))


def test_a_few_short_tasks_do_not_decide(report):
    tasks, summary = predicted(report), report["prediction"]
    off = median(abs(task["predicted_ns"] / task["time_ns"] - 1) for task in tasks)
    missed = sum(abs(task["predicted_ns"] - task["time_ns"]) for task in tasks)
    weighted = missed / sum(task["time_ns"] for task in tasks)
    low, high = sorted(abs(task["predicted_ns"] / task["time_ns"] - 1) for task in tasks)[len(tasks) // 2 - 1 :][:2]
    assert 0.99 * low <= summary["median_error"] <= 1.01 * high, off
    assert summary["time_weighted_error"] == pytest.approx(weighted, abs=1e-6)
    assert summary["accuracy_median"] == 1 - summary["median_error"]
    assert summary["accuracy_time_weighted"] == 1 - summary["time_weighted_error"]


def test_running_errors_end_at_the_mean(report):
    assert report["regions"][-1]["running_error"] == pytest.approx(report["prediction"]["mean_error"])
    assert report["plans"][-1]["running_error"] == pytest.approx(report["prediction"]["mean_error"])


def test_pages_that_do_not_move_are_an_error_of_counts(runner, report):
    """The slow lane was promised fast memory."""
    refused = runner.run(
        "twin_tasks",
        library="liblbhm-faulty.so",
        fault="move=EBUSY",
        machine="optane",
        policy="merchandiser-once",
        fast_capacity=HALF,
    ).report
    assert min(task["error"]["counts"] for task in predicted(refused)) < -0.3
    assert max(abs(task["error"]["counts"]) for task in predicted(report)) < 0.05


def test_other_policies_predict_nothing(runner):
    report = runner.run("twin_tasks", machine="optane", policy="first-touch", fast_capacity=HALF).report
    assert report["prediction"] is None
    assert predicted(report) == []
