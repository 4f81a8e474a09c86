"""Settings of the environment that the runtime refuses: said before the program runs, as it would run without LB-HM."""

from __future__ import annotations

import os
from pathlib import Path

from lbhm.errors import Refusal
from lbhm.execute import Setup, environment_of
from lbhm.library import start_complaint


def check_settings(setup: Setup, policy: str, capacity: int | None) -> None:
    """Raises Refusal with the runtime's sentence; files that settings name are looked at, too."""
    environment = environment_of(setup, policy, capacity, Path(os.devnull))
    if complaint := start_complaint(setup.build.need_library(setup.machine.emulated), environment):
        raise Refusal(complaint)
