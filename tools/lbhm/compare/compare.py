"""lbhm compare: one program under several policies, side by side."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from lbhm.base.errors import Refusal
from lbhm.compare.begun_runs import BegunRuns, capacity_for, ending_of
from lbhm.compare.compare_json import comparison_json
from lbhm.compare.comparison import Comparison, Runs, order_of
from lbhm.compare.other_clock import OTHER_CLOCKS, with_other_clock
from lbhm.compare.results import check_matches
from lbhm.execute.execute import ORACLE, REFERENCE, UNLIMITED, Outcome, Progress, Setup, attempt
from lbhm.execute.side_by_side import SideBySide
from lbhm.files.report import check_seen

if TYPE_CHECKING:
    from lbhm.oracle.oracle import Executed


def compare(job: Comparison, progress: Progress, begun: BegunRuns | None = None) -> dict[str, Any]:
    """Runs all policies and returns the comparison (schema lbhm.compare/1), whatever the program's results are.

    begun: what is shared with comparisons of the same job with other amounts of fast memory.
    Raises Refusal when nothing can be compared: see execute.
    """
    runs, begun = Runs(), begun or BegunRuns()
    for policy in order_of(job.policies):
        if policy in begun.known:
            runs.outcomes[policy] = begun.known[policy]
            continue
        progress.start(policy)
        if policy == REFERENCE:
            _run_reference(job, runs, begun)
        else:
            _run(job, policy, runs, begun, progress)
        progress.done(policy)
        if policy in (REFERENCE, UNLIMITED) and policy in runs.outcomes:
            begun.known[policy] = runs.outcomes[policy]
    for _ in range(job.repeat - 1):
        _repeat(job, runs, progress)
    footprint = runs.outcomes[REFERENCE].report["footprint_bytes"]
    oracle = run_oracle(job, footprint, progress, runs, begun.side_by_side) if job.oracle else None

    def again(policies: list[str], number: int) -> dict[str, bytes]:
        with with_other_clock(job.setup, OTHER_CLOCKS[number]) as setup:
            others = [policy for policy in policies if policy != ORACLE]
            started = {policy: begun.begin(setup, policy, job.fast, footprint) for policy in others}
            endings = {}
            for policy, run in started.items():
                progress.start(policy)
                endings[policy] = ending_of(policy, run, {})
        # What ended in another way, such as by the slower machine's limit of time, says nothing of results.
        return {
            policy: ending.stdout
            for policy, ending in endings.items()
            if ending and ending.status == runs.outcomes[policy].status
        }

    return comparison_json(job, runs, again, oracle)


def _run_reference(job: Comparison, runs: Runs, begun: BegunRuns) -> None:
    """And begins the others, unless what it tells refuses them."""
    outcome = runs.outcomes[REFERENCE] = attempt(job.setup, REFERENCE, None, show_output=False).outcome()
    footprint, amounts = outcome.report["footprint_bytes"], [job.fast, *job.later]
    _check_memories(job.setup, outcome.report)
    for fast in amounts:  # refuse --fast now, not after the next run
        capacity_for("any", fast, footprint)
    if job.pattern and outcome.status == 0:
        check_matches(job.pattern, outcome.stdout, job.setup.command[0], REFERENCE)
    _check_scripted(job, outcome)
    begun.begin_all(job.setup, job.policies, amounts, footprint)


def _run(job: Comparison, policy: str, runs: Runs, begun: BegunRuns, progress: Progress) -> None:
    footprint = runs.outcomes[REFERENCE].report["footprint_bytes"]
    ending = ending_of(policy, partial(begun.take, job.setup, policy, job.fast, footprint, progress), runs.refused)
    if ending is None:
        return
    if ending.report is None:
        runs.lost[policy] = ending
        return
    runs.outcomes[policy] = ending.outcome()
    _check_scripted(job, runs.outcomes[policy])


def _check_scripted(job: Comparison, outcome: Outcome) -> None:
    if job.scripted:
        check_seen(outcome.report, job.setup.command[0], job.setup.machine.emulated)


def _check_memories(setup: Setup, report: dict[str, Any]) -> None:
    """Raises Refusal where policies have nothing to choose."""
    if len(report.get("tiers") or []) == 1:
        raise Refusal(
            f"--machine {setup.machine.value}: it has one memory, so nothing can be placed and every policy does the "
            f"same; name a machine with two (lbhm machine list), as in --machine optane, and build the program for it: "
            "lbhm cc, c++ or fc --emulate"
        )


def _repeat(job: Comparison, runs: Runs, progress: Progress) -> None:
    """Once more in turn: whatever changes on the machine meanwhile is there for every policy."""
    for policy in order_of(job.policies):
        if policy not in runs.outcomes:
            continue
        progress.start(policy)
        ending = attempt(job.setup, policy, None, show_output=False)
        if ending.report is None:
            runs.lost[policy] = ending
            if policy != REFERENCE:  # the other runs are held against it: its runs so far stay
                runs.outcomes.pop(policy)
        else:
            runs.again.setdefault(policy, []).append(ending.outcome())
        progress.done(policy)


def run_oracle(
    job: Comparison, footprint: int, progress: Progress, runs: Runs, side_by_side: SideBySide
) -> Executed | None:
    """Counts, solves and runs the oracle. What is wrong with that is noted in `runs`, whose other results stay."""
    # Here: scipy takes longer to import than other commands take to run.
    from lbhm.oracle.oracle import profile, run_best

    try:
        profiles = profile(job.setup, progress, side_by_side=side_by_side)
        return run_best(job.setup, profiles, job.fast.capacity(footprint), progress, side_by_side, job.plan)
    except Refusal as refusal:
        runs.refused[ORACLE] = refusal
        return None
