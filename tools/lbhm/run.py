"""lbhm run: one program under one policy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lbhm.execute import REFERENCE, UNLIMITED, Setup, execute
from lbhm.report import check_seen
from lbhm.units import FastMemory, format_bytes


def run(
    setup: Setup, policy: str, fast: FastMemory | None, scripted: bool, say: Callable[[str], None]
) -> dict[str, Any]:
    """Runs the program and returns its run report (schema lbhm.report/1). say: for sentences on the way.

    A share of the footprint needs the footprint: that takes a first run, whose output is not shown.
    Raises Refusal, see execute.
    """
    capacity = None
    if fast is not None and policy == UNLIMITED:
        say(f"--fast {fast.text} has no effect: {UNLIMITED} has all the fast memory that it wants")
    elif fast is not None and fast.bytes is not None:
        capacity = fast.capacity(fast.bytes)
    elif fast is not None:
        say(f"a first run under {REFERENCE}, to learn the peak footprint of which --fast {fast.text} is a share")
        footprint = execute(setup, REFERENCE, None, show_output=False).report["footprint_bytes"]
        capacity = fast.capacity(footprint)
        say(f"footprint {format_bytes(footprint)}, so fast memory is {format_bytes(capacity)}; now under {policy}")
    report = execute(setup, policy, capacity, show_output=True).report
    if scripted:
        check_seen(report, setup.command[0], setup.machine.emulated)
    if capacity is not None:
        fast.capacity(report["footprint_bytes"])
    return report
