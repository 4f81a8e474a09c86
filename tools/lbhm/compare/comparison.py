"""What lbhm compare is asked for, and the runs that it has made so far."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from lbhm.base.errors import Refusal
from lbhm.base.units import FastMemory
from lbhm.execute.ending import Ending, Outcome
from lbhm.execute.execute import ORACLE, REFERENCE, Setup


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


@dataclass
class Runs:
    """By policy, in the order of the runs. lost: what ended without a report; of the reference only a repetition can,
    and its other runs stay. refused: what could not be run. again: of the same policies, all runs but the first."""

    outcomes: dict[str, Outcome] = field(default_factory=dict)
    lost: dict[str, Ending] = field(default_factory=dict)
    refused: dict[str, Refusal] = field(default_factory=dict)
    again: dict[str, list[Outcome]] = field(default_factory=dict)
