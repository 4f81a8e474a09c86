"""Are the features those of the runtime? The numbers are those of tests/model/events_test.cpp."""

from __future__ import annotations

import math
import re
from pathlib import Path

import pytest

from lbhm_training.features import (
    NAMES,
    PAPER,
    Lane,
    Machine,
    Memory,
    derived_fast_time,
    look,
    slow_use,
    with_fast_time,
)

ROOT = Path(__file__).parents[2]
RAW = {
    "instructions": 2000,
    "cycles": 4000,
    "memory_wait_cycles": 1000,
    "l2_load_misses": 50,
    "l3_load_misses": 20,
    "llc_misses": 30,
    "prefetches": 40,
    "prefetch_misses": 10,
    "branches": 200,
    "branch_mispredictions": 8,
    "vector_instructions": 500,
    "useless_prefetches": 4,
    "load_occupancy": 1600,
    "load_cycles": 400,
    "buffers_full_cycles": 500,
    "page_cycles_2": 300,
    "page_cycles_4": 200,
    "page_cycles_8": 100,
}
MACHINE = Machine(Memory(80, 100, 4, 3), Memory(160, 300, 1, 1), 2.0)
# 64 bytes * 16 accesses of 4 lanes against 1 byte/ns: 1024 bytes in 1365.3 ns, and in 8192 ns of all lanes
LANES = [Lane(4, 1024 / 0.75), *[Lane(4, (8192 - 1024 / 0.75) / 3)] * 3]


def test_golden_values():
    longest = max(lane.work_ns for lane in LANES)
    counted = [15, 0.5, 0.25, 0.25, 25, 0.04, 0.25, 10, 20, 0.1, 100]
    expected = [*counted, 1000 / 30, 4, 20, 0.125, 1024 / longest, 0.125, 0.25]
    expected += [0.75, 0.5, 0.25, 0.75 * 8192 / 16, 20 / 30, 0.1, 4]
    found = look(RAW, LANES, MACHINE)
    assert found.rate == 16 / 8192
    assert with_fast_time(found.row, 0.25, found.rate) == pytest.approx(expected, rel=1e-15)


def test_t_fast_is_derived_as_the_runtime_does():
    """HomogeneousTimes.OfATrainingRegion in tests/model/homogeneous_test.cpp has the same numbers."""
    lanes = [Lane(1000, 400_000)]
    raw = {"memory_wait_cycles": 400_000, "llc_misses": 1000, "l3_load_misses": 900, "load_occupancy": 414_000}
    assert derived_fast_time(raw, lanes, MACHINE) == pytest.approx(272358.9001447178 / 400_000, rel=1e-12)


def test_names_and_their_order_are_the_runtimes():
    header = (ROOT / "model/model.h").read_text()
    names = header[header.index("struct CorrelationFeatures") :]
    names = re.findall(r'"(\w+)"', names[: names.index("};")])
    assert tuple(names) == NAMES
    assert NAMES[: len(PAPER)] == PAPER


def test_an_event_that_cannot_be_counted_makes_only_its_own_features_unknown():
    found = look(RAW | {"prefetch_misses": None}, LANES, MACHINE)
    assert [name for name, value in zip(NAMES, found.row, strict=True) if math.isnan(value)] == ["PRF_Miss"]


def test_nothing_measured_is_unknown_not_zero():
    assert all(math.isnan(value) for value in look({}, [], MACHINE).row)


def test_bandwidth_use_counts_what_all_lanes_ask_for():
    both, own = slow_use([Lane(100, 1000), Lane(100, 500)], 6.4)
    assert both == pytest.approx(2)
    assert own == pytest.approx(64 * 200 / (6.4 * 1500))
