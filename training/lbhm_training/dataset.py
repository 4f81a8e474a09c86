"""The rows that f is learned from: those of all series together, as arrays."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from lbhm_training.features import FAST_TIME, SAVED
from lbhm_training.series import Selection, Series


@dataclass(frozen=True)
class Dataset:
    """series, and the rows made of them. disturbed, unclear: series left out for that.

    r, f, number (of the series) by row.
    """

    series: list[Series]
    fingerprint: str
    disturbed: int
    unclear: int
    r: np.ndarray
    f: np.ndarray
    number: np.ndarray

    @cached_property
    def looks(self) -> np.ndarray:
        """(2, series, features): with the derived T_fast."""
        return np.array([[one.looks[which].row for one in self.series] for which in range(2)])

    @cached_property
    def rates(self) -> np.ndarray:
        """(2, series): accesses / T_slow."""
        return np.array([[one.looks[which].rate for one in self.series] for which in range(2)])

    @cached_property
    def derived(self) -> np.ndarray:
        """(2, series): T_fast / T_slow as derived from the run in slow memory."""
        return np.array([[one.looks[which].fast_time for one in self.series] for which in range(2)])

    @cached_property
    def measured(self) -> np.ndarray:
        """T_fast / T_slow by series."""
        return np.array([one.fast_ns / one.slow_ns for one in self.series])

    @cached_property
    def slow_ns(self) -> np.ndarray:
        return np.array([one.slow_ns for one in self.series])

    @cached_property
    def series_regions(self) -> np.ndarray:
        return np.array([one.region for one in self.series])

    def seen(self, which: int, numbers: np.ndarray, fast_time: np.ndarray) -> np.ndarray:
        """Features of the series `numbers`, looked at on one input, where T_fast / T_slow is `fast_time`."""
        rows = self.looks[which][numbers].copy()
        rates = self.rates[which][numbers]
        rows[:, FAST_TIME] = fast_time
        rows[:, SAVED] = np.divide(1 - fast_time, rates, out=np.full(len(rows), np.nan), where=rates > 0)
        return rows

    @cached_property
    def x(self) -> np.ndarray:
        """(rows, features and r): events of the other input, T_fast measured."""
        return np.column_stack([self.seen(0, self.number, self.measured[self.number]), self.r])

    @cached_property
    def regions(self) -> np.ndarray:
        """Region of each row."""
        return np.array([self.series[number].region for number in self.number])

    @cached_property
    def programs(self) -> np.ndarray:
        return np.array([self.series[number].program for number in self.number])

    @cached_property
    def time_ns(self) -> np.ndarray:
        return np.array([time for one in self.series for time in one.time_ns])

    @property
    def derives_fast_time(self) -> bool:
        """Whether the machine counts what T_fast is derived from."""
        return bool(np.isfinite(self.derived).all())

    @property
    def digest(self) -> str:
        """SHA-256 of the training rows."""
        parts = [self.looks.ravel(), self.derived.ravel(), self.measured, self.r, self.f]
        return hashlib.sha256(np.concatenate(parts).astype("<f8").tobytes()).hexdigest()


def dataset(found: Selection) -> Dataset:
    r = np.array([r for one in found.series for r in one.r])
    number = [index for index, one in enumerate(found.series) for _ in one.r]
    f = np.array([f for one in found.series for f in one.f])
    return Dataset(found.series, found.fingerprint, found.disturbed, found.unclear, r, f, np.array(number, int))
