"""Settings of the environment that the runtime refuses: said before the program runs, as it would run without LB-HM."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from lbhm.base.errors import Refusal
from lbhm.execute.execute import Setup, environment_of
from lbhm.library.library import start_complaint
from lbhm.library.said_by_environment import OF_THE_COMMAND


def check_settings(setup: Setup, policy: str, capacity: int | None) -> None:
    """Raises Refusal with the runtime's sentence; files that settings name are looked at, too."""
    environment = environment_of(setup, policy, capacity, Path(os.devnull))
    if complaint := start_complaint(setup.build.need_library(setup.machine.emulated), environment):
        ours = f"LBHM_PLACEMENT={dict(setup.settings).get('LBHM_PLACEMENT')}"  # a file that nobody else knows
        raise Refusal(complaint.replace(ours, "the placement"))


def check_given(setup: Setup, policies: Iterable[str]) -> None:
    """The same, of variables that somebody set, for commands that run a program several times. LBHM_WITHOUT is of one
    policy; whether others go without is said beside their runs."""
    others = (*OF_THE_COMMAND, "LBHM_WITHOUT")
    given = tuple(name for name in os.environ if name.startswith("LBHM_") and name not in others)
    library = setup.build.need_library(setup.machine.emulated)
    for policy in policies if given else ():
        environment = environment_of(setup, policy, None, Path(os.devnull)) | {"LBHM_WITHOUT": ""}
        complaint = start_complaint(library, environment)
        if complaint.startswith(given):
            raise Refusal(complaint)
