"""Placements from optima: one for the whole run, or one that changes from epoch to epoch where moving pays."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from scipy import sparse

from lbhm.oracle_lp import Groups, Optimum, Problem, group_pages, lower_bound, round_pages, solve_grouped
from lbhm.oracle_model import Profile, len_pages, rows_of
from lbhm.oracle_rows import Rows, merged, stacked
from lbhm.page_counts import PageCounts

MOST_ROWS = 3000  # of the linear program for a whole run
MOST_GROUPS = 4000  # of a linear program; coarser groups beyond (the bound does not depend on it)
HORIZON = 4  # epochs that a plan which moves pages looks ahead


@dataclass
class Plan:
    """Which pages are fast when they appear, and what moves at the beginnings of epochs."""

    name: str
    predicted_ps: float
    births: np.ndarray  # mask by page; the last one: the unmanaged pages
    moves: dict[int, tuple[np.ndarray, np.ndarray]] = field(default_factory=dict)  # epoch -> pages to slow, to fast


@dataclass(frozen=True)
class Life:
    """From which epoch to which a page takes room."""

    first: np.ndarray
    last: np.ndarray

    def rows(self, epochs: list[int]) -> sparse.csr_matrix:
        """Capacity rows. Until something goes, what is there only grows: one row for the time just before is enough."""
        ends = [e for e in epochs[:-1] if (self.last == e).any()] + epochs[-1:]
        return sparse.vstack([sparse.csr_matrix(((self.first <= e) & (self.last >= e)).astype(float)) for e in ends])


def life_of(counts: PageCounts) -> Life:
    """A page appears when it is used first and goes with its object."""
    pages = len_pages(counts)
    first = np.full(pages, counts.epochs, dtype=np.int64)
    for label, cell in counts.cells.items():
        first[cell.pages] = np.minimum(first[cell.pages], label[0])
    last = np.append(np.repeat(np.minimum(counts.died, counts.epochs - 1), counts.object_pages), counts.epochs - 1)
    return Life(first, np.maximum(last, np.minimum(first, counts.epochs - 1)))


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
    """Of all epochs, each by itself: moves are free, and unmanaged pages take no room (docs/oracle.md)."""
    counts = slow.unloaded
    objects, size = objects_of(counts), sizes_of(counts)
    size[-1] = 0
    total = 0.0
    for epoch in range(counts.epochs):
        rows = rows_of(slow, fast, epoch, contended=False)
        everything = sparse.csr_matrix(np.ones((1, len(size))))
        problem = Problem(rows, size, everything, capacity, np.zeros(len(size)))
        _, optimum = optimum_of(problem, objects, np.zeros(len(size), np.int64))
        total += lower_bound(problem, optimum.weights)
    return total


def slow_plan(slow: Profile, fast: Profile) -> Plan:
    """Nothing in fast memory: best where it is slower than the other one for what the program does."""
    parts = [rows_of(slow, fast, epoch, contended=True) for epoch in range(slow.unloaded.epochs)]
    nothing = np.zeros(len_pages(slow.unloaded), dtype=bool)
    return Plan("slow", sum(time_of(part, nothing) for part in parts), nothing)


def static_plan(slow: Profile, fast: Profile, capacity: int, contended: bool = True) -> Plan:
    """Every page stays where it appears. contended: planned for the times with contention (predicted by them, too)."""
    counts = slow.unloaded
    epochs = list(range(counts.epochs))
    size = sizes_of(counts)
    parts = [rows_of(slow, fast, epoch, contended=True) for epoch in epochs]
    planned = parts if contended else [rows_of(slow, fast, epoch, contended=False) for epoch in epochs]
    rows = merged(planned, MOST_ROWS)
    problem = Problem(rows, size, life_of(counts).rows(epochs), capacity, np.zeros(len(size)))
    groups, optimum = optimum_of(problem, objects_of(counts), np.zeros(len(size), np.int64))
    chosen = round_pages(problem, groups, optimum)
    return Plan("static", sum(time_of(part, chosen) for part in parts), chosen)


def moving_plan(slow: Profile, fast: Profile, capacity: int) -> Plan:
    """Epoch by epoch, HORIZON of them ahead; a page that is somewhere already moves if that is worth what it costs."""
    counts = slow.unloaded
    life, size, objects = life_of(counts), sizes_of(counts), objects_of(counts)
    to_fast, to_slow = counts.header["promote_ps"], counts.header["demote_ps"]
    parts = [rows_of(slow, fast, epoch, contended=True) for epoch in range(counts.epochs)]
    plan = Plan("moving", 0.0, np.zeros(len(size), bool))
    now = np.zeros(len(size), bool)  # in fast memory
    for epoch in range(counts.epochs):
        ahead = list(range(epoch, min(epoch + HORIZON, counts.epochs)))
        there = (life.first < epoch) & (life.last >= epoch)
        now &= there
        # A page that is fast and stays is worth the move that it saves.
        cost = np.where(there & ~now, to_fast, 0.0) - np.where(there & now, to_slow, 0.0)
        cost[-1] = 0
        problem = Problem(stacked([parts[e] for e in ahead]), size, life.rows(ahead), capacity, cost)
        groups, optimum = optimum_of(problem, objects, np.where(there, np.where(now, 1, 2), 0))
        chosen = round_pages(problem, groups, optimum)
        if epoch > 0:
            chosen[-1] = plan.births[-1]  # unmanaged pages cannot be moved
        kept = there & now & (groups.of_page < 0)  # nobody asks for it: it leaves if its room is wanted
        room = capacity - int(size[chosen].sum())
        chosen[np.flatnonzero(kept)[: max(0, room)]] = True
        appear = (life.first == epoch) & chosen
        plan.births |= appear
        up, down = there & chosen & ~now, there & now & ~chosen
        up[-1] = down[-1] = False
        if epoch > 0 and (up.any() or down.any()):
            plan.moves[epoch] = (np.flatnonzero(down), np.flatnonzero(up))
        plan.predicted_ps += time_of(parts[epoch], chosen)
        plan.predicted_ps += to_fast * int(up.sum()) + to_slow * int(down.sum())
        now = chosen & ((life.first <= epoch) & (life.last >= epoch))
    return plan


def time_of(rows: Rows, chosen: np.ndarray) -> float:
    """The sum of the phases' times with these pages in fast memory, in picoseconds."""
    times = rows.base - rows.gain @ chosen.astype(float)
    longest = np.zeros(rows.phases)
    np.maximum.at(longest, rows.phase, times)
    return float(longest.sum())
