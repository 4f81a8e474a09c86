"""Measured memory nodes as speed classes and tiers, for a file lbhm.host/1 (docs/machine-files.md)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from lbhm.measure.speed_classes import classes_of

Found = dict[str, dict[str, float] | None]  # {"name": {"value", "spread"} | None}
_NAMES = ("fast", "slow", "slowest")  # PEARS, section 4.1


@dataclass(frozen=True)
class Measurement:
    """The memory of `node` for the processors of `place` (a node number, too)."""

    place: int
    node: int
    figures: Found

    def best(self, what: str) -> float:
        """GB/s of the number of threads that gets most, 0 if none could be measured."""
        prefix = f"{what}_gb_per_s_"
        return max((f["value"] for name, f in self.figures.items() if f and name.startswith(prefix)), default=0.0)

    def latency(self, name: str = "latency_ns") -> float | None:
        figure = self.figures.get(name)
        return figure["value"] if figure else None


def classified(measurements: list[Measurement], count: int | None) -> list[int]:
    """The speed class of each measurement, 0 the fastest."""
    return classes_of([measurement.best("triad") for measurement in measurements], count)


def nearest(measurements: list[Measurement], node: int) -> Measurement:
    """A node's memory for the processors that get most of it."""
    return max((found for found in measurements if found.node == node), key=lambda found: found.best("triad"))


def tiers_of(measurements: list[Measurement], classes: list[int], capacities: dict[int, int]) -> list[dict[str, Any]]:
    """Nodes of one class, the fastest first. A node has the class that it has for the processors nearest to it, those
    with the largest triad bandwidth; so the memory of each of several sockets is fast."""
    numbers = dict(zip(map(id, measurements), classes, strict=True))
    members = [nearest(measurements, node) for node in dict.fromkeys(found.node for found in measurements)]
    by_number = [(numbers[id(found)], found) for found in members]
    used = sorted({number for number, _ in by_number})
    return [
        _tier(_name(at, len(used)), [found for its, found in by_number if its == number], capacities)
        for at, number in enumerate(used)
    ]


def _name(at: int, count: int) -> str:
    if count == 1:
        return "memory"
    return _NAMES[at] if count <= len(_NAMES) else f"class {at}"


def _tier(name: str, members: list[Measurement], capacities: dict[int, int]) -> dict[str, Any]:
    """Bandwidths of its nodes add up, for each has its own memory controllers; the latency is their mean."""

    def mean(name: str) -> float | None:
        known = [latency for member in members if (latency := member.latency(name)) is not None]
        return _rounded(sum(known) / len(known)) if known else None

    return {
        "name": name,
        "nodes": sorted(member.node for member in members),
        "capacity_bytes": sum(capacities[member.node] for member in members),
        "latency_ns": mean("latency_ns"),
        "latency_loaded_ns": mean("latency_loaded_ns"),
        "read_bandwidth_gb_per_s": _rounded(sum(member.best("read") for member in members)),
        "write_bandwidth_gb_per_s": _rounded(sum(member.best("write") for member in members)),
        "triad_bandwidth_gb_per_s": _rounded(sum(member.best("triad") for member in members)),
    }


def _rounded(value: float) -> float:
    return float(f"{value:.4g}")  # more digits are not measured
