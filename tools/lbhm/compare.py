"""lbhm compare: one program under several policies, side by side."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from lbhm.compare_json import comparison_json
from lbhm.ending import Ending
from lbhm.errors import Refusal
from lbhm.execute import ORACLE, REFERENCE, UNLIMITED, Outcome, Progress, Setup, attempt
from lbhm.other_clock import OTHER_CLOCKS, with_other_clock
from lbhm.report import check_seen
from lbhm.results import check_matches
from lbhm.units import FastMemory

if TYPE_CHECKING:
    from lbhm.oracle import Executed
    from lbhm.profiled_policies import Known


@dataclass(frozen=True)
class Comparison:
    setup: Setup
    policies: list[str]
    fast: FastMemory | None
    scripted: bool  # the program is a script, of which nothing is known before it ran
    pattern: re.Pattern[str] | None = None  # --result
    repeat: int = 1
    later: tuple[FastMemory, ...] = ()  # of comparisons that follow: what is wrong with them is said at once

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
    """By policy, in the order of the runs. lost: what ended without a report; of the reference only a repetition can,
    and its other runs stay. refused: what could not be run. again: of the same policies, all runs but the first."""

    outcomes: dict[str, Outcome] = field(default_factory=dict)
    lost: dict[str, Ending] = field(default_factory=dict)
    refused: dict[str, Refusal] = field(default_factory=dict)
    again: dict[str, list[Outcome]] = field(default_factory=dict)
    profiles: list[Known] = field(default_factory=list)  # what policies that profile know, once one was run


def compare(
    job: Comparison,
    progress: Progress,
    known: dict[str, Outcome] | None = None,
    profiles: list[Known] | None = None,
) -> dict[str, Any]:
    """Runs all policies and returns the comparison (schema lbhm.compare/1), whatever the program's results are.

    known: runs of the same job that do not depend on how much memory is fast, by policy; those made here join them.
    profiles: likewise of policies that place by a profile.
    Raises Refusal when nothing can be compared: see execute.
    """
    runs = Runs(profiles=[] if profiles is None else profiles)
    for policy in order_of(job.policies):
        if known and policy in known:
            runs.outcomes[policy] = known[policy]
            continue
        progress.start(policy)
        _run(job, policy, runs, progress)
        progress.done(policy)
        if known is not None and policy in (REFERENCE, UNLIMITED) and policy in runs.outcomes:
            known[policy] = runs.outcomes[policy]
    for _ in range(job.repeat - 1):
        _repeat(job, runs, progress)
    footprint = runs.outcomes[REFERENCE].report["footprint_bytes"]
    oracle = run_oracle(job, footprint, progress, runs) if job.oracle else None

    def again(policy: str, number: int) -> bytes | None:
        if policy == ORACLE:
            return None
        progress.start(policy)
        beside = Runs(runs.outcomes, profiles=runs.profiles)
        with with_other_clock(job.setup, OTHER_CLOCKS[number]) as setup:
            ending = _attempt(replace(job, setup=setup), policy, beside, progress)
        # What ended in another way, such as by the slower machine's limit of time, says nothing of results.
        return ending.stdout if ending and ending.status == runs.outcomes[policy].status else None

    return comparison_json(job, runs, again, oracle)


def _run(job: Comparison, policy: str, runs: Runs, progress: Progress) -> None:
    if policy == REFERENCE:
        outcome = runs.outcomes[policy] = attempt(job.setup, policy, None, show_output=False).outcome()
        _check_memories(job.setup, outcome.report)
        for fast in (job.fast, *job.later):  # refuse --fast now, not after the next run
            capacity_for("any", fast, outcome.report["footprint_bytes"])
        if job.pattern and outcome.status == 0:
            check_matches(job.pattern, outcome.stdout, job.setup.command[0], policy)
    else:
        ending = _attempt(job, policy, runs, progress)
        if ending is None:
            return
        if ending.report is None:
            runs.lost[policy] = ending
            return
        runs.outcomes[policy] = ending.outcome()
    if job.scripted:
        check_seen(runs.outcomes[policy].report, job.setup.command[0], job.setup.machine.emulated)


def _check_memories(setup: Setup, report: dict[str, Any]) -> None:
    """Raises Refusal where policies have nothing to choose."""
    if len(report.get("tiers") or []) == 1:
        raise Refusal(
            f"--machine {setup.machine.value}: it has one memory, so nothing can be placed and every policy does the "
            f"same; name a machine with two (lbhm machine list), as in --machine optane, and build the program for it: "
            "lbhm cc, c++ or fc --emulate"
        )


def _attempt(job: Comparison, policy: str, runs: Runs, progress: Progress) -> Ending | None:
    """A run under any policy. None: it could not be run, which is noted in `runs`."""
    if policy == REFERENCE:
        return attempt(job.setup, policy, None, show_output=False)
    capacity = capacity_for(policy, job.fast, runs.outcomes[REFERENCE].report["footprint_bytes"])
    if policy.startswith("h2m-") or policy.endswith("-offline"):
        return _profiled(job, policy, capacity, runs, progress)
    return attempt(job.setup, policy, capacity, show_output=False)


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


def _profiled(job: Comparison, policy: str, capacity: int, runs: Runs, progress: Progress) -> Ending | None:
    """None: it could not be run, which is noted in `runs`."""
    from lbhm.profiled_policies import attempt_profiled, learn

    try:
        if not runs.profiles:
            runs.profiles.append(learn(job.setup, progress))
        return attempt_profiled(job.setup, policy, capacity, runs.profiles[0])
    except Refusal as refusal:
        runs.refused[policy] = refusal
        return None


def run_oracle(job: Comparison, footprint: int, progress: Progress, runs: Runs) -> Executed | None:
    """Counts, solves and runs the oracle. What is wrong with that is noted in `runs`, whose other results stay."""
    from lbhm.oracle import profile, run_best  # here: scipy takes longer to import than other commands take to run

    try:
        profiles = profile(job.setup, progress)
        return run_best(job.setup, profiles, job.fast.capacity(footprint), progress)
    except Refusal as refusal:
        runs.refused[ORACLE] = refusal
        return None
