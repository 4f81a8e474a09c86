"""Are the features those of the runtime? The numbers are those of tests/model/events_test.cpp."""

from __future__ import annotations

import math
import re
from pathlib import Path

import pytest

from lbhm_training.features import NAMES, PAPER, Lane, row, slow_use

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
}
# 64 bytes * 16 accesses of 4 lanes against 1 byte/ns: 1024 bytes in 1365.3 ns, and in 8192 ns of all lanes
LANES = [Lane(4, 1024 / 0.75), *[Lane(4, (8192 - 1024 / 0.75) / 3)] * 3]


def test_golden_values():
    longest = max(lane.work_ns for lane in LANES)
    counted = [15, 0.5, 0.25, 0.25, 25, 0.04, 0.25, 10, 20, 0.1, 100]
    expected = [*counted, 1000 / 30, 4, 20, 0.125, 1024 / longest, 0.125, 0.25]
    assert row(RAW, LANES, 1.0, 400, 100) == pytest.approx(expected, rel=1e-15)


def test_names_and_their_order_are_the_runtimes():
    header = (ROOT / "model/model.h").read_text()
    names = header[header.index("struct CorrelationFeatures") :]
    names = re.findall(r'"(\w+)"', names[: names.index("};")])
    assert tuple(names) == NAMES
    assert NAMES[: len(PAPER)] == PAPER


def test_an_event_that_cannot_be_counted_makes_only_its_own_features_unknown():
    found = row(RAW | {"prefetch_misses": None}, LANES, 1.0, 400, 100)
    assert [name for name, value in zip(NAMES, found, strict=True) if math.isnan(value)] == ["PRF_Miss"]


def test_nothing_measured_is_unknown_not_zero():
    assert all(math.isnan(value) for value in row({}, [], 1.0, 0, 0))


def test_bandwidth_use_counts_what_all_lanes_ask_for():
    both, own = slow_use([Lane(100, 1000), Lane(100, 500)], 6.4)
    assert both == pytest.approx(2)
    assert own == pytest.approx(64 * 200 / (6.4 * 1500))
