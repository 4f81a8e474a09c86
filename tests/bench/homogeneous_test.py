"""What bench/run homogeneous makes of runs: errors of predicted times by memory, size and scaling."""

import pytest
from harness.errors import BenchError
from harness.fidelity.emulation import Emulated
from harness.homogeneous import TIMES, error_table, mean_error, rows_of, sizes_of


def measured(*nanoseconds):
    """A run of two lanes, the second of which takes twice as long."""
    tasks = [[{"lane": lane, "time_ns": ns * (lane + 1)} for lane in (0, 1)] for ns in nanoseconds]
    return Emulated({}, {"regions": [{"tasks": of_region} for of_region in tasks]})


def times(slow, fast, lane):
    return {"slow_only_ns": slow * (lane + 1), "fast_only_ns": fast * (lane + 1)}


def planned(sizes, cosine):
    """A run whose plans predict these pairs of (slow, fast) for lane 0 and twice as much for lane 1."""
    plans = [
        {
            "instance": i + 1,
            "tasks": [{"lane": k, "sizes": times(*ours, k), "cosine": times(*papers, k)} for k in (0, 1)],
        }
        for i, (ours, papers) in enumerate(zip(sizes, cosine, strict=True))
    ]
    return Emulated({}, {"plans": plans})


RUNS = {"slow-only": measured(100, 25, 50, 200, 400), "fast-only": measured(40, 10, 20, 80, 160)}
EXACT = [(25, 10), (50, 20), (200, 80), (400, 160)]
ALWAYS_THE_BASE = [(100, 40)] * 4


def test_a_prediction_that_sees_no_growth_is_wrong_by_it():
    rows = rows_of("kernel", RUNS, planned(EXACT, ALWAYS_THE_BASE))
    assert mean_error(rows, scaling="default") == 0
    # 100 for 25, 50, 200 and 400: 3, 1, 0.5 and 0.75.
    assert mean_error(rows, scaling="paper") == pytest.approx(5.25 / 4, abs=1e-4)
    assert mean_error(rows, scaling="paper", memory="fast-only", times=0.25) == 3


def test_tables_have_both_scalings_side_by_side():
    rows = rows_of("kernel", RUNS, planned(EXACT, ALWAYS_THE_BASE))
    errors, table = error_table(rows, "times", "by size")
    assert errors["0.25"] == {"paper": 3, "default": 0}
    assert table.rows[0] == ["0.25", "300.0%", "0.0%"]


def test_a_missing_plan_is_told():
    with pytest.raises(BenchError, match="kernel: no plan for instance 4"):
        rows_of("kernel", RUNS, planned(EXACT[:3], ALWAYS_THE_BASE[:3]))


def test_sizes_run_from_a_quarter_to_four_times_the_base():
    assert sizes_of("triad") == ["4096K", "1024K", "2048K", "8192K", "16384K"]
    assert len(sizes_of("all-pairs")) == len(TIMES)
