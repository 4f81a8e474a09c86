"""The memory of this machine as tiers: one, or with a slow copy of itself beside it."""

from __future__ import annotations

from typing import Any

from lbhm.measure.figures import Figures, quantity

PAGE = 4096


def walk_ns(figures: Figures) -> float:
    """Of the page table, when nearly every step needs one."""
    return max(cost for _, cost in figures.series("page_walk_ns"))


def tiers(figures: Figures, memory: int, slow: float | None) -> list[dict[str, Any]]:
    """memory: bytes there are. slow: a second tier has this many times the latency, and bandwidth divided by it."""
    latencies = {
        "latency_sequential_ns": (
            min(figures.value("latency_sequential_ns"), figures.value("latency_block_ns")),
            figures.measured("the second of two neighbouring lines, pairs in random order", "latency_sequential_ns"),
        ),
        "latency_random_ns": (
            max(figures.value("latency_with_walk_ns") - walk_ns(figures), figures.value("latency_block_ns")),
            figures.measured("a pointer chase through all lines in random order less a walk", "latency_with_walk_ns"),
        ),
    }
    bandwidths = {
        f"{what}_bandwidth_gb_per_s": (
            max(figures.value(f"{what}_gb_per_s_{threads}") for threads in ("all", "one")),
            figures.measured(f"{how} by all threads, or by one if that was faster", f"{what}_gb_per_s_all"),
        )
        for what, how in (("read", "reading"), ("write", "storing past the caches"))
    }
    copy = max(figures.value(f"copy_gb_per_s_{threads}") for threads in ("all", "one"))
    bandwidths["copy_bandwidth_gb_per_s"] = (
        _possible_copy(2 * copy, *(bandwidths[f"{what}_bandwidth_gb_per_s"][0] for what in ("read", "write"))),
        figures.measured("bytes read plus written by a copy", "copy_gb_per_s_one"),
    )
    found = [_tier("memory", memory, latencies, bandwidths, figures)]
    if slow is not None:
        times = f" times {slow:g}, by the option --slow"
        latencies = {key: (value * slow, f"that of memory{times}") for key, (value, _) in latencies.items()}
        bandwidths = {
            key: (value / slow, f"that of memory divided by {slow:g}, by the option --slow")
            for key, (value, _) in bandwidths.items()
        }
        found.append(_tier("slow", memory, latencies, bandwidths, figures))
    return found


def _possible_copy(copy: float, read: float, write: float) -> float:
    """GB/s, between taking turns and hiding the shorter one of reading and writing behind the longer one."""
    return min(2 * min(read, write), max(copy, 2 / (1 / read + 1 / write)))


def _tier(
    name: str,
    memory: int,
    latencies: dict[str, tuple[float, str]],
    bandwidths: dict[str, tuple[float, str]],
    figures: Figures,
) -> dict[str, Any]:
    return {
        "name": name,
        "capacity_bytes": quantity(memory // PAGE * PAGE, figures.measured("MemTotal of /proc/meminfo")),
        **{key: quantity(value, source) for key, (value, source) in (latencies | bandwidths).items()},
        "loaded_latency_ratio": _loaded(figures),
        "granularity_bytes": quantity(64, "assumption: a line, as DRAM"),
        "buffer_bytes": quantity(0, "none: blocks are lines"),
    }


def _loaded(figures: Figures) -> dict[str, Any]:
    name = "loaded_latency_ratio"
    if name not in figures:
        return quantity(2, "assumption: double at 90 % of the bandwidth; it takes two threads to measure it")
    how = "a pointer chase beside threads that read, taken to 90 % of the bandwidth by 1 + a u / (1 - u)"
    return quantity(max(1.0, figures.value(name)), figures.measured(how, name))
