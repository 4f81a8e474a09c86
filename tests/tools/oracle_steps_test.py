"""Does a plan move pages between barriers, where that pays and where it is known when?"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from lbhm.files.page_counts import NO_REGION, Cell, PageCounts
from lbhm.oracle.plan import inner_plan, moving_plan
from lbhm.oracle.steps import epochs_of, inner_steps_of, life_of
from lbhm.oracle.time_model import Profile

HEADER = {"slow_tier": 1, "promote_ps": 100, "demote_ps": 100, "fast_overlap": 0.0, "slow_overlap": 0.0}


def counts(cells: dict, objects: Sequence[int] = (1, 1), epochs: int = 2) -> PageCounts:
    """cells: label -> time, page, or time, page, instances."""

    def cell(time: float, page: int, instances: int = 1) -> Cell:
        one = np.array([1.0])
        return Cell(float(time), np.array([page]), one, np.array([float(time)]), 0 * one, 0 * one, instances)

    sites = [("a" * 16, nth) for nth in range(len(objects))]
    died = np.full(len(objects), 2**32 - 1)
    return PageCounts(HEADER, np.array(objects), died, sites, 0, epochs, {k: cell(*v) for k, v in cells.items()})


def by_turns(time: float) -> PageCounts:
    """One region that uses page 0, then page 1, then page 0, and so on, between barriers."""
    return counts({(1, 5, stretch, 0): (time, stretch % 2) for stretch in range(4)})


def test_two_hot_sets_of_one_region_take_turns_in_fast_memory():
    slow, fast = (Profile(run, run) for run in (by_turns(10_000), by_turns(1_000)))
    plan = inner_plan(slow, fast, 1)
    assert list(plan.births[:2]) == [True, True]
    moves = {point: (list(down), list(up)) for point, (down, up) in plan.inner_moves.items()}
    assert moves == {(1, 5, 1): ([0], [1]), (1, 5, 2): ([1], [0]), (1, 5, 3): ([0], [1])}
    assert plan.predicted_ps < moving_plan(slow, fast, 1).predicted_ps


def test_they_stay_where_moves_cost_more():
    slow, fast = (Profile(run, run) for run in (by_turns(150), by_turns(100)))
    plan = inner_plan(slow, fast, 1)
    assert not plan.inner_moves


def test_short_stretches_are_taken_together():
    times = [10, 10, 500, 10, 10, 460]
    run = counts({(1, 5, stretch, 0): (time, 0) for stretch, time in enumerate(times)})
    steps = [step for step in inner_steps_of(run) if step.epoch == 1]
    assert [[label[2] for label in step.labels] for step in steps] == [[0, 1], [2], [3, 4], [5]]
    assert [step.begins for step in steps] == [None, (1, 5, 2), (1, 5, 3), (1, 5, 5)]


@pytest.mark.parametrize(
    "cells",
    [
        {(0, 5, stretch, 0): (100, 0) for stretch in range(4)},  # no call came before
        {(1, region, stretch, 0): (100, 0) for stretch in range(4) for region in (5, 6)},
        {(1, 5, stretch, 0): (100, 0, 2) for stretch in range(4)},
    ],
    ids=["before the first call", "two regions", "two instances"],
)
def test_epochs_stay_whole_where_nobody_knows_what_comes_when(cells):
    assert len(inner_steps_of(counts(cells))) == 2


def test_a_page_lives_from_the_step_that_uses_it_first():
    run = counts({(1, NO_REGION, 0, 0): (5, 0), **{(1, 5, stretch, 0): (100, stretch // 2) for stretch in range(4)}})
    steps = inner_steps_of(run)
    life = life_of(run, steps)
    assert steps[life.first[0]].begins is None
    assert steps[life.first[1]].begins == (1, 5, 2)
    assert list(life.last[:2]) == [len(steps) - 1] * 2
    assert list(life_of(run, epochs_of(run)).first[:2]) == [1, 1]
