"""lbhm machine measure --curves: the curves of a machine file, measured on this machine or of an emulated one.

load-probe tells the bandwidth and the latency of a chase at a share of reads and a pause of the other threads. Pauses
are found so that the points lie at the uses of the table; the greatest bandwidth is that with none, or with few."""

from __future__ import annotations

import tempfile
from bisect import bisect_left
from collections.abc import Callable
from datetime import date
from itertools import accumulate
from pathlib import Path
from typing import Any

from lbhm.base.build_tree import AGAIN, find_build
from lbhm.base.errors import Refusal
from lbhm.execute.execute import Setup, execute
from lbhm.files.json_reader import parse_json
from lbhm.library.library import checked_machine
from lbhm.machine import MachineChoice, file_of
from lbhm.measure.cache_geometry import read_caches
from lbhm.measure.measure_nodes import compute_places, usable_nodes
from lbhm.measure.native import free_memory, processor, run_native
from lbhm.output import output
from lbhm.system.system import System

Say = Callable[[str], None]
# Share of reads in percent, pauses, how many times longer than usual: the points, the idle one first.
Probe = Callable[[int, list[int], int], list[dict[str, Any]]]

SHARES = (50, 60, 70, 80, 90, 100)
USES = (0.2, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 1)
_FIRST = [0, 250, 500, 1000, 2000, 4000, 8000, 16000, 32000]
_NATIVE, _VIRTUAL = 50_000, 4000  # microseconds of a point; virtual time repeats
_RUNS = 5  # of each point on this machine


def measure_curves(name: str, emulated: bool, say: Say) -> dict[str, Any]:
    """{"machine", "tiers": [{"name", "curves"}]}. Raises Refusal."""
    if emulated:
        machine = checked_machine(file_of(name))
        where = f"measured on the emulated machine {machine['name']} by lbhm machine measure --curves"
        probes = [(str(tier["name"]), _of_tier(machine, number)) for number, tier in enumerate(machine["tiers"])]
        return {"machine": name, "tiers": [_curves(tier, probe, where, say) for tier, probe in probes]}
    system = System()
    place = max(compute_places(system), key=lambda place: len(place.processors))
    if len(place.processors) < 2:
        raise Refusal("--curves: needs two processors, one for the chase and others for the load", 1)
    nodes = [node.number for node in usable_nodes(system)]
    where = f"measured on {processor()}, {date.today().isoformat()}, by lbhm machine measure --curves"
    numbers = nodes if len(nodes) > 1 else [-1]  # one needs no binding, which may be refused
    probes = [(f"node {max(node, 0)}", _of_node(system, place.processors, node)) for node in numbers]
    return {"machine": "host", "tiers": [_curves(node, probe, where, say) for node, probe in probes]}


def _of_node(system: System, processors: tuple[int, ...], node: int) -> Probe:
    """The chase, and all streams together, go through four times the last-level cache, or half of what is free."""
    beyond = min(4 * read_caches()[2].bytes, free_memory(system, node if node >= 0 else None) // 4)
    size = max(2 << 20, beyond // len(processors))
    environment = {"OMP_NUM_THREADS": str(len(processors)), "OMP_PLACES": "threads", "OMP_PROC_BIND": "spread"}

    def probe(reads: int, pauses: list[int], longer: int) -> list[dict[str, Any]]:
        words = [
            *_words(reads, pauses, _NATIVE * longer),
            "--bytes",
            str(size),
            "--chase",
            str(max(2 << 20, beyond)),
            "--node",
            str(node),
        ]
        runs = [
            run_native("load-probe", words, lambda _: None, environment, processors)["points"] for _ in range(_RUNS)
        ]
        return [best(points) for points in zip(*runs, strict=True)]

    return probe


def best(points: tuple[dict[str, Any], ...]) -> dict[str, Any]:
    """Of one point, measured several times: what else runs takes bandwidth and adds to latencies."""
    rate, latency = max(point["gb_per_s"] for point in points), min(point["latency_ns"] for point in points)
    return points[0] | {"gb_per_s": rate, "latency_ns": latency}


def _of_tier(machine: dict[str, Any], number: int) -> Probe:
    threads = int(machine["core"]["hardware_threads"]["value"])

    def probe(reads: int, pauses: list[int], longer: int) -> list[dict[str, Any]]:
        build = find_build()
        program = build.need_program("load-probe-emu")
        with tempfile.TemporaryDirectory(prefix="lbhm-") as folder:
            file = Path(folder) / "tier.json"
            output.write_json(file, machine | {"tiers": [machine["tiers"][number]]}, compact=True)
            command = [str(program), *_words(reads, pauses, _VIRTUAL * longer)]
            setup = Setup(build, MachineChoice(str(file), emulated=True), command, threads=threads, seed=1)
            printed = execute(setup, "slow-only", None, show_output=False).stdout
        try:
            return parse_json(printed)["points"]
        except (ValueError, KeyError, TypeError):
            raise Refusal(f"{program}: it printed no figures; {AGAIN}", 1) from None

    return probe


def _words(reads: int, pauses: list[int], microseconds: int) -> list[str]:
    return ["--reads", str(reads), "--pauses", ",".join(map(str, pauses)), "--microseconds", str(microseconds)]


def _curves(name: str, probe: Probe, where: str, say: Say) -> dict[str, Any]:
    rows = []
    for share in SHARES:
        say(f"{name}: {share} % of reads")
        rows.append(row(share, probe))
    return {"name": name, "curves": {"source": where, "uses": list(USES), "rows": rows}}


def row(share: int, probe: Probe) -> dict[str, Any]:
    """A row of the table, from looks at pauses far apart, then at those that give the table's uses.

    As long as the memory has room, a line takes a time that grows linearly with the pause."""
    idle, *first = probe(share, _FIRST, 4)  # longer than what a full memory has in its queues
    greatest = max(point["gb_per_s"] for point in first)
    near, far = [point for point in first if point["gb_per_s"] < 0.6 * greatest][:2] or first[-2:]
    step = (1 / far["gb_per_s"] - 1 / near["gb_per_s"]) / (far["pause"] - near["pause"])
    wanted = [1 / (use * greatest) for use in USES[:-1]]
    pauses = [near["pause"] + (time - 1 / near["gb_per_s"]) / step for time in wanted]
    points = first
    for _ in range(2):
        look = probe(share, [max(0, round(pause)) for pause in pauses], 1)[1:]
        points = [*points, *look]
        pauses = [
            pause + (time - 1 / point["gb_per_s"]) / step
            for pause, time, point in zip(pauses, wanted, look, strict=True)
        ]
    greatest = max(point["gb_per_s"] for point in points)
    found = sorted((point["gb_per_s"] / greatest, point["latency_ns"] / idle["latency_ns"]) for point in points)
    uses = [0.0, *(use for use, _ in found)]
    ratios = list(accumulate([1.0, *(ratio for _, ratio in found)], max))  # what falls is noise
    at_uses = [round(_between(uses, ratios, use), 3) for use in USES]
    return {"read_percent": share, "bandwidth_gb_per_s": round(greatest, 2), "latency_ratios": at_uses}


def _between(places: list[float], values: list[float], at: float) -> float:
    """Linear; the first and last values hold beyond. Places may fall back a little where they were measured."""
    places = list(accumulate(places, max))
    above = bisect_left(places, at)
    if above in (0, len(places)):
        return values[min(above, len(places) - 1)]
    part = (at - places[above - 1]) / (places[above] - places[above - 1])
    return values[above - 1] + part * (values[above] - values[above - 1])
