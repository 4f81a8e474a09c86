"""lbhm compare: one program under several policies, side by side."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from lbhm import __version__
from lbhm.errors import Refusal
from lbhm.execute import ORACLE, REFERENCE, UNLIMITED, Outcome, Progress, Setup, execute
from lbhm.report import check_seen, checksum_of
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


def compare(job: Comparison, progress: Progress) -> dict[str, Any]:
    """Runs all policies and returns the comparison (schema lbhm.compare/1). Raises Refusal, see execute."""
    outcomes: dict[str, Outcome] = {}
    footprint = 0
    for policy in order_of(job.policies):
        progress.start(policy)
        capacity = capacity_for(policy, job.fast, footprint) if outcomes else None
        outcomes[policy] = execute(job.setup, policy, capacity, show_output=False)
        if job.scripted:
            check_seen(outcomes[policy].report, job.setup.command[0], job.setup.machine.emulated)
        if policy == REFERENCE:
            footprint = outcomes[policy].report["footprint_bytes"]
            capacity_for("any", job.fast, footprint)  # refuse --fast now, not after the next run
        progress.done(policy)
    oracle = run_oracle(job, footprint, progress) if job.oracle else None
    return comparison_json(job, outcomes, oracle)


def run_oracle(job: Comparison, footprint: int, progress: Progress) -> Executed:
    """Counts, solves and runs the oracle. Raises Refusal."""
    from lbhm.oracle import profile, run_best  # here: scipy takes longer to import than other commands take to run

    profiles = profile(job.setup, progress)
    return run_best(job.setup, profiles, job.fast.capacity(footprint), progress)


def comparison_json(job: Comparison, outcomes: dict[str, Outcome], oracle: Executed | None = None) -> dict[str, Any]:
    """The JSON of finished runs. Raises Refusal with status 1 when the program's results differ."""
    if oracle:
        outcomes = outcomes | {ORACLE: oracle.outcome}
    checksums = {policy: checksum_of(outcome.stdout) for policy, outcome in outcomes.items()}
    check_same(job.setup.command[0], checksums)
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
        "runs": [
            _run_json(policy, outcomes[policy].report, checksums[policy]) | _distances(outcomes[policy].report, oracle)
            for policy in [*order_of(job.policies), ORACLE]
            if policy in job.policies
        ],
    }


def _run_json(policy: str, report: dict[str, Any], checksum: str) -> dict[str, Any]:
    return {
        "policy": policy,
        **{key: report[key] for key in _COPIED},
        "footprint_bytes": report["footprint_bytes"],
        "prediction": report.get("prediction"),
        "checksum": checksum,
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


def check_same(program: str, checksums: dict[str, str]) -> None:
    """Raises Refusal with status 1 unless all runs gave one result."""
    if len(set(checksums.values())) <= 1:
        return
    seen = ", ".join(f"{policy} {checksum}" for policy, checksum in checksums.items())
    raise Refusal(
        f"{program}: THE RESULTS DIFFER: {seen}. Placement must never change a result: see whether the program gives "
        "the same result twice without lbhm. If it does, this is a bug of LB-HM. If it prints times, let it print one "
        "line 'checksum: X' of its result, which is compared instead of all that it prints",
        1,
    )
