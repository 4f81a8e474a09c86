"""lbhm machine measure: runs lbhm-measure-node for each compute place and memory node of this machine."""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date
from typing import Any

from lbhm.base.errors import Refusal
from lbhm.measure.cache_geometry import read_caches
from lbhm.measure.native import free_memory, processor, run_native
from lbhm.measure.node_tiers import Found, Measurement, classified, nearest, tiers_of
from lbhm.measure.sample_factors import of_host
from lbhm.output import output
from lbhm.system.memory_nodes import Node, allowed_nodes, memory_nodes
from lbhm.system.system import System

PROGRAM = "lbhm-measure-node"
_MIB = 1 << 20
_MEMORY = 1024 * _MIB  # of streams together: PEARS, section 4.1
_MIGRATION = 64 * _MIB  # 16384 small pages, the largest batch
_LEAST = 32 * _MIB  # what the program takes at least

Say = Callable[[str], None]


@dataclass(frozen=True)
class Place:
    """Processors that are near each other: those of a node."""

    node: int
    processors: tuple[int, ...]


def measure_nodes(say: Say, classes: int | None = None, system: System | None = None) -> dict[str, Any]:
    """The content of a file lbhm.host/1. `say` hears what is being measured. classes: how many speed classes there are,
    if that is known. Raises Refusal."""
    if sys.platform != "linux":
        raise Refusal(f"machines are measured on Linux only; this is {sys.platform}")
    system = system or System()
    nodes, places = usable_nodes(system), compute_places(system)
    measurements = [
        Measurement(place.node, node.number, _memory(system, place, node, len(nodes), say))
        for place in places
        for node in nodes
    ]
    for measurement in measurements:
        if measurement.best("triad") <= 0:
            raise Refusal(f"node {measurement.node}: its bandwidth could not be measured; see lbhm doctor", 1)
    migrations = [
        {"from": a.number, "to": b.number, "figures": _migration(system, places, a, b, say)}
        for a in nodes
        for b in nodes
        if a is not b
    ]
    queries = _run(
        places[0], ["query", str(nodes[0].number), str(_share(system, nodes[0], _MIGRATION, len(nodes)))], say
    )
    about = {"kind": "host", "name": "host", "cpu": processor(), "kernel": platform.release()}
    content = host_file(about, measurements, {node.number: node.capacity_bytes for node in nodes}, classes)
    listed = [{"node": place.node, "processors": list(place.processors)} for place in places]
    content |= {"places": listed, "migrations": migrations, "queries": queries, "unimem": None}
    if len(content["tiers"]) > 1:
        say("what samples say of a stream and of a chase")
        content["unimem"] = _unimem(system, content, measurements, places, nodes)
    return content


def _unimem(
    system: System, content: dict[str, Any], measurements: list[Measurement], places: list[Place], nodes: list[Node]
) -> dict[str, Any] | None:
    """None where nothing here counts accesses. A tier is as its first node is for the processors nearest to it."""
    fast, slow = (nearest(measurements, content["tiers"][tier]["nodes"][0]) for tier in (0, -1))
    threads = next(len(place.processors) for place in places if place.node == fast.place)
    size = min(_share(system, node, _MEMORY, len(nodes)) for node in nodes if node.number in (fast.node, slow.node))
    with output.scratch_file("tiers.json") as tiers:
        output.write_json(tiers, content)
        try:
            return of_host(tiers, fast.figures, slow.figures, threads, size)
        except Refusal as refusal:  # the rest was measured all the same
            output.say(f"CF_bw and CF_lat are left out: {refusal.sentence}")
            return None


def host_file(
    about: dict[str, str], measurements: list[Measurement], capacities: dict[int, int], classes: int | None
) -> dict[str, Any]:
    """What real and emulated machines' files have in common."""
    numbers = classified(measurements, classes)
    return {
        "schema": "lbhm.host/1",
        **about,
        "date": date.today().isoformat(),
        "tiers": tiers_of(measurements, numbers, capacities),
        "measurements": [
            {"place": m.place, "node": m.node, "class": number, "figures": m.figures}
            for m, number in zip(measurements, numbers, strict=True)
        ],
    }


def usable_nodes(system: System) -> list[Node]:
    """Nodes with memory that this process may use; one that stands for all where the kernel tells none."""
    allowed = allowed_nodes(system)
    nodes = [node for node in memory_nodes(system) if allowed is None or node.number in allowed]
    if len(nodes) > 1:
        return nodes
    # The one node may tell less than there is, where memory was added to a virtual machine.
    total = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return [Node(nodes[0].number if nodes else 0, total, ())]


def compute_places(system: System) -> list[Place]:
    """Places with processors that this process may use."""
    usable = os.sched_getaffinity(0)
    places = [Place(node.number, tuple(sorted(usable & set(node.processors)))) for node in memory_nodes(system)]
    return [place for place in places if place.processors] or [Place(0, tuple(sorted(usable)))]


def _memory(system: System, place: Place, node: Node, count: int, say: Say) -> Found:
    caches = read_caches()
    share = _share(system, node, max(_MEMORY, 8 * caches[2].bytes), count)
    binding = str(node.number) if count > 1 else "-1"  # that of a single node may be refused, and is not needed
    return _run(place, ["memory", binding, str(share)], say)


def _migration(system: System, places: list[Place], a: Node, b: Node, say: Say) -> Found:
    """By the processors of one of the two nodes if they have any: the kernel moves pages on the caller's."""
    place = next((p for p in places if p.node in (a.number, b.number)), places[0])
    share = min(_share(system, a, _MIGRATION, 2), _share(system, b, _MIGRATION, 2))
    return _run(place, ["migration", str(a.number), str(b.number), str(share)], say)


def _share(system: System, node: Node, wanted: int, count: int) -> int:
    """Bytes to measure with: half of what is free at most."""
    free = free_memory(system, node.number if count > 1 else None)
    share = min(wanted, free // 2) // _MIB * _MIB
    if share < _LEAST:
        raise Refusal(
            f"node {node.number} has {free // _MIB} MiB free, but measuring takes {2 * _LEAST // _MIB}; close programs"
        )
    return share


def _run(place: Place, words: list[str], say: Say) -> Found:
    """The figures that the program finds on these processors, with a thread on each."""
    environment = {"OMP_NUM_THREADS": str(len(place.processors)), "OMP_PLACES": "threads", "OMP_PROC_BIND": "spread"}
    what = f"{words[0]} of node {words[1]}" if len(words) == 3 else f"migration from node {words[1]} to {words[2]}"
    return run_native(PROGRAM, words, lambda step: say(f"{what}: {step}"), environment, place.processors)


def doubtful(content: dict[str, Any]) -> Iterator[str]:
    """What of a file's measurements should be looked at: memory that was elsewhere, and what is missing."""
    for found in content["measurements"]:
        share = found["figures"].get("share_on_node")
        if share and share["value"] < 0.99:
            yield f"only {share['value']:.0%} of what was measured of node {found['node']} lay there"
    if len(content["tiers"]) > 1 and content.get("unimem", {}) is None:
        yield "CF_bw and CF_lat are not known: nothing here counts accesses (docs/sampling.md)"
