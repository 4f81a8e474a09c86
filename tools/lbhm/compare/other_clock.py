"""The same run with another clock: what a program prints differently then are times, what follows from them, and what
depends on which thread comes first.

The machine is slower, and its clock runs unevenly besides: a speed-up is the same on a machine that is slower only.
Each lane is slower by a part of its own: lanes that are slowed alike keep their order."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

from lbhm.execute.execute import Setup
from lbhm.machine import MachineChoice, file_of, read_machine
from lbhm.output import output


@dataclass(frozen=True)
class OtherClock:
    """times: core and memories alike are so many times slower, so whatever the program waits for takes so much longer.
    variant: which lanes are slower than others, and when the clock is fast and when slow (LBHM_OTHER_CLOCK)."""

    times: int
    variant: int


# A time that is printed with few digits may look the same with one of them, hardly with all. Of the variants 1 and 2
# one turns the order of lanes round.
OTHER_CLOCKS = (OtherClock(3, 1), OtherClock(7, 2), OtherClock(1, 3))
_LATENCIES = ("latency_sequential_ns", "latency_random_ns")
_BANDWIDTHS = ("read_bandwidth_gb_per_s", "write_bandwidth_gb_per_s", "copy_bandwidth_gb_per_s")


@contextmanager
def with_other_clock(setup: Setup, clock: OtherClock) -> Iterator[Setup]:
    """The same runs with that clock; on the host, anew."""
    if not setup.machine.emulated:
        yield setup
        return
    machine = read_machine(file_of(setup.machine.value))
    slow_down(machine, clock.times)
    with output.scratch_file("slower.json") as file:
        output.write_json(file, machine, compact=True)
        machine_file = MachineChoice(str(file), emulated=True)
        variant = ("LBHM_OTHER_CLOCK", str(clock.variant))
        yield replace(setup, machine=machine_file, settings=(*setup.settings, variant))


def slow_down(machine: dict[str, Any], times: int) -> None:
    """Changes a machine file's numbers."""
    _scale(machine.get("core", {}), "frequency_ghz", 1 / times)
    for tier in machine["tiers"]:
        for key in _LATENCIES:
            _scale(tier, key, times)
        for key in _BANDWIDTHS:
            _scale(tier, key, 1 / times)
        for row in tier.get("curves", {}).get("rows", []):
            _scale(row, "bandwidth_gb_per_s", 1 / times)


def _scale(of: dict[str, Any], key: str, factor: float) -> None:
    """A number, plain or with its source."""
    value = of.get(key)
    if isinstance(value, dict):
        value["value"] *= factor
    elif value is not None:
        of[key] = value * factor
