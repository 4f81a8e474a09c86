"""Does the regression find the times that blocks have, and does it stay sensible where the tasks do not tell?"""

from __future__ import annotations

import numpy as np
import pytest

from lbhm.base import errors
from lbhm.profile.block_times import block_times
from lbhm.profile.profile import blocks_json, rows_of

STATIC = np.array([4.0, 12.0, 30.0, 8.0])
TRUE = np.array([2.0, 55.0, 9.0, 1.0])  # ns; the second one waits for memory


def tasks(count: int, seed: int = 1) -> np.ndarray:
    return np.random.default_rng(seed).integers(1_000, 1_000_000, size=(count, len(STATIC))).astype(float)


def test_finds_the_times_of_blocks():
    executions = tasks(24)
    found = block_times(executions, executions @ TRUE, STATIC)
    assert found.times == pytest.approx(TRUE, rel=0.02)
    assert found.residual < 1e-3


def test_finds_them_although_times_scatter_by_a_percent():
    executions = tasks(60)
    noise = np.random.default_rng(2).normal(1, 0.01, size=60)
    found = block_times(executions, executions @ TRUE * noise, STATIC)
    assert found.times[1:3] == pytest.approx(TRUE[1:3], rel=0.05)
    assert 0.005 < found.residual < 0.02


def test_one_task_is_split_by_static_costs():
    executions = np.array([[100.0, 200.0, 50.0, 0.0]])
    found = block_times(executions, np.array([9_000.0]), STATIC)
    assert executions @ found.times == pytest.approx([9_000.0])
    assert found.times / STATIC == pytest.approx(np.full(4, found.times[0] / STATIC[0]))
    assert list(found.groups) == [0, 0, 0, -1]


def test_blocks_in_one_proportion_are_one_unknown():
    executions = tasks(24)
    executions[:, 3] = 2 * executions[:, 0]
    found = block_times(executions, executions @ TRUE, STATIC)
    assert found.groups[0] == found.groups[3] != found.groups[1]
    assert found.times[0] + 2 * found.times[3] == pytest.approx(TRUE[0] + 2 * TRUE[3], rel=0.05)
    assert found.times[3] / found.times[0] == pytest.approx(STATIC[3] / STATIC[0])


def test_fewer_tasks_than_blocks_still_explain_the_tasks():
    executions = tasks(2)
    times = executions @ TRUE
    found = block_times(executions, times, STATIC)
    assert executions @ found.times == pytest.approx(times, rel=0.02)
    assert (found.times >= 0).all()


def test_times_are_never_negative():
    executions = tasks(24)
    times = executions @ np.array([0.0, 55.0, 9.0, 0.0])
    assert (block_times(executions, times, STATIC).times >= 0).all()


def test_nothing_to_measure_is_said():
    with pytest.raises(ValueError, match="no task"):
        block_times(np.zeros((3, 4)), np.ones(3), STATIC)


def report(identity: str = "0123456789abcdef") -> dict:
    counter = {"function": "f", "lines": None, "instructions": 4, "slots": 4, "bytes": 8, "depth": 1, "per_call": None}
    return {
        "machine": "optane",
        "virtual_time": True,
        "modules": [
            {
                "id": identity,
                "source": "a.c",
                "counters": [counter | {"counter": 0, "depth": 0, "per_call": 1}, counter | {"counter": 1}],
            }
        ],
        "regions": [
            {"tasks": [{"time_ns": 1_000, "blocks": [[0, 1], [1, 100]]}, {"time_ns": 2_000, "blocks": [[1, 205]]}]}
        ],
    }


def test_rows_are_the_lanes_of_region_instances():
    executions, times = rows_of(report())
    assert executions.tolist() == [[1, 100], [0, 205]]
    assert times.tolist() == [1_000, 2_000]


def test_other_modules_in_the_second_run_are_refused():
    class Setup:
        command = ("./app",)
        threads = 2

    assert blocks_json(Setup, report(), report())["tasks"] == 2
    with pytest.raises(errors.Refusal, match="other modules"):
        blocks_json(Setup, report(), report("f123456789abcdef"))
