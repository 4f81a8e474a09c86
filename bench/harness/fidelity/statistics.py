"""How far two lists of measurements agree."""

from bisect import bisect_left
from statistics import correlation, mean


def signed_error(measured: float, reference: float) -> float:
    """measured / reference - 1; reference must not be 0."""
    return measured / reference - 1


def mean_absolute_error(measured: list[float], reference: list[float]) -> float:
    """Mean of |measured / reference - 1| (MAPE, as a fraction)."""
    return mean(abs(signed_error(m, r)) for m, r in zip(measured, reference, strict=True))


def ranks(values: list[float]) -> list[float]:
    """1 for the smallest; equal values share the mean of their ranks."""
    order = sorted(values)
    return [order.index(value) + (order.count(value) + 1) / 2 for value in values]


def spearman(first: list[float], second: list[float]) -> float:
    """Rank correlation: Pearson's coefficient of the ranks (Spearman 1904). At least two different values each."""
    return correlation(ranks(first), ranks(second))


def between(places: list[float], values: list[float], at: float) -> float:
    """Linear; the first and last values hold beyond."""
    above = bisect_left(places, at)
    if above in (0, len(places)):
        return values[min(above, len(places) - 1)]
    part = (at - places[above - 1]) / (places[above] - places[above - 1])
    return values[above - 1] + part * (values[above] - values[above - 1])
