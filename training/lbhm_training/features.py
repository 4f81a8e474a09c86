"""What f looks at beside r: formulas of model/learned/features.cpp, model/homogeneous.cpp, knowledge/forecast.cpp.

Rows are made of counts of any length, so every feature is a ratio. NaN: not known, XGBoost's missing value. All are of
one run in slow memory, but T_fast: derived from that run, or predicted, or measured (docs/training.md).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

# The paper's eight, section 5.1, in its order of importance.
PAPER = ("LLC_MPKI", "IPC", "PRF_Miss", "MEM_WCY", "L2_LD_Miss", "BR_MSP", "VEC_INS", "L3_LD_Miss")
# The rest that the events of these tell.
COUNTED = (*PAPER, "PRF_PKI", "PRF_Useless", "BR_PKI")
# Ours: criticality and overlap of misses, pressure on slow memory's bandwidth, T_fast against T_slow, and how many
# pages, loads and lanes are at work at a time.
ADDED = ("MISS_STALL", "MLP", "AOL", "FB_FULL", "SLOW_USE", "SLOW_USE_OWN", "FAST_TIME")
ADDED += ("PAGES_2", "PAGES_4", "PAGES_8", "SAVED", "LOADS", "LOAD_CYCLES", "LANES")
NAMES = (*COUNTED, *ADDED)  # CorrelationFeatures::names
FAST_TIME, SAVED = NAMES.index("FAST_TIME"), NAMES.index("SAVED")
R = "r_dram_acc"  # the last column of every model
LINE = 64  # bytes of a cache line of the emulated machine (emulator/description/preset.h, line_bits)

UNKNOWN = math.nan
Counts = Mapping[str, float | None]


@dataclass(frozen=True)
class Memory:
    """One tier: idle latencies in ns, bandwidths in bytes/ns."""

    sequential: float
    random: float
    read: float
    write: float


@dataclass(frozen=True)
class Machine:
    """What T_fast is derived from: its fastest and its slowest memory."""

    fast: Memory
    slow: Memory
    cycles_per_ns: float

    @classmethod
    def of(cls, file: dict[str, Any]) -> Machine:
        """Of a machine file (lbhm.machine/3), or of a run report of the host (lbhm.report/1), which knows one latency;
        the runtime takes a cycle for a nanosecond there."""

        def value(tier: dict[str, Any], key: str) -> float:
            found = tier.get(key, tier.get("latency_ns"))
            return float(found["value"] if isinstance(found, dict) else found or 0)

        def memory(tier: dict[str, Any]) -> Memory:
            keys = ("latency_sequential_ns", "latency_random_ns", "read_bandwidth_gb_per_s", "write_bandwidth_gb_per_s")
            return Memory(*(value(tier, key) for key in keys))

        tiers = file["tiers"]
        frequency = float(file["core"]["frequency_ghz"]["value"]) if "core" in file else 1.0
        return cls(memory(tiers[0]), memory(tiers[-1]), frequency)

    @property
    def known(self) -> bool:
        """Whether all figures are: firmware may leave some out."""
        return all(figure > 0 for memory in (self.fast, self.slow) for figure in vars(memory).values())


@dataclass(frozen=True)
class Lane:
    """What one lane did in a region, with everything in slow memory."""

    accesses: float  # to main memory
    work_ns: float  # not waiting


@dataclass(frozen=True)
class Look:
    """One run of a region in slow memory. row: the features of NAMES, those that T_fast is part of with the derived
    one. fast_time: that T_fast / T_slow. rate: accesses / T_slow, 1/ns."""

    row: list[float]
    fast_time: float
    rate: float


def ratio(part: float | None, whole: float | None, factor: float = 1) -> float:
    """factor * part / whole; NaN if one of them was not counted or there is no whole (model/bounded.h)."""
    if part is None or whole is None or not (part >= 0 and whole > 0):
        return UNKNOWN
    return factor * part / whole


def counted(raw: Counts) -> list[float]:
    """The features of COUNTED, and the first four of ADDED. raw: by the names of region-data; None: not counted."""

    def of(part: str, whole: str, factor: float = 1) -> float:
        return ratio(raw.get(part), raw.get(whole), factor)

    return [
        of("llc_misses", "instructions", 1000),  # LLC_MPKI
        of("instructions", "cycles"),  # IPC
        of("prefetch_misses", "prefetches"),  # PRF_Miss
        of("memory_wait_cycles", "cycles"),  # MEM_WCY
        of("l2_load_misses", "instructions", 1000),  # L2_LD_Miss
        of("branch_mispredictions", "branches"),  # BR_MSP
        of("vector_instructions", "instructions"),  # VEC_INS
        of("l3_load_misses", "instructions", 1000),  # L3_LD_Miss
        of("prefetches", "instructions", 1000),  # PRF_PKI
        of("useless_prefetches", "prefetches"),  # PRF_Useless
        of("branches", "instructions", 1000),  # BR_PKI
        of("memory_wait_cycles", "llc_misses"),  # MISS_STALL
        of("load_occupancy", "load_cycles"),  # MLP
        of("load_cycles", "l3_load_misses"),  # AOL
        of("buffers_full_cycles", "cycles"),  # FB_FULL
    ]


def slow_use(lanes: Sequence[Lane], bandwidth: float) -> tuple[float, float]:
    """SLOW_USE and SLOW_USE_OWN: lines moved against what slow memory delivers meanwhile. bandwidth: bytes/ns, read.

    SLOW_USE is what all lanes ask for in the longest lane's time, SLOW_USE_OWN what a lane asks for in its own.
    """
    moved = LINE * sum(lane.accesses for lane in lanes)
    longest = max((lane.work_ns for lane in lanes), default=0.0)
    return ratio(moved, bandwidth * longest), ratio(moved, bandwidth * sum(lane.work_ns for lane in lanes))


def derived_fast_time(raw: Counts, lanes: Sequence[Lane], machine: Machine) -> float:
    """T_fast / T_slow as homogeneous_times (model/homogeneous.cpp) derives it from a run in slow memory."""
    counts = [raw.get(name) for name in ("memory_wait_cycles", "llc_misses", "l3_load_misses", "load_occupancy")]
    work, longest = sum(lane.work_ns for lane in lanes), max((lane.work_ns for lane in lanes), default=0.0)
    if None in counts or not longest > 0 or not machine.known:
        return UNKNOWN
    waited, misses, loads, occupancy = (float(count) for count in counts if count is not None)
    slow, fast = machine.slow, machine.fast
    wait = min(work, waited / machine.cycles_per_ns)
    mean = occupancy / loads / machine.cycles_per_ns if loads else slow.sequential
    reads, writes = sum(lane.accesses for lane in lanes), max(0.0, misses - loads)
    used = min(1.0, LINE * (reads / slow.read + writes / slow.write) / longest)
    apart = slow.random - slow.sequential
    sequential = min(1.0, max(0.0, (slow.random - mean) / apart)) if apart > 0 else 0.5
    latencies = sequential * slow.sequential / fast.sequential + (1 - sequential) * slow.random / fast.random
    bandwidths = fast.read / slow.read
    slower = (1 - used) * latencies + used * bandwidths
    queued = slow.random / fast.random * mean / slow.random if mean > slow.random else 1.0
    unlimited = work - wait + wait / max(slower, queued)
    return max(unlimited, min(used * work / bandwidths, work)) / work


def look(raw: Counts, lanes: Sequence[Lane], machine: Machine) -> Look:
    """A region in slow memory. lanes: all of its machine's threads; those without work are idle."""
    work = sum(lane.work_ns for lane in lanes)
    rate = ratio(sum(lane.accesses for lane in lanes), work)
    fast_time = derived_fast_time(raw, lanes, machine)
    busy = sum(lane.work_ns > 0 for lane in lanes)
    pages = [ratio(raw.get(f"page_cycles_{number}"), raw.get("load_cycles")) for number in (2, 4, 8)]
    loads = ratio(raw.get("l3_load_misses"), raw.get("llc_misses"))
    load_cycles = ratio(raw.get("load_cycles"), raw.get("cycles"))
    row = [*counted(raw), *slow_use(lanes, machine.slow.read), UNKNOWN]
    row += [*pages, UNKNOWN, loads, load_cycles, float(busy) if busy else UNKNOWN]
    return Look(with_fast_time(row, fast_time, rate), fast_time, rate)


def with_fast_time(row: Sequence[float], fast_time: float, rate: float) -> list[float]:
    """The row with another T_fast / T_slow."""
    changed = list(row)
    changed[FAST_TIME] = fast_time
    changed[SAVED] = (1 - fast_time) / rate if rate > 0 else UNKNOWN
    return changed
