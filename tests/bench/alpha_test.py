"""What bench/run alpha makes of run reports: errors by pattern, random ones only once they were refined."""

import pytest
from harness.alpha import error_by_pattern, object_table, rows_of
from harness.errors import BenchError
from harness.fidelity.emulation import Emulated
from harness.pattern_runs import run_kernel


def entry(name, predicted, counted, alpha=1.0, kind="stream"):
    counts = {"estimated_accesses": predicted, "counted_accesses": counted}
    return {"name": name, "bytes": 1 << 20, "kind": kind, "alpha": alpha} | counts


def run_of(patterns, *plans):
    """A run whose n-th plan, for instance n + 1, has these objects."""
    objects = [{"name": name, "pattern": pattern} for name, pattern in patterns.items()]
    report = {"remarks": [], "plans": [{"instance": i + 1, "objects": o} for i, o in enumerate(plans)]}
    return Emulated({"objects": objects}, report)


def test_errors_are_of_predicted_against_counted():
    run = run_of(
        {"a": "stream", "b": "strided"}, [entry("a", 1100, 1000), entry("b", 5000, 4000)], [entry("a", 0, 2000)]
    )
    rows = rows_of("kernel", run)
    assert [(row.object, row.instance, round(row.error, 6)) for row in rows] == [
        ("a", 1, 0.1),
        ("b", 1, 0.25),
        ("a", 2, 1),
    ]
    errors = error_by_pattern(rows)
    assert errors["stream"] == {"mean": 0.55, "max": 1.0, "mean_alpha_one": 0.55, "kernels": 1}
    assert errors["strided"]["mean"] == 0.25
    assert "stencil" not in errors


def test_random_patterns_count_after_three_instances():
    plans = [[entry("x", 9000, 1000)], [entry("x", 5000, 1000)], [entry("x", 1200, 1000)], [entry("x", 1000, 1000)]]
    errors = error_by_pattern(rows_of("kernel", run_of({"x": "random"}, *plans)))
    assert (errors["random"]["mean"], errors["random"]["max"]) == (0.1, 0.2)


def test_what_alpha_gains_is_shown():
    # Eq. 1 with alpha = 1 would have predicted three times as many.
    rows = rows_of("kernel", run_of({"x": "stencil"}, [entry("x", 1000, 1000, alpha=3)]))
    assert error_by_pattern(rows)["stencil"]["mean_alpha_one"] == 2


def test_objects_with_hardly_any_access_are_left_out():
    assert rows_of("kernel", run_of({"x": "stream"}, [entry("x", 10, 999)], [entry("x", 10, None)])) == []


def test_the_worst_object_stands_first():
    run = run_of({"a": "stream", "b": "stream"}, [entry("a", 1010, 1000), entry("b", 2000, 1000, kind="gather")])
    table = object_table(rows_of("k", run))
    assert table.rows[0] == ["k b", "stream", "gather", "100.00%", "100.00%"]


def test_a_run_with_other_regions_is_refused(monkeypatch):
    run = Emulated({}, {"regions": [{}, {}]})
    monkeypatch.setattr("harness.pattern_runs.emulate", lambda *words, **settings: run)

    class AnyBuild:
        def program(self, name):
            return name

    with pytest.raises(BenchError, match="2 parallel regions in the run report for 3 sizes"):
        run_kernel(AnyBuild(), "triad", ["1M", "2M", "4M"], "optane", "merchandiser-once")


def test_counts_of_lost_samples_are_refused():
    run = run_of({"a": "stream"}, [entry("a", 1000, 1000)])
    run.report["remarks"].append("12 samples were lost, so access counts are low")
    with pytest.raises(BenchError, match="triad: 12 samples were lost"):
        rows_of("triad", run)
