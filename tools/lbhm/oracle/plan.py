"""Placements from optima: one for the whole run, or one that changes from epoch to epoch where moving pays."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from scipy import sparse

from lbhm.files.page_counts import PageCounts
from lbhm.oracle.linear_program import Groups, Optimum, Problem, group_pages, lower_bound, round_pages, solve_grouped
from lbhm.oracle.plan_names import INNER, MOVING, SLOW, STATIC
from lbhm.oracle.rows import Rows, merged, stacked
from lbhm.oracle.steps import Life, Point, Step, epochs_of, inner_steps_of, life_of
from lbhm.oracle.time_model import Profile, len_pages, rows_of, rows_of_labels

MOST_ROWS = 3000  # of the linear program for a whole run
MOST_GROUPS = 4000  # of a linear program; coarser groups beyond (the bound does not depend on it)
HORIZON = 4  # epochs that a plan which moves pages looks ahead
# The same in steps, for a plan that moves pages at barriers, too. A placement is chosen for all steps in view together,
# so sets that are hot by turns need a short view and slow changes a long one: all are tried.
INNER_HORIZONS = (1, 3, 9)
SHORT = 0.002  # of the run: a stretch that is shorter has the weights of its epoch's optimum in the bound


Moves = tuple[np.ndarray, np.ndarray]  # pages to slow, to fast


@dataclass
class Plan:
    """Which pages are fast when they appear, and what moves when."""

    name: str
    predicted_ps: float
    births: np.ndarray  # mask by page; the last one: the unmanaged pages
    moves: dict[int, Moves] = field(default_factory=dict)  # by epoch, when it begins
    inner_moves: dict[Point, Moves] = field(default_factory=dict)  # at barriers


def rooms_of(life: Life, steps: list[int]) -> sparse.csr_matrix:
    """Capacity rows. Until something goes, what is there only grows: one row for the time just before is enough."""
    ends = [s for s in steps[:-1] if (life.last == s).any()] + steps[-1:]
    return sparse.vstack([sparse.csr_matrix(((life.first <= s) & (life.last >= s)).astype(float)) for s in ends])


def sizes_of(counts: PageCounts) -> np.ndarray:
    """In pages: the last one stands for all unmanaged pages."""
    return np.append(np.ones(len_pages(counts) - 1), counts.unmanaged_pages)


def objects_of(counts: PageCounts) -> np.ndarray:
    """The object of each page."""
    return np.append(np.repeat(np.arange(len(counts.object_pages)), counts.object_pages), len(counts.object_pages))


def optimum_of(problem: Problem, objects: np.ndarray, state: np.ndarray) -> tuple[Groups, Optimum]:
    steps = 4.0
    groups = group_pages(problem.rows, objects, state, steps)
    while groups.count > MOST_GROUPS and steps > 0.05:
        steps /= 2
        groups = group_pages(problem.rows, objects, state, steps)
    return groups, solve_grouped(problem, groups)


def bound_ps(slow: Profile, fast: Profile, capacity: int) -> float:
    """Of all stretches, each by itself: moves are free, and unmanaged pages take no room (docs/oracle.md)."""
    counts = slow.unloaded
    parts = [rows_of(slow, fast, epoch, contended=False) for epoch in range(counts.epochs)]
    short = SHORT * sum(time_of(part, np.zeros(len_pages(counts), bool)) for part in parts)
    return sum(_epoch_bound(counts, part, capacity, short) for part in parts)


def _epoch_bound(counts: PageCounts, rows: Rows, capacity: int, short: float) -> float:
    objects, size = objects_of(counts), sizes_of(counts)
    size[-1] = 0
    everything = sparse.csr_matrix(np.ones((1, len(size))))

    def problem_of(part: Rows) -> Problem:
        return Problem(part, size, everything, capacity, np.zeros(len(size)))

    def weights_of(part: Rows) -> np.ndarray:
        return optimum_of(problem_of(part), objects, np.zeros(len(size), np.int64))[1].weights

    shared = weights_of(rows)
    total = 0.0
    for stretch in range(rows.stretches):
        part, at = rows.of_stretch(stretch)
        own = rows.stretches > 1 and part.base.max(initial=0.0) > short
        total += lower_bound(problem_of(part), weights_of(part) if own else shared[at])
    return total


def slow_plan(slow: Profile, fast: Profile) -> Plan:
    """Nothing in fast memory: best where it is slower than the other one for what the program does."""
    parts = [rows_of(slow, fast, epoch, contended=True) for epoch in range(slow.unloaded.epochs)]
    nothing = np.zeros(len_pages(slow.unloaded), dtype=bool)
    return Plan(SLOW, sum(time_of(part, nothing) for part in parts), nothing)


def static_plan(slow: Profile, fast: Profile, capacity: int, contended: bool = True) -> Plan:
    """Every page stays where it appears. contended: planned for the times with contention (predicted by them, too)."""
    counts = slow.unloaded
    epochs = list(range(counts.epochs))
    size = sizes_of(counts)
    parts = [rows_of(slow, fast, epoch, contended=True) for epoch in epochs]
    planned = parts if contended else [rows_of(slow, fast, epoch, contended=False) for epoch in epochs]
    rows = merged(planned, MOST_ROWS)
    problem = Problem(rows, size, rooms_of(life_of(counts, epochs_of(counts)), epochs), capacity, np.zeros(len(size)))
    groups, optimum = optimum_of(problem, objects_of(counts), np.zeros(len(size), np.int64))
    chosen = round_pages(problem, groups, optimum)
    return Plan(STATIC, sum(time_of(part, chosen) for part in parts), chosen)


def moving_plan(slow: Profile, fast: Profile, capacity: int) -> Plan:
    """Epoch by epoch, HORIZON of them ahead; a page that is somewhere already moves if that is worth what it costs."""
    return _Mover(MOVING, slow, fast, epochs_of(slow.unloaded), HORIZON).plan(capacity)


def inner_plan(slow: Profile, fast: Profile, capacity: int) -> Plan | None:
    """The same from barrier to barrier, where epochs have inner steps; None if none has."""
    steps = inner_steps_of(slow.unloaded)
    if len(steps) == slow.unloaded.epochs:
        return None
    plans = [_Mover(INNER, slow, fast, steps, horizon).plan(capacity) for horizon in INNER_HORIZONS]
    return min(plans, key=lambda plan: plan.predicted_ps)


class _Mover:
    """Makes a plan step by step."""

    def __init__(self, name: str, slow: Profile, fast: Profile, steps: list[Step], horizon: int):
        self.name, self.steps, self.horizon = name, steps, horizon
        self.counts = slow.unloaded
        self.life, self.size, self.objects = life_of(self.counts, steps), sizes_of(self.counts), objects_of(self.counts)
        self.to_fast, self.to_slow = self.counts.header["promote_ps"], self.counts.header["demote_ps"]
        self.parts = [rows_of_labels(slow, fast, step.labels, contended=True) for step in steps]

    def plan(self, capacity: int) -> Plan:
        plan = Plan(self.name, 0.0, np.zeros(len(self.size), bool))
        now = np.zeros(len(self.size), bool)  # in fast memory
        for number, step in enumerate(self.steps):
            there = (self.life.first < number) & (self.life.last >= number)
            now &= there
            chosen = self._choose(number, there, now, capacity, plan.births[-1])
            born = (self.life.first == number) & chosen
            plan.births |= born
            up, down = there & chosen & ~now, there & now & ~chosen
            up[-1] = down[-1] = born[-1] = False
            if number > 0 and (up.any() or down.any()):
                if step.begins is None:
                    plan.moves[step.epoch] = (np.flatnonzero(down), np.flatnonzero(up))
                else:  # beside the program: the first pages may be touched before the others have made room
                    plan.inner_moves[step.begins] = (np.flatnonzero(down), np.flatnonzero(up | (born & down.any())))
            plan.predicted_ps += time_of(self.parts[number], chosen)
            plan.predicted_ps += self.to_fast * int(up.sum()) + self.to_slow * int(down.sum())
            now = chosen & ((self.life.first <= number) & (self.life.last >= number))
        return plan

    def _choose(self, number: int, there: np.ndarray, now: np.ndarray, capacity: int, unmanaged: bool) -> np.ndarray:
        ahead = list(range(number, min(number + self.horizon, len(self.steps))))
        # A page that is fast and stays is worth the move that it saves.
        cost = np.where(there & ~now, self.to_fast, 0.0) - np.where(there & now, self.to_slow, 0.0)
        cost[-1] = 0
        rows = stacked([self.parts[step] for step in ahead])
        problem = Problem(rows, self.size, rooms_of(self.life, ahead), capacity, cost)
        groups, optimum = optimum_of(problem, self.objects, np.where(there, np.where(now, 1, 2), 0))
        chosen = round_pages(problem, groups, optimum)
        if number > 0:
            chosen[-1] = unmanaged  # they appeared where they are to stay
        kept = there & now & (groups.of_page < 0)  # nobody asks for it: it leaves if its room is wanted
        room = capacity - int(self.size[chosen].sum())
        chosen[np.flatnonzero(kept)[: max(0, room)]] = True
        return chosen


def time_of(rows: Rows, chosen: np.ndarray) -> float:
    """The sum of the stretches' times with these pages in fast memory, in picoseconds."""
    times = rows.base - rows.gain @ chosen.astype(float)
    longest = np.zeros(rows.stretches)
    np.maximum.at(longest, rows.stretch, times)
    return float(longest.sum())
