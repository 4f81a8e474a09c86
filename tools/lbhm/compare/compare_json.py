"""The JSON of a comparison (schema lbhm.compare/1), from finished runs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from lbhm import __version__
from lbhm.compare.comparison import Comparison, Runs, median_of
from lbhm.compare.other_clock import OTHER_CLOCKS
from lbhm.compare.results import Results
from lbhm.execute.ending import Outcome
from lbhm.execute.execute import ORACLE, REFERENCE, UNLIMITED

if TYPE_CHECKING:
    from lbhm.oracle.oracle import Executed

_COPIED = ("makespan_ns", "acv", "migrated_bytes", "decision_ns", "fast_access_share", "fast_capacity_bytes")
_SHOWN = ("tiers", "timeline", "plans", "sites", "worths")  # what pictures and sentences show of a run


def comparison_json(
    job: Comparison,
    runs: Runs,
    again: Callable[[list[str], int], dict[str, bytes]],
    oracle: Executed | None = None,
) -> dict[str, Any]:
    """The JSON of finished runs. again: what policies print with the n-th other clock, called where outputs differ."""
    first = runs.outcomes | ({ORACLE: oracle.outcome} if oracle else {})
    ran = {policy: [outcome, *runs.again.get(policy, [])] for policy, outcome in first.items()}
    outcomes = {policy: _worst(median_of(all_of), all_of) for policy, all_of in ran.items()}
    found = Results({policy: [outcome.stdout for outcome in all_of] for policy, all_of in ran.items()}, job.pattern)
    found.ask_again(again, len(OTHER_CLOCKS))
    reference = outcomes[REFERENCE].report
    footprint = reference["footprint_bytes"]
    limited = next((outcomes[name].report for name in outcomes if name not in (REFERENCE, UNLIMITED)), reference)
    # Only a policy that predicts has asked for the machine's model.
    predicting = next((outcome.report for outcome in outcomes.values() if outcome.report.get("prediction")), limited)
    return {
        "schema": "lbhm.compare/1",
        "lbhm_version": __version__,
        "machine": reference["machine"],
        "fast_capacity_bytes": job.fast.capacity(footprint) if job.fast else limited["fast_capacity_bytes"],
        "footprint_bytes": footprint,
        "command": job.setup.command,
        "threads": job.setup.lanes,
        "seed": job.setup.seed,
        "times": "virtual" if reference["virtual_time"] else "real",
        "correlation": predicting["correlation"],
        "reference": {"policy": REFERENCE, "makespan_ns": reference["makespan_ns"]},
        "oracle": oracle.json() if oracle else None,
        "result": {"pattern": job.pattern.pattern if job.pattern else None, **found.json()},
        "runs": [
            _run_json(policy, outcomes[policy], found)
            | ({"times_ns": [run.report["makespan_ns"] for run in ran[policy]]} if len(ran[policy]) > 1 else {})
            | _distances(outcomes[policy].report, oracle)
            for policy in outcomes
            if policy in job.policies
        ],
        "failed": failed_json(outcomes, runs),
    }


def _worst(shown: Outcome, all_of: list[Outcome]) -> Outcome:
    """The run that is shown, with the exit status and the last words of one that failed."""
    failed = next((outcome for outcome in all_of if outcome.status), shown)
    return replace(shown, status=failed.status, words=failed.words)


def failed_json(outcomes: dict[str, Outcome], runs: Runs) -> list[dict[str, Any]]:
    """Runs that did not end with status 0, or without a report."""
    failed = {policy: outcome for policy, outcome in outcomes.items() if outcome.status} | runs.lost
    found = [(policy, run, policy in outcomes, None) for policy, run in failed.items()]
    found += [(policy, refusal, False, refusal.sentence) for policy, refusal in runs.refused.items()]
    return [
        {"policy": policy, "exit_status": run.status, "report": report, "words": list(run.words), "why": why}
        for policy, run, report, why in found
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
        **{key: report[key] for key in _SHOWN if key in report},
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
