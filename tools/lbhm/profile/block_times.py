"""Times of basic blocks from the times of tasks that executed them so and so often: a regression.

What a task took is the sum over its blocks of executions times time of one execution; the paper measures block times
offline by the method of its reference 55 (Merchandiser, section 5.2). Here they are the non-negative least squares
solution over all tasks of a run. Tasks are often alike, so two things keep the problem well-posed:

- blocks that all tasks execute in the same proportion are one unknown, split by their static costs;
- what the tasks leave open is decided by the static costs: a block then takes the time of its dispatch slots at the
  pace of the whole program (a ridge penalty of PRIOR, small against any task that says otherwise).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.optimize import nnls

PRIOR = 0.01  # weight of the static costs against the tasks. Assumption: times repeat to about 1 %
SMALL = 0.05  # a block below this share of the time has the prior's weight of one with this share
SHORT = 0.01  # tasks below this share of the longest one weigh no more than it: their ends are not block time
SAME = 1e-6  # relative difference of proportions that counts as none


@dataclass(frozen=True)
class BlockTimes:
    """times: ns of one execution, by counter. groups: counters with the same number were only told apart by their
    static costs; -1: never executed, the time is the static cost at the program's pace. residual: root mean square of
    what is left of the tasks' times, relative."""

    times: np.ndarray
    groups: np.ndarray
    residual: float


def block_times(executions: np.ndarray, times: np.ndarray, static: np.ndarray) -> BlockTimes:
    """executions: (tasks, counters). times: (tasks,) in ns. static: (counters,), costs above 0 in any unit.

    Raises ValueError when no task took any time.
    """
    busy = (times > 0) & (executions @ static > 0)
    if not busy.any():
        raise ValueError("no task has both a time and executions")
    executions, times = executions[busy], times[busy]
    weights = 1 / np.maximum(times, SHORT * times.max())
    work = executions * static * weights[:, None]
    goal = times * weights
    total = work.sum(axis=1)
    pace = float(total @ goal / (total @ total))  # ns of a unit of static cost
    groups = _groups(work)
    count = groups.max() + 1
    parts = np.stack([work[:, groups == group].sum(axis=1) for group in range(count)], axis=1) * pace
    factors = _solve(parts, goal)
    found = static * pace * np.where(groups >= 0, factors[groups], 1)
    left = executions @ found * weights - goal
    return BlockTimes(found, groups, float(np.sqrt(left @ left / (goal @ goal))))


def _groups(work: np.ndarray) -> np.ndarray:
    """A number for each column, the same for columns that are proportional; -1 for columns of zeros."""
    lengths = np.linalg.norm(work, axis=0)
    numbers: dict[bytes, int] = {}
    groups = np.full(work.shape[1], -1)
    for column in np.flatnonzero(lengths):
        direction = np.round(work[:, column] / lengths[column] / SAME).astype(np.int64)
        groups[column] = numbers.setdefault(direction.tobytes(), len(numbers))
    return groups


def _solve(parts: np.ndarray, goal: np.ndarray) -> np.ndarray:
    """Factors >= 0 with parts @ factors ~ goal, near 1 where that leaves them open."""
    rows = len(goal)
    penalty = PRIOR * np.maximum(np.linalg.norm(parts, axis=0), SMALL * np.sqrt(rows))
    matrix = np.vstack([parts, np.diag(penalty)])
    right = np.concatenate([goal, penalty])
    q, r = np.linalg.qr(matrix)  # the same solution from fewer rows
    return nnls(r, q.T @ right, maxiter=30 * parts.shape[1])[0]
