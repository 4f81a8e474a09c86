"""lbhm machine measure --machine NAME: an emulated machine answers what a real one is asked, in virtual time.

Each tier is measured as the only one of a machine that is the same otherwise, by a program built with the plugin.
"""

from __future__ import annotations

import platform
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from lbhm.base.build_tree import AGAIN, find_build
from lbhm.base.errors import Refusal
from lbhm.execute.execute import Setup, execute
from lbhm.files.json_reader import parse_json
from lbhm.library.library import checked_machine
from lbhm.machine import MachineChoice, file_of, fingerprint
from lbhm.measure.curves import latency_ratio
from lbhm.measure.measure_nodes import host_file
from lbhm.measure.node_tiers import Found, Measurement
from lbhm.measure.sample_factors import of_emulated
from lbhm.output import output

_PROGRAM = "memory-probe-emu"
_ONE_WAY = ("read", "write")
_STREAMS = (*_ONE_WAY, "copy", "triad")
_BATCHES = (1, 16, 256, 4096, 16384)
_PAGE = 4096
_LEAST, _MOST = 16 << 20, 256 << 20  # bytes that are measured with: virtual time repeats, so a round is enough

Say = Callable[[str], None]


def measure_emulated(name: str, say: Say, classes: int | None = None) -> dict[str, Any]:
    """The content of a file lbhm.host/1: tier i of the machine is node i. Raises Refusal."""
    file = file_of(name)
    machine = checked_machine(file)
    tiers = machine["tiers"]
    with tempfile.TemporaryDirectory(prefix="lbhm-") as folder:
        alone = [_alone(machine, number, Path(folder)) for number in range(len(tiers))]
        found = [_tier(machine, number, alone[number], say) for number in range(len(tiers))]
        most = _threads(machine)
        say("what samples say of a stream and of a chase")
        unimem = of_emulated(alone, found, most, _bytes(machine, most))
    measurements = [Measurement(0, number, figures) for number, figures in enumerate(found)]
    about = {
        "kind": "emulated",
        "name": machine["name"],
        "cpu": machine.get("description", ""),
        "kernel": platform.release(),
    }
    capacities = {number: int(tier["capacity_bytes"]["value"]) for number, tier in enumerate(tiers)}
    processors = list(range(most))
    migrations = [
        {"from": a, "to": b, "figures": _migration(machine, a, b)} for a in capacities for b in capacities if a != b
    ]
    content = host_file(about, measurements, capacities, classes)
    content |= {"machine_file": fingerprint(file), "unimem": unimem}
    return content | {"places": [{"node": 0, "processors": processors}], "migrations": migrations, "queries": {}}


def _threads(machine: dict[str, Any]) -> int:
    return int(machine["core"]["hardware_threads"]["value"])


def _alone(machine: dict[str, Any], number: int, folder: Path) -> Path:
    """A machine file with this tier as its only one."""
    file = folder / f"tier-{number}.json"
    output.write_json(file, machine | {"tiers": [machine["tiers"][number]]}, compact=True)
    return file


def _tier(machine: dict[str, Any], number: int, alone: Path, say: Say) -> Found:
    most = _threads(machine)
    size = _bytes(machine, most)
    figures: Found = {}

    def probe(figure: str, what: str, threads: int) -> None:
        say(f"tier {number}: {figure}")
        figures[figure] = {"value": _probe(alone, what, threads, size), "spread": 0.0}

    for threads in _thread_counts(most):
        for what in _STREAMS if threads in (1, most) else _ONE_WAY:
            probe(f"{what}_gb_per_s_{threads}", what, threads)
    probe("latency_ns", "latency-random", 1)
    probe("latency_sequential_ns", "latency-sequential", 1)
    # What the emulated machine charges at 90 % of the bandwidth (docs/emulator.md).
    ratio = latency_ratio(machine["tiers"][number], 0.9)
    figures["latency_loaded_ns"] = {"value": figures["latency_ns"]["value"] * ratio, "spread": 0.0}
    return figures


def _thread_counts(most: int) -> list[int]:
    """Powers of two, and all."""
    return sorted({2**k for k in range(most.bit_length()) if 2**k <= most} | {most})


def _bytes(machine: dict[str, Any], threads: int) -> int:
    """Beyond all caches: what is measured is the memory."""
    caches = machine["caches"]
    slices = threads if caches["llc"]["sharing"] == "slice" else 1
    total = caches["l2"]["bytes"]["value"] * threads + caches["llc"]["bytes"]["value"] * slices
    return min(_MOST, max(_LEAST, 4 * int(total)))


def _probe(file: Path, what: str, threads: int, size: int) -> float:
    """Nanoseconds of a step, or GB/s: all bytes that are read or written."""
    build = find_build()
    program = build.need_program(_PROGRAM)
    command = [str(program), "--what", what, "--bytes", str(size), "--rounds", "1"]
    setup = Setup(build, MachineChoice(str(file), emulated=True), command, threads=threads, seed=1)
    printed = execute(setup, "slow-only", None, show_output=False).stdout
    try:
        found = parse_json(printed)
        seconds, accesses = float(found["seconds"]), float(found["accesses"])
    except (ValueError, KeyError, TypeError):
        raise Refusal(f"{program}: it printed no figures; {AGAIN}", 1) from None
    return seconds * 1e9 / accesses if what.startswith("latency") else 64 * accesses / seconds / 1e9


def _migration(machine: dict[str, Any], a: int, b: int) -> Found:
    """What the emulated machine charges (docs/emulator.md): n pages cost n (page + copy) + a shootdown."""
    migration, tiers = machine["migration"], machine["tiers"]
    copy = max(
        _PAGE / migration["copy_bandwidth_gb_per_s"]["value"],
        _PAGE / tiers[a]["read_bandwidth_gb_per_s"]["value"],
        _PAGE / tiers[b]["write_bandwidth_gb_per_s"]["value"],
    )
    page, shootdown = migration["page_ns"]["value"] + copy, migration["shootdown_ns"]["value"]
    return {
        f"move_gb_per_s_{_PAGE}_{batch}": {"value": _PAGE * batch / (batch * page + shootdown), "spread": 0.0}
        for batch in _BATCHES
    }
