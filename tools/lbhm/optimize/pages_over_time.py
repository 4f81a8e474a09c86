"""How many pages objects hold at each moment of a run, for whoever looks for room in a span of it."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable


class PagesOverTime:
    """Lives are [born, dies). Only at births can the number rise, so these are its moments. A binary tree over them
    keeps the most of each half: adding and asking take O(log births)."""

    def __init__(self, births: Iterable[float]) -> None:
        self._moments = sorted(set(births))
        self._added = [0] * (4 * len(self._moments))  # by node: in its whole span, apart from its children
        self._most = [0] * (4 * len(self._moments))

    def add(self, born: float, dies: float, pages: int) -> None:
        """born: one of the births."""
        if born < dies:
            self._add(*self._span(born, dies), pages, 1, 0, len(self._moments))

    def most(self, born: float, dies: float) -> int:
        """The most at any moment of this life."""
        return self._most_in(*self._span(born, dies), 1, 0, len(self._moments))

    def _span(self, born: float, dies: float) -> tuple[int, int]:
        """Its moments; a life without length has the one at which it is born."""
        first = bisect_left(self._moments, born)
        return first, max(first + 1, bisect_left(self._moments, dies))

    def _add(self, first: int, end: int, pages: int, node: int, left: int, right: int) -> None:
        """node: of the moments [left, right)."""
        if right <= first or end <= left:
            return
        if first <= left and right <= end:
            self._added[node] += pages
            self._most[node] += pages
            return
        middle = (left + right) // 2
        self._add(first, end, pages, 2 * node, left, middle)
        self._add(first, end, pages, 2 * node + 1, middle, right)
        self._most[node] = self._added[node] + max(self._most[2 * node], self._most[2 * node + 1])

    def _most_in(self, first: int, end: int, node: int, left: int, right: int) -> int:
        if right <= first or end <= left:
            return 0
        if first <= left and right <= end:
            return self._most[node]
        middle = (left + right) // 2
        parts = (
            self._most_in(first, end, 2 * node, left, middle),
            self._most_in(first, end, 2 * node + 1, middle, right),
        )
        return self._added[node] + max(parts)
