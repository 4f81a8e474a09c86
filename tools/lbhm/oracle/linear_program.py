"""The min-max optimum: which part of which group of pages is in fast memory, by linear programming (HiGHS)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import sparse
from scipy.optimize import linprog

from lbhm.base.errors import Refusal
from lbhm.oracle.rows import Rows


@dataclass(frozen=True)
class Groups:
    """Pages that share a variable."""

    of_page: np.ndarray  # group of each page; -1: nobody asks for it, so it has none
    count: int

    def indicator(self) -> sparse.csr_matrix:
        """pages x groups"""
        pages = np.flatnonzero(self.of_page >= 0)
        ones = np.ones(len(pages))
        return sparse.csr_matrix((ones, (pages, self.of_page[pages])), shape=(len(self.of_page), self.count))


@dataclass(frozen=True)
class Problem:
    rows: Rows
    size: np.ndarray  # of each page in fast memory, in pages: 1, or 0 for what takes no room
    live: sparse.csr_matrix  # capacity rows x pages: which pages are there at one time
    capacity: int  # pages
    cost: np.ndarray  # of having the page in fast memory (moving it there; negative: moving it away), by page


@dataclass(frozen=True)
class Optimum:
    share: np.ndarray  # of each group that is in fast memory
    time: float  # of the linear program, in picoseconds
    value: np.ndarray  # what each page in fast memory is worth at the optimum, in picoseconds
    weights: np.ndarray  # dual value of each row; those of a stretch add up to 1


def group_pages(rows: Rows, object_of_page: np.ndarray, state: np.ndarray, steps_a_doubling: float) -> Groups:
    """Pages of one object and state whose largest gain is in the same row, by powers of their gain.

    steps_a_doubling: how finely gains are told apart; 1: each group spans a factor of 2.
    """
    gain = rows.gain.tocoo()
    size = np.abs(gain.data)
    total = np.bincount(gain.col, size, gain.shape[1])
    used = np.flatnonzero(total > 0)
    order = np.lexsort((gain.row, -size, gain.col))
    row = gain.row[order[np.searchsorted(gain.col[order], used)]]
    heat = np.round(np.log2(total[used]) * steps_a_doubling).astype(np.int64)
    keys = np.stack([object_of_page[used], state[used], row, heat], axis=1)
    unique, place = np.unique(keys, axis=0, return_inverse=True)
    of_page = np.full(gain.shape[1], -1, dtype=np.int64)
    of_page[used] = np.ravel(place)
    return Groups(of_page, len(unique))


def solve_grouped(problem: Problem, groups: Groups) -> Optimum:
    """Minimises the sum of the stretches' times. Raises Refusal if HiGHS fails (it has always a solution)."""
    rows, indicator = problem.rows, groups.indicator()
    if rows.stretches == 0:  # nothing happens in this epoch
        return Optimum(np.zeros(groups.count), 0.0, -problem.cost, np.zeros(0))
    stretches = sparse.csr_matrix(
        (np.ones(len(rows.base)), (np.arange(len(rows.base)), rows.stretch)), shape=(len(rows.base), rows.stretches)
    )
    times = sparse.hstack([-(rows.gain @ indicator), -stretches])
    room = problem.live.multiply(problem.size[None, :]).tocsr() @ indicator
    limits = sparse.hstack([room, sparse.csr_matrix((room.shape[0], rows.stretches))])
    scale = max(1.0, float(rows.base.max(initial=0.0)))  # HiGHS' tolerances are absolute
    found = linprog(
        np.concatenate([indicator.T @ problem.cost / scale, np.ones(rows.stretches)]),
        A_ub=sparse.vstack([sparse.hstack([times.tocsc()[:, : groups.count] / scale, -stretches]), limits]).tocsr(),
        b_ub=np.concatenate([-rows.base / scale, np.full(room.shape[0], problem.capacity)]),
        bounds=[(0, 1)] * groups.count + [(0, None)] * rows.stretches,
        method="highs",
    )
    if not found.success:
        raise Refusal(f"oracle: the linear program was not solved ({found.message}); report the program", 1)
    weights = _weights(-found.ineqlin.marginals[: len(rows.base)], rows)
    value = rows.gain.T @ weights - problem.cost
    return Optimum(np.clip(found.x[: groups.count], 0, 1), float(found.fun) * scale, value, weights)


def _weights(duals: np.ndarray, rows: Rows) -> np.ndarray:
    """Dual values with rounding errors taken out: none is negative, those of each stretch add up to 1."""
    duals = np.maximum(duals, 0)
    total = np.bincount(rows.stretch, duals, rows.stretches)[rows.stretch]
    count = np.bincount(rows.stretch, minlength=rows.stretches)[rows.stretch]
    return np.where(total > 0, duals / np.where(total > 0, total, 1), 1 / count)


def lower_bound(problem: Problem, weights: np.ndarray) -> float:
    """What no choice of single pages is faster than, whatever the groups were (picoseconds).

    Weak duality: for weights that add up to 1 in each stretch, the sum of the stretches' times is at least the weighted
    sum of their rows. That is smallest when the pages that are worth most are fast. For one capacity row, no cost.
    """
    value = np.maximum(0.0, problem.rows.gain.T @ weights)
    free = problem.size == 0
    sized = value[~free]
    if problem.capacity < len(sized):
        sized = np.partition(sized, len(sized) - problem.capacity)[len(sized) - problem.capacity :]
    return float(weights @ problem.rows.base - value[free].sum() - sized.sum())


def round_pages(problem: Problem, groups: Groups, optimum: Optimum) -> np.ndarray:
    """The pages of the rounded optimum, a mask by page: of each group its share, those first that are worth most; then
    whatever is worth something and has room. No capacity row is exceeded."""
    pages = np.flatnonzero(groups.of_page >= 0)
    group = groups.of_page[pages]
    order = np.lexsort((pages, -optimum.value[pages], group))
    pages, group = pages[order], group[order]
    first = np.searchsorted(group, np.arange(groups.count))
    rank = np.arange(len(pages)) - first[group]
    members = np.bincount(group, minlength=groups.count)
    wanted = rank < np.floor(optimum.share * members + 1e-6)[group]
    chosen = np.zeros(len(groups.of_page), dtype=bool)
    rest = pages[~wanted]
    rest = rest[optimum.value[rest] > 0]
    sequence = [
        pages[wanted][np.argsort(-optimum.value[pages[wanted]], kind="stable")],
        rest[np.argsort(-optimum.value[rest], kind="stable")],
    ]
    _fill(problem, np.concatenate(sequence), chosen)
    return chosen


def _fill(problem: Problem, sequence: np.ndarray, chosen: np.ndarray) -> None:
    """Takes the pages in this order, each if it fits into all capacity rows that it is in."""
    need = problem.live.multiply(problem.size[None, :]).tocsc()
    room = np.full(need.shape[0], float(problem.capacity))
    waiting = [sequence]
    while waiting:
        part = waiting.pop()
        part = part[need[:, part].T @ (room < 1).astype(float) == 0]  # a page of size 1 has no room in a full row
        wanted = np.asarray(need[:, part].sum(axis=1)).ravel()
        if (wanted <= room).all():
            room -= wanted
            chosen[part] = True
        elif len(part) > 1:
            waiting += [part[len(part) // 2 :], part[: len(part) // 2]]
