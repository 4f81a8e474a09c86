"""Are CF_bw, CF_lat and the peak what Unimem says that they are?"""

from __future__ import annotations

import pytest

from lbhm.measure.sample_factors import LINE, Counted, sample_factors
from lbhm.optimize.memory_figures import MemoryFigures
from lbhm.optimize.optimize import Task, request_of


def figures(rate: float, latency: float) -> dict:
    found = {"read_gb_per_s_8": rate, "write_gb_per_s_8": rate / 2, "triad_gb_per_s_8": 0.8 * rate}
    return {name: {"value": value, "spread": 0.1} for name, value in (found | {"latency_ns": latency}).items()}


FAST, SLOW = figures(100.0, 80.0), figures(20.0, 300.0)


def counts(share: float):
    """Of a round, 3000 lines for a stream and 1000 for a chase, samples see so many."""

    def count(what: str, threads: int) -> Counted:
        assert threads == (8 if what == "triad" else 1)
        if what == "triad":
            return Counted("misses", 3000, 2000 * share, 1000 * share)
        return Counted("misses", 1000, 1000 * share, 0)

    return count


def test_what_samples_do_not_see_is_made_up_for():
    found = sample_factors(FAST, SLOW, 8, counts(0.5), counts(0.25))
    took = LINE * 3000 / 80.0
    assert found["cf_bw"]["value"] == pytest.approx(took / (LINE * (1000 / 100.0 + 500 / 50.0)))
    assert found["cf_lat"]["value"] == pytest.approx(2.0)
    assert found["peak_gb_per_s"]["value"] == pytest.approx(16.0 * 0.25)
    assert found["source"] == "misses"


@pytest.mark.parametrize("missing", ["read_gb_per_s_8", "write_gb_per_s_8", "triad_gb_per_s_8", "latency_ns"])
def test_without_a_figure_there_are_no_factors(missing):
    assert sample_factors(FAST | {missing: None}, SLOW, 8, counts(1), counts(1)) is None


def test_where_nothing_counts_accesses_there_are_none():
    assert sample_factors(FAST, SLOW, 8, lambda what, threads: None, counts(1)) is None
    assert sample_factors(FAST, SLOW, 8, counts(0), counts(1)) is None


def task(profile: dict, unimem: dict | None) -> Task:
    tiers = {"capacities": [1 << 30, 1 << 40], "latencies_ns": [80, 240], "page_move_ns": [[0, 600], [500, 0]]}
    rates = {"read_gb_per_s": [160, 26], "write_gb_per_s": [160, 9]}
    rates |= {f"lane_{name}": values for name, values in rates.items()}
    found = MemoryFigures(names=["dram", "optane"], **tiers, **rates, unimem=unimem)
    return Task(profile, found, "optane", "initial", [4096, 1 << 40], worth="unimem")


def test_optimising_by_unimem_asks_with_them_and_with_the_time_of_use():
    levels = [[0, 0.0]] * 4 + [[20, 200.0]]
    life = {"born_ns": 0.0, "dies_ns": 100.0, "first_phase": 0, "last_phase": 0, "bytes": 4096}
    uses = [[0, 20, 10, 15, 5, 10.0, 39.0, 9, levels]]  # 20 of 30 came from memory, in 29 ns
    section = {
        "page_bytes": 4096,
        "line_bytes": 64,
        "period": 100.0,
        "source": "touches",
        "end_ns": 100.0,
        "phases": [{"name": "start", "begin_ns": 0.0}],
        "objects": [life | {"site": "a" * 16, "nth": 0, "uses": uses}],
    }
    profile = {"objects": section, "threads": 2}
    factors = {"source": "touches", "cf_bw": 1.5, "cf_lat": 2.0, "peak_gb_per_s": 13.0}
    asked = request_of(task(profile, factors))
    assert asked["unimem"] == {"cf_bw": 1.5, "cf_lat": 2.0, "peak_gb_per_s": 13.0}
    assert asked["units"][0]["uses"] == [
        [0, pytest.approx(2000 * 2 / 3), pytest.approx(1000 * 2 / 3), pytest.approx(31)]
    ]
    for sensitivity, during in (("latency", 1e30), ("bandwidth", 0.0)):
        section["objects"][0]["sensitivity"] = sensitivity
        assert request_of(task(profile, factors))["units"][0]["uses"][0][3] == during
    assert "unimem" not in request_of(Task(profile, task(profile, factors).figures, "optane", "initial", [0, 1]))


@pytest.mark.parametrize(
    ("factors", "complaint"),
    [
        (None, "nothing is known of CF_bw and CF_lat of machine optane; measure them: lbhm machine measure"),
        ({"source": "misses"}, "are of samples of misses, and the profile's are of touches"),
    ],
)
def test_factors_that_are_not_there_or_of_other_samples_are_named(factors, complaint):
    from lbhm.base.errors import Refusal

    section = {"source": "touches", "page_bytes": 4096, "line_bytes": 64, "phases": [{}], "objects": []}
    with pytest.raises(Refusal, match=complaint):
        request_of(task({"objects": section, "threads": 1}, factors))
