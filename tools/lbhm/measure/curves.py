"""The curves of a machine file's tiers: bandwidth by share of reads, latency by use and share of reads.

As the emulated machine reads them (emulator/description/curves.h): linear between rows and uses, held beyond the rows,
the idle latency at use 0."""

from __future__ import annotations

from bisect import bisect_left
from typing import Any


def without_curves(machine: dict[str, Any]) -> list[str]:
    """The tiers whose latency under load is the formula's. Of a file that is no machine those that look like tiers."""
    tiers = machine.get("tiers")
    found = [tier for tier in tiers if isinstance(tier, dict)] if isinstance(tiers, list) else []
    return [str(tier.get("name")) for tier in found if "curves" not in tier]


def latency_ratio(tier: dict[str, Any], use: float, read_percent: float = 100) -> float:
    """Latency at this use over the idle one."""
    if "curves" not in tier:
        ratio = float(tier["loaded_latency_ratio"]["value"])
        u = min(use, 0.95)
        return 1 + (ratio - 1) / 9 * u / (1 - u)
    curves = tier["curves"]
    uses = [0, *curves["uses"]]
    of_rows = [between(uses, [1, *row["latency_ratios"]], use) for row in curves["rows"]]
    return between([row["read_percent"] for row in curves["rows"]], of_rows, read_percent)


def bandwidth(tier: dict[str, Any], read_percent: float) -> float:
    """The greatest one at this share of reads, in GB/s. For tiers with curves."""
    rows = tier["curves"]["rows"]
    return between([row["read_percent"] for row in rows], [row["bandwidth_gb_per_s"] for row in rows], read_percent)


def between(places: list[float], values: list[float], at: float) -> float:
    """Linear; the first and last values hold beyond."""
    above = bisect_left(places, at)
    if above in (0, len(places)):
        return float(values[min(above, len(places) - 1)])
    part = (at - places[above - 1]) / (places[above] - places[above - 1])
    return values[above - 1] + part * (values[above] - values[above - 1])
