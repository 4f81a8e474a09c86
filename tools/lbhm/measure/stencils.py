"""lbhm machine alpha: main-memory accesses of stencils by size, from which the runtime has their alpha (Eq. 1)."""

from __future__ import annotations

import hashlib
import json
import sys
from dataclasses import dataclass
from typing import Any

from lbhm.base.build_tree import AGAIN, find_build
from lbhm.base.errors import Refusal
from lbhm.execute.execute import Outcome, Setup, execute
from lbhm.files.json_reader import parse_json
from lbhm.files.report import any_accesses
from lbhm.library.library import checked_machine
from lbhm.machine import choose_machine, file_of
from lbhm.measure.cache_geometry import read_caches

SMALLEST, LARGEST = 1 / 4, 64  # object sizes, in last-level caches
_LEAST_OBJECT = 1024  # bytes; the probe makes no smaller grids


@dataclass(frozen=True)
class Measured:
    """A machine as the probe needs it. Sizes in bytes."""

    name: str
    fingerprint: str  # changes when the machine does
    last_level: int  # of the last-level cache that one core can use
    caches: int  # of all caches that one core can use


def measure_stencils(name: str) -> dict[str, Any]:
    """The content of a file lbhm.alpha/1, measured on the machine of that name. Raises Refusal."""
    choice = choose_machine(name)
    machine = _emulated(name) if choice.emulated else _host()
    build = find_build()
    program = build.need_program("stencil-probe-emu" if choice.emulated else "stencil-probe")
    command = [str(program), "--smallest", str(max(_LEAST_OBJECT, int(machine.last_level * SMALLEST)))]
    command += ["--largest", str(machine.last_level * LARGEST), "--flush", str(4 * machine.caches)]
    outcome = execute(Setup(build, choice, command, threads=1, seed=1), "slow-only", None, show_output=False)
    if not any_accesses(outcome.report):
        raise Refusal(
            f"machine '{name}' has no counter of main-memory accesses that LB-HM can read, so stencils cannot be "
            "measured on it; measure an emulated machine that is like it (lbhm machine measure --emulate makes one)"
        )
    return {
        "schema": "lbhm.alpha/1",
        "machine": machine.name,
        "fingerprint": machine.fingerprint,
        "stencils": rows_of(outcome, program.name),
    }


def rows_of(outcome: Outcome, program: str) -> list[dict[str, Any]]:
    """The table from what stencil-probe printed and the run report: regions come in pairs, the second is the stencil.

    Raises Refusal when the two do not fit together.
    """
    remedy = f"program and runtime come from different versions: {AGAIN}"
    regions = outcome.report["regions"]
    try:
        printed = parse_json(outcome.stdout)["rows"]
        if len(regions) != 2 * len(printed):
            raise Refusal(
                f"{program}: {len(regions)} regions in the report for {len(printed)} stencils, not two each; {remedy}"
            )
        rows = [_row(row, region) for row, region in zip(printed, regions[1::2], strict=True)]
    except (ValueError, KeyError, TypeError):
        raise Refusal(f"{program}: it prints no table of stencils; {remedy}") from None
    return sorted(rows, key=lambda row: tuple(row.values()))


def _row(printed: dict[str, Any], region: dict[str, Any]) -> dict[str, Any]:
    """A row of the table: what the region counted, less the accesses to what the stencil wrote."""
    accesses = max(0, sum(task["accesses"] for task in region["tasks"]) - printed["output_lines"])
    keys = ("dimensions", "points", "element_bytes", "object_bytes")
    return {key: printed[key] for key in keys} | {"accesses_per_element": round(accesses / printed["elements"], 6)}


def by_shape(rows: list[dict[str, Any]]) -> dict[tuple[int, int, int], list[dict[str, Any]]]:
    """The rows of each stencil (dimensions, points, element bytes), by size."""
    shapes: dict[tuple[int, int, int], list[dict[str, Any]]] = {}
    for row in sorted(rows, key=lambda row: row["object_bytes"]):
        shapes.setdefault((row["dimensions"], row["points"], row["element_bytes"]), []).append(row)
    return dict(sorted(shapes.items()))


def _emulated(name: str) -> Measured:
    file = file_of(name)
    content = checked_machine(file)
    try:
        l1, l2, llc = (content["caches"][level]["bytes"]["value"] for level in ("l1", "l2", "llc"))
    except (KeyError, TypeError):
        raise Refusal(f"{file}: caches.l1, l2 or llc have no bytes; `lbhm machine check {file}` says more") from None
    return Measured(file.stem, hashlib.sha256(file.read_bytes()).hexdigest(), llc, l1 + l2 + llc)


def _host() -> Measured:
    if sys.platform != "linux":
        raise Refusal(f"the host is measured on Linux only; this is {sys.platform}: name a machine with --machine")
    caches = read_caches()
    said = json.dumps([[cache.bytes, cache.ways] for cache in caches])
    return Measured("host", hashlib.sha256(said.encode()).hexdigest(), caches[2].bytes, sum(c.bytes for c in caches))
