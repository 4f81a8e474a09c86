"""Is the linear program's optimum the optimum, the bound a bound, and does rounding respect the room?"""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from scipy import sparse

from lbhm.oracle.linear_program import Problem, group_pages, lower_bound, round_pages, solve_grouped
from lbhm.oracle.rows import Rows


def tiny(seed: int, pages: int = 8, capacity: int = 3) -> Problem:
    """Two stretches of three lanes each, with gains by chance."""
    random = np.random.default_rng(seed)
    gain = random.integers(0, 50, size=(6, pages)) * (random.random((6, pages)) < 0.5)
    base = gain.sum(axis=1) + random.integers(10, 100, size=6)
    rows = Rows(sparse.csr_matrix(gain.astype(float)), base.astype(float), np.array([0, 0, 0, 1, 1, 1]), 2)
    return Problem(rows, np.ones(pages), sparse.csr_matrix(np.ones((1, pages))), capacity, np.zeros(pages))


def time_with(problem: Problem, chosen: np.ndarray) -> float:
    times = problem.rows.base - problem.rows.gain @ chosen.astype(float)
    return sum(times[problem.rows.stretch == stretch].max() for stretch in range(problem.rows.stretches))


def best_of_all(problem: Problem) -> float:
    """By trying every choice of pages."""
    pages = problem.rows.gain.shape[1]
    masks = (np.isin(np.arange(pages), choice) for choice in itertools.combinations(range(pages), problem.capacity))
    return min(time_with(problem, mask) for mask in masks)


def singles(problem: Problem):
    pages = problem.rows.gain.shape[1]
    return group_pages(problem.rows, np.arange(pages), np.zeros(pages, int), 4)


@pytest.mark.parametrize("seed", range(20))
def test_optimum_is_below_and_near_the_best_choice_and_rounding_is_above(seed):
    problem = tiny(seed)
    groups = singles(problem)
    optimum = solve_grouped(problem, groups)
    best = best_of_all(problem)
    assert optimum.time <= best + 1e-6
    chosen = round_pages(problem, groups, optimum)
    assert chosen.sum() <= problem.capacity
    assert best - 1e-6 <= time_with(problem, chosen) <= problem.rows.base[:3].max() + problem.rows.base[3:].max()


@pytest.mark.parametrize("seed", range(20))
def test_without_integers_it_is_the_optimum_of_a_page_cut_in_many(seed):
    """Every page as 12 twelfths: the best choice of whole parts approaches the linear program from above."""
    problem = tiny(seed, pages=3, capacity=1)
    optimum = solve_grouped(problem, singles(problem))
    shares = [np.array(s) / 12 for s in itertools.product(range(13), repeat=3) if sum(s) <= 12]
    best = min(time_with(problem, share) for share in shares)
    step = problem.rows.gain.max() * 3 / 12
    assert best - 2 * step - 1e-6 <= optimum.time <= best + 1e-6


@pytest.mark.parametrize("seed", range(20))
def test_the_bound_holds_whatever_the_groups_are(seed):
    problem = tiny(seed)
    pages = problem.rows.gain.shape[1]
    coarse = group_pages(problem.rows, np.zeros(pages, int), np.zeros(pages, int), 0.05)
    bound = lower_bound(problem, solve_grouped(problem, coarse).weights)
    assert bound <= best_of_all(problem) + 1e-6
    fine = solve_grouped(problem, singles(problem))
    assert bound <= fine.time + 1e-6
    assert lower_bound(problem, fine.weights) == pytest.approx(fine.time)  # strong duality


def test_capacities_at_several_times_all_hold():
    """Pages 0-3 live in the first epoch, 2-5 in the second: two of each fit."""
    gain = sparse.csr_matrix(np.array([[9.0, 8, 7, 6, 0, 0], [0, 0, 7, 6, 9, 8]]))
    rows = Rows(gain, np.array([100.0, 100.0]), np.array([0, 1]), 2)
    live = sparse.csr_matrix(np.array([[1.0, 1, 1, 1, 0, 0], [0, 0, 1, 1, 1, 1]]))
    problem = Problem(rows, np.ones(6), live, 2, np.zeros(6))
    groups = singles(problem)
    optimum = solve_grouped(problem, groups)
    chosen = round_pages(problem, groups, optimum)
    assert (live @ chosen.astype(float) <= 2).all()
    assert optimum.time == pytest.approx(200 - 17 - 17)
    assert list(np.flatnonzero(chosen)) == [0, 1, 4, 5]


def test_what_a_move_costs_more_than_it_saves_is_left_where_it_is():
    rows = Rows(sparse.csr_matrix(np.array([[9.0, 3.0]])), np.array([100.0]), np.array([0]), 1)
    problem = Problem(rows, np.ones(2), sparse.csr_matrix(np.ones((1, 2))), 2, np.array([4.0, 4.0]))
    groups = singles(problem)
    assert list(round_pages(problem, groups, solve_grouped(problem, groups))) == [True, False]


def test_balance_decides_not_heat():
    """The slowest lane gets the memory although the other lane's pages are hotter."""
    gain = sparse.csr_matrix(np.array([[20.0, 20, 0, 0], [0, 0, 10, 10]]))
    rows = Rows(gain, np.array([50.0, 100.0]), np.array([0, 0]), 1)
    problem = Problem(rows, np.ones(4), sparse.csr_matrix(np.ones((1, 4))), 2, np.zeros(4))
    groups = singles(problem)
    optimum = solve_grouped(problem, groups)
    assert optimum.time == pytest.approx(80)
    assert list(np.flatnonzero(round_pages(problem, groups, optimum))) == [2, 3]
