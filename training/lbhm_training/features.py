"""What f may look at beside r: the formulas of model/correlation.cpp and runtime/engine/forecast.cpp.

Rows are made of counts of any length, so every feature is a ratio. NaN: not known, XGBoost's missing value.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

# The paper's eight, section 5.1, in its order of importance.
PAPER = ("LLC_MPKI", "IPC", "PRF_Miss", "MEM_WCY", "L2_LD_Miss", "BR_MSP", "VEC_INS", "L3_LD_Miss")
# The rest that the events of these tell.
COUNTED = (*PAPER, "PRF_PKI", "PRF_Useless", "BR_PKI")
# Ours: criticality and overlap of misses, pressure on slow memory's bandwidth, T_fast against T_slow.
ADDED = ("MISS_STALL", "MLP", "AOL", "FB_FULL", "SLOW_USE", "SLOW_USE_OWN", "FAST_TIME")
NAMES = (*COUNTED, *ADDED)  # CorrelationFeatures::names
R = "r_dram_acc"  # the last column of every model
LINE = 64  # bytes of a cache line of the emulated machine (emulator/description/preset.h, line_bits)

UNKNOWN = math.nan
Counts = Mapping[str, float | None]


@dataclass(frozen=True)
class Lane:
    """What one lane did in a region, with everything in slow memory."""

    accesses: float  # to main memory
    work_ns: float  # not waiting


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


def row(raw: Counts, lanes: Sequence[Lane], bandwidth: float, slow_ns: float, fast_ns: float) -> list[float]:
    """The features of NAMES of one region. slow_ns, fast_ns: T_slow and T_fast of the input that times are of."""
    return [*counted(raw), *slow_use(lanes, bandwidth), ratio(fast_ns, slow_ns)]
