"""How many pages objects hold at each moment of a run, for whoever looks for room in a span of it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any


class PagesOverTime:
    """Lives are [born, dies). Only at births can the number rise, so these are its moments."""

    def __init__(self, births: Iterable[float]) -> None:
        import numpy as np  # here: it takes longer to import than other commands take to run

        self._moments = np.unique(np.fromiter(births, float))
        self._held = np.zeros(len(self._moments), np.int64)

    def add(self, born: float, dies: float, pages: int) -> None:
        """born: one of the births."""
        if born < dies:
            self._of(born, dies)[:] += pages

    def most(self, born: float, dies: float) -> int:
        """The most at any moment of this life; one without length has the moment at which it is born."""
        return int(self._of(born, dies).max(initial=0))

    def _of(self, born: float, dies: float) -> Any:
        first, end = self._moments.searchsorted((born, dies))
        return self._held[first : max(first + 1, end)]
