"""What does a comparison say that no single run can?"""

from __future__ import annotations

from types import SimpleNamespace

from lbhm.compare import comparison_json


def outcome(correlation: str, prediction: dict | None) -> SimpleNamespace:
    report = {
        "machine": "optane",
        "virtual_time": True,
        "correlation": correlation,
        "prediction": prediction,
        "fast_capacity_bytes": 1,
        "footprint_bytes": 4,
        "makespan_ns": 9.0,
        "acv": 0.0,
        "migrated_bytes": 0,
        "decision_ns": 0,
        "fast_access_share": 0.0,
        "remarks": [],
        "regions": [],
    }
    return SimpleNamespace(report=report, stdout=b"checksum: 1\n")


def test_f_is_named_by_the_run_that_predicted():
    """Policies that predict nothing never ask for the machine's model, so their reports know of the analytic f only."""
    policies = ["slow-only", "first-touch", "merchandiser"]
    job = SimpleNamespace(setup=SimpleNamespace(command=["./a"], threads=2, seed=1), policies=policies, fast=None)
    runs = [outcome("analytic", None), outcome("analytic", None), outcome("optane/0123", {"tasks": 3})]
    assert comparison_json(job, dict(zip(policies, runs, strict=True)))["correlation"] == "optane/0123"
    runs[2] = outcome("analytic", {"tasks": 3})
    assert comparison_json(job, dict(zip(policies, runs, strict=True)))["correlation"] == "analytic"
