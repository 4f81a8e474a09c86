"""Speed classes of memory: k-means on triad bandwidths, as PEARS has it (MEMSYS 2021, section 4.1).

In one dimension the best clusters are runs of the sorted values, so they are found exactly and without chance.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache

WIDTH = 1.25  # of one class, largest / smallest: repetitions of one measurement may lie as far apart (figures.LOUD)


def classes_of(bandwidths: Sequence[float], count: int | None = None) -> list[int]:
    """The class of each bandwidth (GB/s, above 0), 0 the fastest.

    With `count` so many classes, as PEARS: it gives their number, and clusters the bandwidths themselves. Without, the
    fewest whose members lie within WIDTH; then logarithms are clustered, for a class is a matter of ratios, and noise
    of large bandwidths must not outweigh factors between small ones.
    """
    if count is not None:
        return k_means(bandwidths, count)
    logarithms = [math.log(bandwidth) for bandwidth in bandwidths]
    for tried in range(1, len(bandwidths) + 1):
        classes = k_means(logarithms, tried)
        if all(_width(bandwidths, classes, number) <= WIDTH for number in set(classes)):
            return classes
    return []


def k_means(values: Sequence[float], count: int) -> list[int]:
    """The cluster of each value, 0 that of the largest, with the least sum of squares around the clusters' means; of as
    many clusters as there are different values if they are fewer than `count`."""
    ordered = sorted(set(values), reverse=True)
    weights = [list(values).count(value) for value in ordered]

    def squares(begin: int, end: int) -> float:
        part, weight = ordered[begin:end], weights[begin:end]
        mean = math.fsum(v * w for v, w in zip(part, weight, strict=True)) / sum(weight)
        return math.fsum(w * (v - mean) ** 2 for v, w in zip(part, weight, strict=True))

    @cache
    def best(end: int, clusters: int) -> tuple[float, tuple[int, ...]]:
        """Of the first `end` values: the sum, and where the clusters begin."""
        if clusters == 1:
            return squares(0, end), (0,)
        tried = []
        for begin in range(clusters - 1, end):
            total, begins = best(begin, clusters - 1)
            tried.append((total + squares(begin, end), (*begins, begin)))
        return min(tried)

    if not ordered:
        return []
    begins = best(len(ordered), min(count, len(ordered)))[1]
    cluster = {value: sum(begin <= at for begin in begins) - 1 for at, value in enumerate(ordered)}
    return [cluster[value] for value in values]


def _width(bandwidths: Sequence[float], classes: list[int], number: int) -> float:
    members = [bandwidth for bandwidth, its in zip(bandwidths, classes, strict=True) if its == number]
    return max(members) / min(members)
