"""From measured regions (lbhm.training-data/1) to series: one region under many placements, with its f of Eq. 2."""

from __future__ import annotations

import json
import math
import statistics
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from lbhm_training.features import Lane, Look, Machine, look

# Which regions f is learned from. Assumptions: of fewer accesses or shorter times, chance and the edges of quanta
# (43 us on optane) are a good part of what was measured.
FEWEST_ACCESSES = 1000
SHORTEST_NS = 100_000.0
# A region is left out if less than this share of its accesses were served by fast memory with all pages there: pages
# that appear in the region itself are charged to slow memory at first (docs/regions.md), so T_fast is not known.
LEAST_FAST_SHARE = 0.98
# Of T_slow: by how much time may go back on its way from T_slow to T_fast, or lie above that of the slower memory
# alone, until something else than the placement was measured (the paper's rationale (1): hybrid times lie between the
# homogeneous ones). An assumption; how many series this leaves out is reported.
DISTURBED = 0.1
# Repeats tell how much of a time is chance. What f is learned from is how far times are from a straight line between
# T_slow and T_fast, which is a part of their difference: the difference must be so many times what repeats differ by.
# An assumption.
CLEAR = 3
# If so many of the series are unclear the others are, too, but for chance: with two equal memories on a busy computer
# 20 of 615 looked clear, and in half of these fast memory was the slower one.
MOSTLY = 0.9
FEWEST_REGIONS = 12  # so that every inner fold of a grouped split has some
# 1 / (1 - r) multiplies every error of a measured time; beyond this a percent of noise is 50 % of f.
LARGEST_R = 0.98


class BadData(Exception):
    """A file that is not training data, or data of several machines. The sentence names it and the remedy."""


class NothingToLearn(Exception):
    """Fast memory saves nothing that can be measured. The sentence says what was seen."""


@dataclass(frozen=True)
class Series:
    """One region of one program with one number of threads.

    lanes: that took part; 1 is serial code, which is the same with any number of threads. looks: at its run in slow
    memory on the input that times are not of, and on the one that they are of. r, time_ns: of each placement between,
    r rising. slow_ns, fast_ns: T_slow and T_fast. spread_ns: by how much repeats of a run differ, the median over all
    placements; 0 where times are exact.
    """

    region: str
    program: str
    threads: int
    lanes: int
    looks: tuple[Look, Look]
    slow_ns: float
    fast_ns: float
    r: list[float]
    time_ns: list[float]
    spread_ns: float = 0.0

    @property
    def unclear(self) -> bool:
        return abs(self.slow_ns - self.fast_ns) < CLEAR * self.spread_ns

    @property
    def disturbed(self) -> bool:
        way = 1 if self.fast_ns <= self.slow_ns else -1
        back = max(way * (after - before) for before, after in pairwise([self.slow_ns, *self.time_ns]))
        above = max(self.time_ns) - max(self.slow_ns, self.fast_ns)
        return max(above, back) > DISTURBED * self.slow_ns

    @property
    def f(self) -> list[float]:
        """Eq. 2 solved for f: (T_hybrid - T_fast r) / (T_slow (1 - r))."""
        return [
            (time - self.fast_ns * r) / (self.slow_ns * (1 - r)) for r, time in zip(self.r, self.time_ns, strict=True)
        ]


@dataclass(frozen=True)
class Selection:
    """Series that are each something of its own, and how many were left out as disturbed and as unclear."""

    series: list[Series]
    disturbed: int
    unclear: int
    fingerprint: str


def read(files: Iterable[Path], machine: Machine) -> Selection:
    """Raises BadData, also when too few regions can be used, and NothingToLearn."""
    series: list[Series] = []
    fingerprints: set[str] = set()
    for file in sorted(files):
        try:
            content = json.loads(file.read_bytes())
            series += series_of(content, machine)
            fingerprints.add(content["train"].get("machine_fingerprint", ""))
        except (OSError, ValueError, KeyError, TypeError, IndexError) as error:
            raise BadData(f"{file}: this is no training data ({error!r}); remove it and train again") from None
    if len(fingerprints) > 1:
        raise BadData(
            f"the training data is of several machines ({', '.join(sorted(fingerprints))}); use another --work"
        )
    if not series:
        raise BadData(
            f"no region of the training programs takes {SHORTEST_NS / 1e6:g} ms and {FEWEST_ACCESSES} accesses or more "
            "in slow memory; nothing can be learned"
        )
    found = select(series, fingerprints.pop())
    few = len({one.region for one in found.series}) < FEWEST_REGIONS
    clear = len(found.series) + found.disturbed
    if found.unclear > (1 / 2 if few else MOSTLY) * (found.unclear + clear):
        raise NothingToLearn(
            f"f has nothing to learn: in {found.unclear} of {found.unclear + clear} series the "
            f"times in slow and in fast memory differ by less than {CLEAR} times what repeats of one run differ by"
        )
    if few:
        raise BadData(
            f"usable are fewer than {FEWEST_REGIONS} regions, too few to learn from; take more programs (--programs, "
            "--corpus)"
        )
    return found


def select(found: list[Series], fingerprint: str = "") -> Selection:
    """Serial code counts once, disturbed and unclear series do not. Where a machine counts what T_fast is derived from,
    a series without it was read wrongly."""
    complete = [one for one in found if all(math.isfinite(look.fast_time) for look in one.looks)]
    found = complete or found
    once = {(one.program, one.region, one.threads if one.lanes > 1 else 1): one for one in reversed(found)}
    clear = [one for one in reversed(once.values()) if not one.unclear]
    series = [one for one in clear if not one.disturbed]
    return Selection(series, len(clear) - len(series), len(once) - len(clear), fingerprint)


def series_of(content: dict[str, Any], machine: Machine) -> list[Series]:
    """The usable regions of one program with one number of threads."""
    seeds = {region["id"]: region["runs"][0] for region in content["seed"]["regions"]}
    last = len(content["train"]["placements"]) - 1
    found = []
    for region in content["train"]["regions"]:
        runs = {run["placement"]: run["self"] for run in region["runs"]}
        seed = seeds.get(region["id"])
        if seed is None or len(runs) <= last or not _known(seed["self"], *runs.values()):
            continue
        if not usable(runs[0], runs[last]):
            continue
        slow, fast = runs[0]["work_ns"], runs[last]["work_ns"]
        first = next(run for run in region["runs"] if run["placement"] == 0)
        points = sorted(
            (run["fast_share"], run["work_ns"])
            for placement, run in runs.items()
            if 0 < placement < last and run["fast_share"] is not None and run["fast_share"] <= LARGEST_R
        )
        looks = (_look(seed, machine), _look(first, machine))
        if not points:
            continue
        found.append(
            Series(
                region["id"],
                content["program"],
                content["train"]["threads"],
                sum((lane["self"]["work_ns"] or 0) > 0 for lane in seed["lanes"]),
                looks,
                slow,
                fast,
                [share for share, _ in points],
                [time for _, time in points],
                _spread(region["runs"]),
            )
        )
    return found


def _spread(runs: list[dict[str, Any]]) -> float:
    """By how much the longest repeat exceeds the shortest, in the median over placements: one disturbed run counts
    little. 0 without repeats."""
    return statistics.median(max(times) - min(times) for run in runs for times in [run.get("repeats_ns", [0])])


def accesses(reading: dict[str, Any]) -> float:
    """To main memory. Where they are not counted by tier, misses of the last level; NaN where those are not, either."""
    if reading["accesses"]:
        return sum(reading["accesses"])
    misses = reading["events"].get("llc_misses")
    return math.nan if misses is None else misses


def _look(run: dict[str, Any], machine: Machine) -> Look:
    own = [lane["self"] for lane in run["lanes"] if _known(lane["self"])]
    lanes = [Lane(accesses(reading), reading["work_ns"]) for reading in own]
    return look(run["self"]["events"], lanes, machine)


def _known(*readings: dict[str, Any]) -> bool:
    """Self is null where regions nested in it ran too often to be measured."""
    return all(reading["work_ns"] is not None for reading in readings)


def usable(slow: dict[str, Any], fast: dict[str, Any]) -> bool:
    """Whether a region does enough, and is really in one memory at both ends. slow, fast: its self readings there."""
    return (
        slow["work_ns"] >= SHORTEST_NS
        and not accesses(slow) < FEWEST_ACCESSES  # or nobody knows
        and fast["work_ns"] > 0
        and slow["executions"] == fast["executions"]
        and (fast["fast_share"] or 0) >= LEAST_FAST_SHARE
    )
