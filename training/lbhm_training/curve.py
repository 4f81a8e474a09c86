"""From f to times: Eq. 2 at the 21 points of a task's curve, and ways to keep the curve from rising.

More accesses in fast memory never take longer on a machine whose fast memory is faster in everything, but a model that
was learned from examples may say so. What the runtime does is model/homogeneous.cpp; SHIPPED is the same here.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.optimize import isotonic_regression

POINTS = 21  # TaskTimes::points: 0, 5, ..., 100 %
SHARES = np.linspace(0, 1, POINTS)


def eq2(f: np.ndarray, slow: np.ndarray, fast: np.ndarray) -> np.ndarray:
    """T_hybrid = T_slow (1 - r) f + T_fast r. f: (n, POINTS); slow, fast: (n,). At the ends f plays no part."""
    times = slow[:, None] * (1 - SHARES) * f + fast[:, None] * SHARES
    times[:, 0], times[:, -1] = slow, fast
    return times


def none(times: np.ndarray) -> np.ndarray:
    return times


def clamp(times: np.ndarray) -> np.ndarray:
    """The paper's rationale (1): between the two homogeneous times."""
    low, high = np.sort(times[:, [0, -1]], axis=1).T
    return np.clip(times, low[:, None], high[:, None])


def running_minimum(times: np.ndarray) -> np.ndarray:
    """At most what fewer fast accesses take, as far as T_fast <= T_slow; the end included."""
    falling = times[:, -1] <= times[:, 0]
    return np.where(falling[:, None], np.minimum.accumulate(times, axis=1), times)


def clamped_running_minimum(times: np.ndarray) -> np.ndarray:
    return running_minimum(clamp(times))


def isotonic(times: np.ndarray) -> np.ndarray:
    """The nearest curve that never rises, by least squares."""
    return np.array([isotonic_regression(row, increasing=False).x if row[-1] <= row[0] else row for row in times])


REPAIRS: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "none": none,
    "clamp": clamp,
    "running minimum": running_minimum,
    "clamp and running minimum": clamped_running_minimum,
    "isotonic": isotonic,
}
SHIPPED = "clamp and running minimum"


def at(times: np.ndarray, share: np.ndarray | list[float]) -> np.ndarray:
    """One curve between its points, linear (time_at of model/homogeneous.cpp)."""
    return np.interp(share, SHARES, times)
