"""The map of where load balance matters: programs of apps/imbalance over its knobs, and what policies gain there."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from harness.campaign.cells import ORACLE, PACES, REFERENCES, WHOLE, Application, Cell
from harness.campaign.spread import inside_spread

BASE = "memtis"  # what `gain` is over
PEERS = ("first-touch", "memory-mode", "memory-optimizer", BASE)
POLICIES = (*PEERS, "merchandiser", "lbhm", ORACLE)
PRESET = "optane"
SHORT_ARGUMENTS = ("--rounds", "8", "--mib", "6", "--kloads", "125")


@dataclass(frozen=True)
class Grid:
    imbalances: tuple[float, ...]
    alignments: tuple[float, ...]
    limits: tuple[str, ...]
    capacities: tuple[str, ...]
    one_region: bool  # programs of one region, too


FULL = Grid((0, 1.5, 3), (-1, 0, 1), ("latency", "bandwidth"), ("25%", "12.5%"), True)
SHORT = Grid((3,), (-1, 1), ("latency", "bandwidth"), ("25%",), False)


@dataclass(frozen=True)
class Point:
    """A program of the map, but for its seed. One region: first touch has the hottest pages in fast memory, so that a
    policy that knows nothing can only do harm."""

    imbalance: float
    alignment: float
    limit: str
    one_region: bool = False

    def application(self, seed: int, plain: bool) -> Application:
        words = [f"{self.imbalance:g}", f"{self.alignment:g}", self.limit]
        words += [word for word, on in (("one-region", self.one_region), ("plain", plain)) if on]
        arguments = ["--imbalance", words[0], f"--alignment={words[1]}", "--limit", words[2]]
        arguments += [f"--{word}" for word in words[3:]] + ["--seed", str(seed)]
        arguments += ["--hottest-first"] if self.one_region else []
        name = "-".join(["imbalance", *words, f"seed{seed}"])
        return Application(name, "", 0, "imbalance-emu", tuple(arguments), (*arguments, *SHORT_ARGUMENTS))


def points(grid: Grid) -> Iterator[Point]:
    """Where all tasks are equal none is slow, and there is one alignment."""
    for limit in grid.limits:
        for imbalance in grid.imbalances:
            for alignment in grid.alignments if imbalance else (0,):
                yield Point(imbalance, alignment, limit)
        if grid.one_region:
            yield Point(max(grid.imbalances), 0, limit, True)


@dataclass(frozen=True)
class Map:
    grid: Grid
    seeds: tuple[int, ...]
    plain: bool  # programs of which nothing is drawn

    def programs(self) -> dict[Point, list[Application]]:
        return {point: [point.application(seed, self.plain) for seed in self.seeds] for point in points(self.grid)}

    def cells(self) -> list[Cell]:
        found = []
        for programs in self.programs().values():
            for program in programs:
                found.append(Cell(program.name, PRESET, WHOLE, REFERENCES[0]))
                found += [
                    Cell(program.name, PRESET, capacity, policy, PACES.get(policy, 1.0))
                    for capacity in self.grid.capacities
                    for policy in POLICIES
                ]
        return found

    def entries(self, results: list[dict]) -> list[dict]:
        """The key `generator`: gain over memtis by point, capacity and policy, geometric mean over the seeds."""
        by = {(c["application"], c["capacity"], c["policy"]): c for c in results}
        found = []
        for point, programs in self.programs().items():
            for capacity in self.grid.capacities:
                of = {
                    policy: [by[p.name, capacity, policy] for p in programs if (p.name, capacity, policy) in by]
                    for policy in POLICIES
                }
                of = {policy: cells for policy, cells in of.items() if len(cells) == len(programs)}
                if BASE in of:
                    found.append(entry(point, capacity, of))
        return found


def entry(point: Point, capacity: str, of: dict[str, list[dict]]) -> dict:
    """of: policy -> its cells, one a seed."""
    gains = {policy: round(gain(cells, of[BASE]), 4) for policy, cells in of.items()}
    peers = [policy for policy in PEERS if policy in of]
    best = max(peers, key=lambda policy: gains[policy])
    undecided = {
        policy: [peer for peer in peers if peer != policy and inside_spread(list(zip(cells, of[peer], strict=True)))]
        for policy, cells in of.items()
        if policy not in PEERS
    }
    return {
        "imbalance": point.imbalance,
        "alignment": point.alignment,
        "limit": point.limit,
        "capacity": capacity,
        "one_region": point.one_region,
        "gain": gains,
        "best_peer": best,
        "inside_spread": undecided,
        "spread": {policy: max(cell.get("spread", 0) for cell in cells) for policy, cells in of.items()},
        "makespans_ns": {policy: [cell["makespan_ns"] for cell in cells] for policy, cells in of.items()},
    }


def gain(cells: list[dict], others: list[dict]) -> float:
    logs = [math.log(b["makespan_ns"] / a["makespan_ns"]) for a, b in zip(cells, others, strict=True)]
    return math.exp(sum(logs) / len(logs)) - 1


def gain_between(entry_: dict, policy: str, peer: str) -> float | None:
    """Gain of `policy` over `peer` at an entry of the map; None if one of them is missing."""
    gains = entry_["gain"]
    if policy not in gains or peer not in gains:
        return None
    return (1 + gains[policy]) / (1 + gains[peer]) - 1
