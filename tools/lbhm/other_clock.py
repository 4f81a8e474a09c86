"""The same run with another clock: what a program prints differently then are times, and what follows from them.

The machine is slower, and its clock runs unevenly besides: a speed-up is the same on a machine that is slower only."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from lbhm import output
from lbhm.execute import REFERENCE, Setup, attempt
from lbhm.machine import MachineChoice, file_of, read_machine

# Core and memories alike: whatever the program waits for, it takes so many times as long. A time that is printed with
# few digits may look the same on one such machine, hardly on two.
SLOWER = (3, 7)
UNEVEN = ("LBHM_BENT_CLOCK", "on")
_LATENCIES = ("latency_sequential_ns", "latency_random_ns")
_BANDWIDTHS = ("read_bandwidth_gb_per_s", "write_bandwidth_gb_per_s")


def printed_with_other_clock(setup: Setup, times: int) -> bytes:
    """What the program prints under the reference policy on a machine so many times slower; on the host, anew."""
    with _slower(setup, times) as slower:
        return attempt(slower, REFERENCE, None, show_output=False).stdout


@contextmanager
def _slower(setup: Setup, times: int) -> Iterator[Setup]:
    if not setup.machine.emulated:
        yield setup
        return
    machine = read_machine(file_of(setup.machine.value))
    slow_down(machine, times)
    with tempfile.TemporaryDirectory(prefix="lbhm-") as folder:
        file = Path(folder) / "slower.json"
        output.write_json(file, machine, compact=True)
        machine_file = MachineChoice(str(file), emulated=True)
        yield replace(setup, machine=machine_file, settings=(*setup.settings, UNEVEN))


def slow_down(machine: dict[str, Any], times: int) -> None:
    """Changes a machine file's numbers."""
    _scale(machine.get("core", {}), "frequency_ghz", 1 / times)
    for tier in machine["tiers"]:
        for key in _LATENCIES:
            _scale(tier, key, times)
        for key in _BANDWIDTHS:
            _scale(tier, key, 1 / times)


def _scale(of: dict[str, Any], key: str, factor: float) -> None:
    """A number, plain or with its source."""
    value = of.get(key)
    if isinstance(value, dict):
        value["value"] *= factor
    elif value is not None:
        of[key] = value * factor
