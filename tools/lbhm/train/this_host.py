"""lbhm train --machine host: whether this machine has what it takes, and how long it will, before anything is kept."""

from __future__ import annotations

import contextlib
import time
from dataclasses import replace
from typing import Any

from lbhm.base.errors import Refusal
from lbhm.base.units import format_bytes
from lbhm.execute.execute import Setup, execute
from lbhm.regions.regions_measure import SCATTER, SLOW, Placement, check_pages
from lbhm.train.job import Job

# So that pages are placed one by one: a huge page moves whole.
SETTINGS = (("LBHM_HUGE_PAGES", "off"),)
HALF = Placement(SCATTER, 0.5)


def look_at_host(setup: Setup) -> dict[str, Any]:
    """Runs a training program twice. Returns the report of the second one, with half of its pages in fast memory.

    Raises Refusal: one memory, no room, pages that do not lie where they are put; and see execute.
    """
    setup = replace(setup, command=[*setup.command, "train"])
    report = execute(setup, SLOW, None, show_output=False).report
    if len(report["tiers"]) < 2:
        said = "".join(f"; {line}" for line in report["remarks"])
        raise Refusal(
            "--machine host: this machine has one memory, so there is nothing to learn; describe it by lbhm machine "
            f"measure --emulate --slow 2, and train for that file{said}"
        )
    report = execute(setup, HALF.policy, None, show_output=False, settings=HALF.settings).report
    for tier in report["tiers"]:
        if tier["capacity_bytes"] < report["footprint_bytes"]:
            raise Refusal(
                f"--machine host: {format_bytes(tier['capacity_bytes'])} of memory {tier['name']} are free, and "
                f"{setup.command[0]} takes {format_bytes(report['footprint_bytes'])}; end what fills it (numactl -H)"
            )
    check_pages(setup.command[0], HALF, report)
    return report


def foretold(jobs: list[Job]) -> float:
    """Seconds that the jobs will take, by one run of each in slow memory. One that fails there takes none."""
    seconds = 0.0
    for job in jobs:
        setup = replace(job.setup, command=[*job.setup.command, "train"])
        began = time.monotonic()
        with contextlib.suppress(Refusal):
            execute(setup, SLOW, None, show_output=False)
            seconds += (time.monotonic() - began) * job.runs
    return seconds
