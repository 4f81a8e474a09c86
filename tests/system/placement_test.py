"""Does the whole loop help? The slow task gets the fast memory, and both finish together."""

import pytest

HALF = "8M"  # of the 16 MB of twin_tasks
QUICK = "0.0625"  # the pace of memory-optimizer in docs/results.md


def run(runner, policy, **more):
    outcome = runner.run("twin_tasks", machine="optane", policy=policy, **({"fast_capacity": HALF} | more))
    assert outcome.status == 0, outcome.stderr
    return outcome


def lane_times(report, instance):
    region = next(r for r in report["regions"] if r["instance"] == instance)
    return [task["time_ns"] for task in region["tasks"]]


def test_every_policy_prints_what_the_plain_program_prints(runner):
    plain = runner.run("twin_tasks_plain", library=None).stdout
    assert runner.run("twin_tasks", library=None).stdout == plain
    for policy in ("slow-only", "fast-only", "first-touch", "merchandiser", "merchandiser-once"):
        assert run(runner, policy).stdout == plain


def test_merchandiser_balances_and_first_touch_does_not(runner):
    """First touch gives the fast memory to the array that was written first: that of the quick lane. At pace 1 the run
    is over before the scans have moved half of it."""
    first = run(runner, "first-touch").report
    merchandiser = run(runner, "merchandiser", pace=QUICK).report
    assert first["regions"][0]["tasks"][0]["fast_accesses"] > 0.9 * first["regions"][0]["tasks"][0]["accesses"]
    last = merchandiser["regions"][-1]
    slow_lane = last["tasks"][1]
    assert slow_lane["fast_accesses"] > 0.8 * slow_lane["accesses"]
    assert last["time_ns"] < 0.5 * first["regions"][-1]["time_ns"]
    assert merchandiser["acv"] < first["acv"]
    assert merchandiser["makespan_ns"] < first["makespan_ns"]


def test_goals_are_worth_more_than_hot_pages(runner):
    """The same scans and moves, but none for the quick lane."""
    hot, goals = (run(runner, policy, pace=QUICK).report for policy in ("memory-optimizer", "merchandiser"))
    assert goals["acv"] < 0.9 * hot["acv"]
    assert goals["makespan_ns"] < 1.01 * hot["makespan_ns"]  # deciding is charged
    assert goals["migrated_bytes"] < hot["migrated_bytes"]


def test_one_plan_before_the_region_balances_too(runner):
    last = run(runner, "merchandiser-once").report["regions"][-1]
    assert last["tasks"][1]["fast_accesses"] > 0.8 * last["tasks"][1]["accesses"]


def test_policies_are_ordered_as_the_memories_are(runner):
    times = {p: run(runner, p).report["makespan_ns"] for p in ("slow-only", "fast-only", "first-touch")}
    assert times["fast-only"] < times["first-touch"] <= times["slow-only"]


def test_slow_and_fast_only_use_one_memory(runner):
    assert run(runner, "slow-only").report["fast_access_share"] == 0
    assert run(runner, "fast-only").report["fast_access_share"] == 1


def test_the_base_instance_has_no_prediction_and_the_others_have(runner):
    report = run(runner, "merchandiser").report
    for region in report["regions"]:
        predicted = [task["predicted_ns"] for task in region["tasks"]]
        assert predicted == [None, None] if region["instance"] == 0 else all(p > 0 for p in predicted)


def test_predictions_are_near_the_truth(runner):
    """Of what is in place when the region starts: merchandiser's pages come while it runs."""
    report = run(runner, "merchandiser-once").report
    for region in report["regions"][1:]:
        for task in region["tasks"]:
            assert task["predicted_ns"] == pytest.approx(task["time_ns"], rel=0.25)


def test_fast_memory_is_never_overfull(runner):
    for policy in ("first-touch", "merchandiser", "merchandiser-once"):
        report = run(runner, policy, fast_capacity="4M").report
        assert report["fast_capacity_bytes"] == 4 << 20
        for plan in report["plans"]:
            assert sum(task["fast_bytes"] for task in plan["budget"]) <= 4 << 20
