"""The runs of lbhm compare, begun as many at a time as --jobs says, and taken in the order of the policies."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

from lbhm.base.errors import Refusal
from lbhm.base.units import FastMemory
from lbhm.execute.ending import Ending
from lbhm.execute.execute import ORACLE, REFERENCE, UNLIMITED, Outcome, Progress, Setup, attempt
from lbhm.execute.side_by_side import SideBySide

if TYPE_CHECKING:
    from lbhm.compare.profiled_policies import Learned

Run = Callable[[], Ending]  # gives how it ended; waits for that
_PROFILE = "the profile"


def capacity_for(policy: str, fast: FastMemory | None, footprint: int) -> int | None:
    """Bytes of fast memory that a policy gets; None: all that the machine has."""
    return None if fast is None or policy == UNLIMITED else fast.capacity(footprint)


def is_profiled(policy: str) -> bool:
    """Whether it places by a profile, of a run before."""
    return policy.startswith("h2m-") or policy.endswith("-offline")


@dataclass
class BegunRuns:
    """Of comparisons of one program that differ in the amount of fast memory alone. known: runs that do not depend on
    that, by policy."""

    side_by_side: SideBySide = field(default_factory=SideBySide)
    known: dict[str, Outcome] = field(default_factory=dict)
    _begun: dict[tuple[str, FastMemory | None], Run] = field(default_factory=dict)
    _profile: Callable[[], Learned] | None = None
    _learned: bool = False

    def begin_all(self, setup: Setup, policies: list[str], amounts: list[FastMemory | None], footprint: int) -> None:
        """Once the reference told the footprint: all that are certain to run."""
        for fast in amounts:
            for policy in policies:
                if policy in (REFERENCE, ORACLE) or (policy == UNLIMITED and fast != amounts[0]):
                    continue
                if (policy, fast) not in self._begun:
                    self._begun[policy, fast] = self.begin(setup, policy, fast, footprint)

    def begin(self, setup: Setup, policy: str, fast: FastMemory | None, footprint: int) -> Run:
        capacity = None if policy == REFERENCE else capacity_for(policy, fast, footprint)
        if not is_profiled(policy):
            return self.side_by_side.begin(partial(attempt, setup, policy, capacity, show_output=False))
        from lbhm.compare.profiled_policies import attempt_profiled, learn

        # One profile, of the usual clock, serves all: who waits for it began after it.
        self._profile = self._profile or self.side_by_side.begin(partial(learn, setup))
        known = self._profile
        return self.side_by_side.begin(lambda: attempt_profiled(setup, policy, capacity, known()))

    def take(self, setup: Setup, policy: str, fast: FastMemory | None, footprint: int, progress: Progress) -> Ending:
        """How the run of begin_all ended. Raises Refusal where it could not be run."""
        run = self._begun.pop((policy, fast), None) or self.begin(setup, policy, fast, footprint)
        if is_profiled(policy) and not self._learned:
            progress.start(_PROFILE)
            self._profile()
            self._learned = True
            progress.done(_PROFILE)
        return run()


def ending_of(policy: str, run: Run, refused: dict[str, Refusal]) -> Ending | None:
    """None: a policy that places by a profile could not be run, which is noted in `refused`."""
    try:
        return run()
    except Refusal as refusal:
        if not is_profiled(policy):
            raise
        refused[policy] = refusal
        return None
