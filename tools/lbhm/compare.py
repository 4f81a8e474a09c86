"""lbhm compare: one program under several policies, side by side."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from lbhm import __version__
from lbhm.ending import Ending
from lbhm.execute import ORACLE, REFERENCE, UNLIMITED, Outcome, Progress, Setup, attempt
from lbhm.other_clock import printed_with_other_clock
from lbhm.report import check_seen
from lbhm.results import Results, check_matches, results
from lbhm.units import FastMemory

if TYPE_CHECKING:
    from lbhm.oracle import Executed

_COPIED = ("makespan_ns", "acv", "migrated_bytes", "decision_ns", "fast_access_share", "fast_capacity_bytes")


@dataclass(frozen=True)
class Comparison:
    setup: Setup
    policies: list[str]
    fast: FastMemory | None
    scripted: bool  # the program is a script, of which nothing is known before it ran
    pattern: re.Pattern[str] | None = None  # --result

    @property
    def oracle(self) -> bool:
        return ORACLE in self.policies


def order_of(policies: list[str]) -> list[str]:
    """The order of the runs: the reference first (it also tells the footprint), whether it was asked for or not.
    The oracle is not among them: it takes several."""
    return [REFERENCE, *(policy for policy in policies if policy not in (REFERENCE, ORACLE))]


def capacity_for(policy: str, fast: FastMemory | None, footprint: int) -> int | None:
    """Bytes of fast memory that a policy gets; None: all that the machine has."""
    return None if fast is None or policy == UNLIMITED else fast.capacity(footprint)


@dataclass
class Runs:
    """By policy, in the order of the runs. lost: what ended without a report, which the reference never does."""

    outcomes: dict[str, Outcome] = field(default_factory=dict)
    lost: dict[str, Ending] = field(default_factory=dict)


def compare(job: Comparison, progress: Progress) -> dict[str, Any]:
    """Runs all policies and returns the comparison (schema lbhm.compare/1), whatever the program's results are.

    Raises Refusal when nothing can be compared: see execute.
    """
    runs = Runs()
    for policy in order_of(job.policies):
        progress.start(policy)
        _run(job, policy, runs)
        progress.done(policy)
    footprint = runs.outcomes[REFERENCE].report["footprint_bytes"]
    oracle = run_oracle(job, footprint, progress) if job.oracle else None

    def again() -> bytes:
        progress.start("another clock")
        return printed_with_other_clock(job.setup)

    return comparison_json(job, runs, again, oracle)


def _run(job: Comparison, policy: str, runs: Runs) -> None:
    if policy == REFERENCE:
        outcome = runs.outcomes[policy] = attempt(job.setup, policy, None, show_output=False).outcome()
        capacity_for("any", job.fast, outcome.report["footprint_bytes"])  # refuse --fast now, not after the next run
        if job.pattern and outcome.status == 0:
            check_matches(job.pattern, outcome.stdout, job.setup.command[0], policy)
    else:
        capacity = capacity_for(policy, job.fast, runs.outcomes[REFERENCE].report["footprint_bytes"])
        ending = attempt(job.setup, policy, capacity, show_output=False)
        if ending.report is None:
            runs.lost[policy] = ending
            return
        runs.outcomes[policy] = ending.outcome()
    if job.scripted:
        check_seen(runs.outcomes[policy].report, job.setup.command[0], job.setup.machine.emulated)


def run_oracle(job: Comparison, footprint: int, progress: Progress) -> Executed:
    """Counts, solves and runs the oracle. Raises Refusal."""
    from lbhm.oracle import profile, run_best  # here: scipy takes longer to import than other commands take to run

    profiles = profile(job.setup, progress)
    return run_best(job.setup, profiles, job.fast.capacity(footprint), progress)


def comparison_json(
    job: Comparison, runs: Runs, again: Callable[[], bytes], oracle: Executed | None = None
) -> dict[str, Any]:
    """The JSON of finished runs. again: what the reference prints with another clock, called where outputs differ."""
    outcomes = runs.outcomes | ({ORACLE: oracle.outcome} if oracle else {})
    printed = {policy: outcome.stdout for policy, outcome in outcomes.items()}
    found = results(printed, job.pattern, again)
    reference = outcomes[REFERENCE].report
    footprint = reference["footprint_bytes"]
    limited = next((outcomes[name].report for name in outcomes if name not in (REFERENCE, UNLIMITED)), reference)
    # Only a policy that predicts has asked for the machine's model.
    predicting = next((outcome.report for outcome in outcomes.values() if outcome.report.get("prediction")), limited)
    capacity = job.fast.capacity(footprint) if job.fast else limited["fast_capacity_bytes"]
    return {
        "schema": "lbhm.compare/1",
        "lbhm_version": __version__,
        "machine": reference["machine"],
        "fast_capacity_bytes": capacity,
        "footprint_bytes": footprint,
        "command": job.setup.command,
        "threads": job.setup.threads,
        "seed": job.setup.seed,
        "times": "virtual" if reference["virtual_time"] else "real",
        "correlation": predicting["correlation"],
        "reference": {"policy": REFERENCE, "makespan_ns": reference["makespan_ns"]},
        "oracle": oracle.json() if oracle else None,
        "result": {"pattern": job.pattern.pattern if job.pattern else None, **found.json()},
        "runs": [
            _run_json(policy, outcomes[policy], found) | _distances(outcomes[policy].report, oracle)
            for policy in [*order_of(job.policies), ORACLE]
            if policy in job.policies and policy in outcomes
        ],
        "failed": failed_json(outcomes, runs.lost),
    }


def failed_json(outcomes: dict[str, Outcome], lost: dict[str, Ending]) -> list[dict[str, Any]]:
    """Runs that did not end with status 0, or without a report."""
    failed = {policy: outcome for policy, outcome in outcomes.items() if outcome.status}
    return [
        {"policy": policy, "exit_status": run.status, "report": policy in outcomes, "words": list(run.words)}
        for policy, run in (failed | lost).items()
    ]


def _run_json(policy: str, outcome: Outcome, found: Results) -> dict[str, Any]:
    report = outcome.report
    return {
        "policy": policy,
        **{key: report[key] for key in _COPIED},
        "footprint_bytes": report["footprint_bytes"],
        "prediction": report.get("prediction"),
        "checksum": found.checksum(policy),
        "exit_status": outcome.status,
        "remarks": report["remarks"],
        "regions": report["regions"],
    }


def _distances(report: dict[str, Any], oracle: Executed | None) -> dict[str, float | None]:
    """How much longer the run took than the executed oracle, and than the bound: 0.1 is 10 %."""
    if oracle is None:
        return {}
    makespan, bound = report["makespan_ns"], oracle.solution.bound_ns
    return {
        "oracle_distance": makespan / oracle.makespan_ns - 1 if oracle.makespan_ns else None,
        "bound_distance": makespan / bound - 1 if bound else None,
    }
