"""lbhm machine measure --curves: the curves of a machine file, measured on this machine or of an emulated one.

load-probe tells the bandwidth and the latency of a chase at a share of reads and a pause of the other threads. Pauses
are found so that the points lie at the uses of the table; the greatest bandwidth is that with none, or with few."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from functools import partial
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
from lbhm.measure.curves import between
from lbhm.measure.measure_nodes import compute_places, usable_nodes
from lbhm.measure.native import free_memory, processor, run_native
from lbhm.output import output
from lbhm.system.system import System

Say = Callable[[str], None]
# Share of reads in percent, pauses, how many times longer than usual: the points, the idle one first.
Probe = Callable[[int, list[int], int], list[dict[str, Any]]]

SHARES = (50, 60, 70, 80, 90, 100)
USES = (0.2, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 1)
_SLOW = "if fewer threads do not help, describe so slow a memory by loaded_latency_ratio"
_ROOM = 0.6  # of the greatest bandwidth: below that the memory answers at once
_FIRST = [0, 250, 500, 1000, 2000, 4000, 8000, 16000, 32000]
_FURTHER = [64000, 128000]  # where many threads share a slow memory
_LONGEST = 4 * _FURTHER[-1]  # a third of the load that the last of these leaves takes thrice the pause
_NATIVE, _VIRTUAL = 50_000, 4000  # microseconds of a point; virtual time repeats
_RUNS = 5  # of each point on this machine


@dataclass(frozen=True)
class Loaded:
    """A memory, and threads that load it beside the one that follows the chase. remedy: what would make them more."""

    name: str
    loaders: int
    probe: Callable[[int], Probe]  # with so many of them
    remedy: str


def measure_curves(name: str, emulated: bool, say: Say) -> dict[str, Any]:
    """{"machine", "tiers": [{"name", "curves", "remark"}]}; the remark is None where the threads fill the memory.

    Raises Refusal."""
    memories, by = _of_file(file_of(name)) if emulated else _of_host()
    where = f"measured on {by} by lbhm machine measure --curves"
    return {"machine": name, "tiers": [_curves(memory, where, say) for memory in memories]}


def _of_file(file: Path) -> tuple[list[Loaded], str]:
    """The tiers of an emulated machine, and where they were measured."""
    machine = checked_machine(file)
    threads = int(machine["core"]["hardware_threads"]["value"])
    if threads < 2:
        raise Refusal(
            f"--curves: machine file {file}: core.hardware_threads is {threads}, but curves need one thread for the "
            "chase and others for the load; measure a copy of the file with more of them"
        )
    remedy = f"for all of the curves measure a copy of {file} with more core.hardware_threads"
    memories = [
        Loaded(str(tier["name"]), threads - 1, partial(_of_tier, machine, number), remedy)
        for number, tier in enumerate(machine["tiers"])
    ]
    return memories, f"the emulated machine {machine['name']}"


def _of_host() -> tuple[list[Loaded], str]:
    """The memory nodes of this machine, and where and when they were measured."""
    system = System()
    place = max(compute_places(system), key=lambda place: len(place.processors))
    if len(place.processors) < 2:
        raise Refusal(
            "--curves: needs two processors, one for the chase and others for the load, and this process may use one; "
            "let it use more (taskset, containers and batch systems leave some out)",
            1,
        )
    nodes = [node.number for node in usable_nodes(system)]
    numbers = nodes if len(nodes) > 1 else [-1]  # one needs no binding, which may be refused
    remedy = (
        "for all of the curves let more processors take part (taskset, containers and batch systems leave some out), "
        "or take curves that others published of such a memory (docs/machine-files.md)"
    )
    loaders, probe_of = len(place.processors) - 1, partial(_of_node, system, place.processors)
    memories = [Loaded(f"node {max(node, 0)}", loaders, partial(probe_of, node), remedy) for node in numbers]
    return memories, f"{processor()}, {date.today().isoformat()},"


def _of_node(system: System, usable: tuple[int, ...], node: int, loaders: int) -> Probe:
    """The chase, and all streams together, go through four times the last-level cache, or half of what is free."""
    processors = [usable[at * len(usable) // (loaders + 1)] for at in range(loaders + 1)]
    beyond = min(4 * read_caches()[2].bytes, free_memory(system, node if node >= 0 else None) // 4)
    size = max(2 << 20, beyond // len(processors))
    environment = {"OMP_NUM_THREADS": str(len(processors)), "OMP_PLACES": "threads", "OMP_PROC_BIND": "spread"}

    def probe(reads: int, pauses: list[int], longer: int) -> list[dict[str, Any]]:
        words = _words(reads, pauses, _NATIVE * longer)
        words += ["--bytes", str(size), "--chase", str(max(2 << 20, beyond)), "--node", str(node)]
        measure = partial(run_native, "load-probe", words, lambda _: None, environment, processors)
        runs = [measure()["points"] for _ in range(_RUNS)]
        return [best(points) for points in zip(*runs, strict=True)]

    return probe


def best(points: tuple[dict[str, Any], ...]) -> dict[str, Any]:
    """Of one point, measured several times: what else runs takes bandwidth and adds to latencies. Raises Refusal."""
    counted = [point for point in points if point["gb_per_s"] is not None]
    if not counted:
        raise Refusal(
            "--curves: a thread got no processor for as long as a point of a curve takes; measure when "
            "nothing else runs here",
            1,
        )
    rate, latency = max(point["gb_per_s"] for point in counted), min(point["latency_ns"] for point in counted)
    return counted[0] | {"gb_per_s": rate, "latency_ns": latency}


def _of_tier(machine: dict[str, Any], number: int, loaders: int) -> Probe:
    def probe(reads: int, pauses: list[int], longer: int) -> list[dict[str, Any]]:
        build = find_build()
        program = build.need_program("load-probe-emu")
        with output.scratch_file("tier.json") as file:
            output.write_json(file, machine | {"tiers": [machine["tiers"][number]]}, compact=True)
            command = [str(program), *_words(reads, pauses, _VIRTUAL * longer)]
            setup = Setup(build, MachineChoice(str(file), emulated=True), command, threads=loaders + 1, seed=1)
            printed = execute(setup, "slow-only", None, show_output=False).stdout
        try:
            points = parse_json(printed)["points"]
            too_slow = any(point["gb_per_s"] is None for point in points)
        except (ValueError, KeyError, TypeError):
            raise Refusal(f"{program}: it printed no figures; {AGAIN}", 1) from None
        if too_slow:
            milliseconds = _VIRTUAL * longer / 2000
            raise Refusal(
                f"{machine['tiers'][number]['name']}: at {reads} % of reads a thread got nothing of it in "
                f"{milliseconds:g} ms of virtual time; {_SLOW}",
                1,
            )
        return points

    return probe


def _words(reads: int, pauses: list[int], microseconds: int) -> list[str]:
    return ["--reads", str(reads), "--pauses", ",".join(map(str, pauses)), "--microseconds", str(microseconds)]


def _curves(memory: Loaded, where: str, say: Say) -> dict[str, Any]:
    rows, probe = [], memory.probe(memory.loaders)
    for share in SHARES:
        say(f"{memory.name}: {share} % of reads")
        rows.append(row(memory.name, share, probe))
    say(f"{memory.name}: fewer threads")
    lack = _lack_of_threads(memory, rows[-1]["bandwidth_gb_per_s"])
    curves = {"source": f"{where}; {lack}" if lack else where, "uses": list(USES), "rows": rows}
    remark = f"{memory.name}: {lack}; use 1 of its curves is what these threads got; {memory.remedy}" if lack else None
    return {"name": memory.name, "curves": curves, "remark": remark}


def _lack_of_threads(memory: Loaded, reached: float) -> str | None:
    """None where the threads fill the memory. reached: with reads alone, in GB/s.

    A full memory gives more threads no more; with room in it each thread gets as much as each before it. What three
    quarters of the threads get tells which of the two is nearer."""
    all_of_them, fewer = memory.loaders, memory.loaders - max(1, memory.loaders // 4)
    if fewer == 0:
        return f"one thread alone loads it and got {reached:.3g} GB/s, so whether it can do more is not known"
    got = max(point["gb_per_s"] for point in memory.probe(fewer)(SHARES[-1], _FIRST, 1)[1:])
    if reached / got - 1 <= (all_of_them / fewer - 1) / 2:
        return None
    return (
        f"the {all_of_them} threads that load it got {reached:.3g} GB/s and {fewer} of them {got:.3g}, so more threads "
        "would get more"
    )


def row(name: str, share: int, probe: Probe) -> dict[str, Any]:
    """A row of the table, from looks at pauses far apart, then at those that give the table's uses."""
    idle, *first = probe(share, _FIRST, 4)  # longer than what a full memory has in its queues
    greatest = max(point["gb_per_s"] for point in first)
    if len(_with_room(first, greatest)) < 2:
        first += probe(share, _FURTHER, 4)[1:]
    near, step = _by_pause(f"{name}: at {share} % of reads", _with_room(first, greatest), greatest)
    wanted = [1 / (use * greatest) for use in USES[:-1]]
    pauses = [near["pause"] + (time - 1 / near["gb_per_s"]) / step for time in wanted]
    points = first
    for _ in range(2):
        look = probe(share, [min(max(0, round(pause)), _LONGEST) for pause in pauses], 1)[1:]
        points = [*points, *look]
        looked = zip(pauses, wanted, look, strict=True)
        pauses = [pause + (time - 1 / point["gb_per_s"]) / step for pause, time, point in looked]
    greatest = max(point["gb_per_s"] for point in points)
    found = sorted((point["gb_per_s"] / greatest, point["latency_ns"] / idle["latency_ns"]) for point in points)
    uses = [0.0, *(use for use, _ in found)]
    ratios = list(accumulate([1.0, *(ratio for _, ratio in found)], max))  # what falls is noise
    at_uses = [round(between(uses, ratios, use), 3) for use in USES]
    return {"read_percent": share, "bandwidth_gb_per_s": round(greatest, 2), "latency_ratios": at_uses}


def _with_room(points: list[dict[str, Any]], greatest: float) -> list[dict[str, Any]]:
    return [point for point in points if point["gb_per_s"] < _ROOM * greatest]


def _by_pause(where: str, room: list[dict[str, Any]], greatest: float) -> tuple[dict[str, Any], float]:
    """The first of these points, and by how much a step of a pause makes the time of a byte longer. Raises Refusal."""
    if len(room) < 2:
        raise Refusal(
            f"{where} the threads use more than {100 * _ROOM:g} % of its {greatest:.3g} GB/s even with long "
            f"pauses, so its latency with less of a load cannot be measured; {_SLOW}",
            1,
        )
    near, *others = room
    far = next((point for point in others if point["gb_per_s"] < near["gb_per_s"]), None)
    if far is None:
        raise Refusal(
            f"{where} longer pauses did not make the load less ({near['gb_per_s']:.3g} GB/s, then "
            f"{others[-1]['gb_per_s']:.3g}); measure when nothing else runs",
            1,
        )
    step = (1 / far["gb_per_s"] - 1 / near["gb_per_s"]) / (far["pause"] - near["pause"])
    return near, step
