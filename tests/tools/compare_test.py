"""What does a comparison say that no single run can?"""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import pytest

from lbhm.base.errors import Refusal
from lbhm.compare import begun_runs, compare, compare_table, profiled_policies
from lbhm.compare.compare_json import comparison_json
from lbhm.compare.comparison import Comparison, Runs
from lbhm.compare.verdict import check_verdict
from lbhm.execute.ending import Ending, Outcome
from lbhm.files.report import validator
from lbhm.oracle.oracle import Executed, Solution


def outcome(correlation: str, prediction: dict | None) -> Outcome:
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
    return Outcome(report, b"checksum: 1\n")


def nothing_again(policies: list[str], number: int) -> dict[str, bytes]:
    raise AssertionError(f"outputs are the same, so no further run under {policies} is needed")


def test_f_is_named_by_the_run_that_predicted():
    """Policies that predict nothing never ask for the machine's model, so their reports know of the analytic f only."""
    policies = ["slow-only", "first-touch", "merchandiser"]
    job = SimpleNamespace(
        setup=SimpleNamespace(command=["./a"], lanes=2, seed=1), policies=policies, fast=None, pattern=None
    )
    runs = [outcome("analytic", None), outcome("analytic", None), outcome("optane/0123", {"tasks": 3})]
    assert (
        comparison_json(job, Runs(dict(zip(policies, runs, strict=True))), nothing_again)["correlation"]
        == "optane/0123"
    )
    runs[2] = outcome("analytic", {"tasks": 3})
    assert (
        comparison_json(job, Runs(dict(zip(policies, runs, strict=True))), nothing_again)["correlation"] == "analytic"
    )


def test_distances_are_told_where_there_is_an_oracle():
    policies = ["slow-only", "merchandiser", "oracle"]
    job = SimpleNamespace(
        setup=SimpleNamespace(command=["./a"], lanes=2, seed=1), policies=policies, fast=None, pattern=None
    )
    runs = {"slow-only": outcome("analytic", None), "merchandiser": outcome("analytic", None)}
    best = outcome("analytic", None)
    best.report["makespan_ns"] = 6.0
    plan = SimpleNamespace(name="static", predicted_ps=5500.0)
    executed = Executed(best, plan, Solution([plan], bound_ns=4.5, solve_seconds=0.1))
    compared = comparison_json(job, Runs(runs), nothing_again, executed)
    validator("compare").validate(compared)
    assert [run["oracle_distance"] for run in compared["runs"]] == [0.5, 0.5, 0]
    assert [run["bound_distance"] for run in compared["runs"]] == [1, 1, 6 / 4.5 - 1]
    assert compared["oracle"]["predicted_ns"] == 5.5
    table = compare_table.compare_table(compared)
    assert [column.header for column in table.columns][3:5] == ["to oracle", "to bound"]
    assert "oracle_distance" not in comparison_json(job, Runs(runs | {"oracle": best}), nothing_again)["runs"][0]


def test_what_was_wrong_with_the_oracle_loses_no_other_run():
    policies = ["slow-only", "oracle"]
    job = SimpleNamespace(
        setup=SimpleNamespace(command=["./a"], lanes=2, seed=1), policies=policies, fast=None, pattern=None
    )
    runs = Runs(
        {"slow-only": outcome("analytic", None)}, refused={"oracle": Refusal("./a: no two runs allocate alike")}
    )
    compared = comparison_json(job, runs, nothing_again)
    validator("compare").validate(compared)
    assert [run["policy"] for run in compared["runs"]] == ["slow-only"]
    with pytest.raises(Refusal, match="no two runs allocate alike"):
        check_verdict(compared)


def test_each_reason_is_told_once_with_its_policies():
    """Whatever else went wrong; and the oracle's reason is another one."""
    policies = ["slow-only", "h2m-static", "h2m-phases", "oracle"]
    job = SimpleNamespace(
        setup=SimpleNamespace(command=["./a"], lanes=2, seed=1), policies=policies, fast=None, pattern=None
    )
    refused = {policy: Refusal("./a: it has no objects") for policy in policies[1:3]}
    refused["oracle"] = Refusal("./a: no two runs allocate alike", words=["a: the last word"])
    runs = Runs({"slow-only": outcome("analytic", None)}, refused=refused)
    compared = comparison_json(job, runs, nothing_again)
    expected = [
        "lbhm: h2m-static, h2m-phases could not be run: ./a: it has no objects",
        "lbhm: oracle could not be run: ./a: no two runs allocate alike",
        "a: the last word",
    ]
    with pytest.raises(Refusal) as told:
        check_verdict(compared, compared)
    assert told.value.lines() == expected
    lines = [line for line in compare_table.compare_lines(compared) if "could not be run" in line]
    assert lines == ["could not be run, so not shown: h2m-static, h2m-phases, oracle"]

    runs.outcomes["slow-only"] = replace(runs.outcomes["slow-only"], status=3)
    with pytest.raises(Refusal) as told:
        check_verdict(comparison_json(job, runs, nothing_again))
    assert told.value.status == 3
    assert "exit status 3 under policy slow-only" in told.value.lines()[0]
    assert told.value.lines()[1:] == expected


@pytest.mark.parametrize(("code", "sentence"), [(0, "it ended without LB-HM's run report"), (-11, "SIGSEGV")])
def test_a_repetition_of_the_reference_without_a_report_loses_nothing_else(monkeypatch, code, sentence):
    again = []

    def attempt(setup, policy, *_, **__) -> Ending:
        again.append(policy)
        lost = again.count("slow-only") == 2 and policy == "slow-only"
        run = outcome("analytic", None)
        return Ending("./a", policy, code if lost else 0, run.stdout, b"", None if lost else run.report)

    monkeypatch.setattr(compare, "attempt", attempt)
    monkeypatch.setattr(begun_runs, "attempt", attempt)
    setup = SimpleNamespace(command=["./a"], lanes=2, seed=1)
    job = Comparison(setup, ["slow-only", "first-touch"], None, False, repeat=3)
    progress = SimpleNamespace(start=lambda _: None, done=lambda _: None)
    compared = compare.compare(job, progress)
    validator("compare").validate(compared)
    assert {run["policy"]: len(run["times_ns"]) for run in compared["runs"]} == {"slow-only": 2, "first-touch": 3}
    with pytest.raises(Refusal, match=sentence):
        check_verdict(compared)
    assert any(line.startswith("slow-only: the program") for line in compare_table.compare_lines(compared))


@pytest.mark.parametrize(("fast_accesses", "said"), [(0, True), (5, False)])
def test_a_profile_that_brings_nothing_into_fast_memory_is_said(monkeypatch, fast_accesses, said):
    report = {"remarks": [], "regions": [{"tasks": [{"fast_accesses": fast_accesses}]}]}
    monkeypatch.setattr(profiled_policies, "task_of", lambda *_: None)
    monkeypatch.setattr(profiled_policies, "run_placed", lambda *_: SimpleNamespace(report=report))
    known = SimpleNamespace(profile={"makespan_ns": 1e6})
    profiled_policies.attempt_profiled(None, "h2m-initial", 1 << 20, known)
    assert any("nothing that regions access lies in fast memory" in line for line in report["remarks"]) == said
