"""Unimem's constant factors CF_bw and CF_lat, and its peak bandwidth (SC '17, section 3.1.2): once a machine.

A factor is what a program takes, over what its sampled accesses say that it takes: for the bandwidth STREAM's triad
with all threads, for the latency a pointer chase of one thread, both in the fastest memory. The peak is the triad's
bandwidth in the slowest memory, where programs are profiled, by its sampled accesses.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from lbhm.base.build_tree import AGAIN, find_build
from lbhm.base.errors import Refusal
from lbhm.execute.execute import Setup, execute
from lbhm.files.json_reader import parse_json, read_json
from lbhm.files.use_rows import rows, uses_of
from lbhm.machine import HOST, MachineChoice
from lbhm.measure.node_tiers import Found
from lbhm.output.result_file import scratch_file

LINE = 64
STREAM, CHASE = "triad", "latency-random"
_SAMPLES = 2000  # at least, in the rounds that count, so that a sample more or less is nothing
_PERIOD = 2003  # the default of LBHM_TOUCH_PERIOD


@dataclass(frozen=True)
class Counted:
    """Lines of a round of a kernel: accesses by what it does, loads and stores by samples. source: of these."""

    source: str
    accesses: float
    loads: float
    stores: float


Count = Callable[[str, int], Counted | None]  # what, threads; None: nothing counts accesses here


def sample_factors(fast: Found, slow: Found, threads: int, in_fast: Count, in_slow: Count) -> dict[str, Any] | None:
    """The key `unimem` of a file lbhm.host/1; None where nothing counts accesses or a figure is missing."""
    wanted = [f"{what}_gb_per_s_{threads}" for what in ("read", "write", STREAM)] + ["latency_ns"]
    read, write, stream, latency = (fast.get(name) for name in wanted)
    peak = slow.get(f"{STREAM}_gb_per_s_{threads}")
    if not (read and write and stream and latency and peak):
        return None
    streamed, chased, slowly = in_fast(STREAM, threads), in_fast(CHASE, 1), in_slow(STREAM, threads)
    if not (streamed and chased and slowly) or not min(streamed.loads, chased.loads, slowly.loads) > 0:
        return None
    predicted = LINE * (streamed.loads / read["value"] + streamed.stores / write["value"])
    took = LINE * streamed.accesses / stream["value"]
    counted = (slowly.loads + slowly.stores) / slowly.accesses
    return {
        "source": streamed.source,
        "cf_bw": {"value": took / predicted, "spread": stream["spread"]},
        "cf_lat": {"value": chased.accesses / (chased.loads + chased.stores), "spread": latency["spread"]},
        "peak_gb_per_s": {"value": peak["value"] * counted, "spread": peak["spread"]},
    }


def counter(program: str, setup: Setup, policy: str, size: int) -> Count:
    """Counts what `program` (memory-probe) does with `size` bytes on the machine of `setup` under a policy."""

    def count(what: str, threads: int) -> Counted | None:
        lines = size // LINE
        rounds = math.ceil(_SAMPLES * _PERIOD / lines)
        command = [program, "--what", what, "--bytes", str(size), "--rounds"]
        few, many = (
            _run(replace(setup, command=[*command, str(number)], threads=threads), policy) for number in (1, 1 + rounds)
        )
        if few is None or many is None:
            return None
        return Counted(
            many.source,
            many.accesses / (1 + rounds),
            (many.loads - few.loads) / rounds,
            (many.stores - few.stores) / rounds,
        )

    return count


def _run(setup: Setup, policy: str) -> Counted | None:
    """All rounds of a run, its preparation among them."""
    with scratch_file("uses.json") as file:
        printed = execute(setup, policy, None, show_output=False, settings={"LBHM_USES": str(file)}).stdout
        try:
            accesses, found = float(parse_json(printed)["accesses"]), read_json(file)
        except (OSError, ValueError, KeyError, TypeError):
            raise Refusal(
                f"{setup.command[0]}: it printed no figures, or no samples were written; {AGAIN}", 1
            ) from None
    if found["source"] not in ("touches", "misses"):
        return None
    uses = [use for item in found["objects"] for use in uses_of(item)] + list(rows(found["elsewhere"]))
    loads, stores = (found["period"] * sum(use.from_memory(way) for use in uses) for way in ("loads", "stores"))
    return Counted(found["source"], accesses, loads, stores)


def of_emulated(alone: list[Path], found: list[Found], threads: int, size: int) -> dict[str, Any] | None:
    """By tier: a machine file with this tier as its only one, and its figures. size: bytes to measure with."""
    build = find_build()
    program = str(build.need_program("memory-probe-emu"))

    def of_tier(file: Path) -> Count:
        machine = MachineChoice(str(file), emulated=True)
        return counter(program, Setup(build, machine, [program], threads, seed=1), "slow-only", size)

    return sample_factors(found[0], found[-1], threads, of_tier(alone[0]), of_tier(alone[-1]))


def of_host(tiers: Path, fast: Found, slow: Found, threads: int, size: int) -> dict[str, Any] | None:
    """tiers: a file lbhm.host/1 that says which nodes the tiers have."""
    build = find_build()
    program = str(build.need_program("memory-probe"))
    settings = (("LBHM_TIERS", str(tiers)),)
    setup = Setup(build, MachineChoice(HOST, emulated=False), [program], threads, 1, settings=settings, heap=True)
    in_fast, in_slow = (counter(program, setup, policy, size) for policy in ("first-touch", "slow-only"))
    return sample_factors(fast, slow, threads, in_fast, in_slow)
