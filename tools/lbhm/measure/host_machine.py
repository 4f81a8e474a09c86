"""A machine file (schema lbhm.machine/2) of this machine, from its caches and what lbhm-measure found.

Nothing here is fitted to a program: every number is a figure, follows from figures by the formula in its source, or is
called an assumption.
"""

from __future__ import annotations

from typing import Any

from lbhm.base.units import PAGE
from lbhm.measure.cache_geometry import Cache
from lbhm.measure.figures import Figures, quantity

NAME = "emulated-host"
# Figures for which nothing can stand.
NEEDED = (
    *("frequency_ghz", "l1_ns", "l2_ns", "latency_block_ns", "latency_with_walk_ns", "latency_sequential_ns"),
    *("read_gb_per_s_all", "write_gb_per_s_all", "read_gb_per_s_one", "write_gb_per_s_one", "copy_gb_per_s_one"),
)

# Of the core: how it is measured; where it cannot be, as the preset optane has it; least and most of whole numbers.
_CORE = {
    "dispatch_width": ("no-operations, alone and among independent additions, a cycle", 4, None),
    "reorder_window": (
        "no-operations between two loads that miss (Wong, Measuring Reorder Buffer Capacity, 2013)",
        224,
        (16, 100_000),
    ),
    "fill_buffers": ("independent pointer chases that still gain from one more", 12, (1, 64)),
    "write_buffer": ("stores between two loads that miss", 56, (1, 128)),
    "misprediction_cycles": ("branches on random bytes against branches on equal ones", 16, None),
}


def host_machine(
    caches: tuple[Cache, Cache, Cache], figures: Figures, threads: int, memory: int, slow: float | None
) -> dict[str, Any]:
    """threads: processors that may be used. memory: bytes. slow: how many times slower a second tier is, if any."""
    return {
        "schema": "lbhm.machine/2",
        "name": NAME,
        "description": f"This machine, emulated: {figures.where}; caches not scaled",
        "core": _core(figures, threads),
        "caches": _caches(caches, figures),
        "tlb": _tlb(figures),
        "prefetcher": _prefetcher(figures),
        "tiers": _tiers(figures, memory, slow),
        **_system(figures),
    }


def _core(figures: Figures, threads: int) -> dict[str, Any]:
    core = {
        "frequency_ghz": _figure(figures, "frequency_ghz", "a chain of additions"),
        "hardware_threads": quantity(threads, figures.measured("processors that this process may use")),
    }
    if "addition_cycles" in figures:
        latency = min(4, max(1, figures.value("addition_cycles")))
        source = figures.measured("a chain of floating-point additions", "addition_cycles")
        core["addition_cycles"] = quantity(latency, source)
    for name, (how, fallback, limits) in _CORE.items():
        if name not in figures:
            core[name] = quantity(fallback, "assumption: as the preset optane; it could not be measured here")
            continue
        value = figures.value(name)
        if limits:
            value = min(limits[1], max(limits[0], round(value)))
        core[name] = quantity(value, figures.measured(how, name))
    return core


def _figure(figures: Figures, name: str, how: str) -> dict[str, Any]:
    return quantity(figures.value(name), figures.measured(how, name))


def _caches(caches: tuple[Cache, Cache, Cache], figures: Figures) -> dict[str, Any]:
    l1, l2 = (cache.as_allowed() for cache in caches[:2])
    llc, latency = _last_level(caches[2], caches[1], figures)
    return {
        "l1": _cache(l1, _cycles(figures, figures.value("l1_ns")), figures.measured("a pointer chase within", "l1_ns")),
        "l2": {
            **_cache(l2, _cycles(figures, figures.value("l2_ns")), figures.measured("a pointer chase within", "l2_ns")),
            **_pace(figures, "l2_line_ns", 0),
        },
        "llc": {
            "sharing": "shared" if llc.shared else "slice",
            **_cache(llc, _cycles(figures, latency), figures.measured("a pointer chase beyond the second level")),
            **_pace(figures, "llc_line_ns", figures.value("l2_ns")),
        },
    }


def _pace(figures: Figures, name: str, most: float) -> dict[str, Any]:
    """Cycles between two lines of a level. `most`, unless 0: nanoseconds from which on main memory was felt instead."""
    if name not in figures or 0 < most <= figures.value(name):
        return {}
    source = figures.measured("independent loads, each from another line of the level", name)
    return {"cycles_per_line": quantity(_cycles(figures, figures.value(name)), source)}


def _last_level(llc: Cache, l2: Cache, figures: Figures) -> tuple[Cache, float]:
    """The last level as far as it can be felt, and its latency in nanoseconds: up to the largest working set whose
    chase takes less than half way from the second level's latency to memory's. Virtual machines may have less of it
    than Linux says, or none; then the second level stands for it."""
    series = figures.series("llc_ns")
    middle = (figures.value("l2_ns") + figures.value("latency_block_ns")) / 2
    felt = [size for size, latency in series if latency < middle]
    if not felt:
        found = Cache(l2.bytes, l2.ways, False, f"{l2.source}, once more: no larger level is felt by a pointer chase")
        return found.as_allowed(any_sets=True), figures.value("l2_ns")
    if max(felt) > 0.8 * llc.bytes:
        return llc.as_allowed(any_sets=True), series[0][1]
    source = figures.measured(f"the largest working set that is faster than memory; Linux says {llc.bytes >> 20} MiB")
    return Cache(max(felt), llc.ways, llc.shared, source).as_allowed(any_sets=True), series[0][1]


def _cache(cache: Cache, latency: float, source: str) -> dict[str, Any]:
    return {
        "bytes": quantity(cache.bytes, cache.source),
        "ways": quantity(cache.ways, cache.source),
        "latency_cycles": quantity(latency, source),
    }


def _tlb(figures: Figures) -> dict[str, Any]:
    """The reach is the largest number of pages at which a step takes less than half of what it takes with the most
    longer with small pages than with huge ones."""
    *series, _ = figures.series("page_walk_ns")
    walk = _walk_ns(figures)
    if _cycles(figures, walk) < 1:
        source = "assumption: as the preset optane; page walks could not be felt here"
        return {name: quantity(value, source) for name, value in (("entries", 1536), ("ways", 12), ("walk_cycles", 28))}
    entries = max((pages for pages, cost in series if cost < series[-1][1] / 2), default=series[0][0])
    how = "a line of each of many small pages in random order against the same with huge pages"
    return {
        "entries": quantity(entries, figures.measured(how)),
        "ways": quantity(8, "assumption: 8 ways"),
        "walk_cycles": quantity(_cycles(figures, walk), figures.measured(how)),
    }


def _prefetcher(figures: Figures) -> dict[str, Any]:
    """Little's law: so many lines must be under way for one thread to read as fast as it does."""
    lines = figures.value("read_gb_per_s_one") * figures.value("latency_sequential_ns") / 64
    how = "read bandwidth of one thread x sequential latency / 64 bytes, from 1 to 31"
    return {
        "distance": quantity(min(31, max(1, round(lines))), figures.measured(how, "read_gb_per_s_one")),
        "maximum_stride_lines": quantity(
            32, "assumption: as Intel's IP-based prefetcher, 2 KiB (Intel 64 and IA-32 Optimization Reference Manual)"
        ),
    }


def _system(figures: Figures) -> dict[str, Any]:
    as_optane = "assumption: as the preset optane"
    return {
        "sampling": {"period": quantity(127, as_optane), "cost_ns": quantity(250, as_optane)},
        "observation": {"scan_pte_ns": quantity(10, as_optane), "hint_fault_ns": quantity(1000, as_optane)},
        "migration": {
            "page_ns": quantity(160, as_optane),
            "copy_bandwidth_gb_per_s": _figure(figures, "copy_gb_per_s_one", "copying by one thread"),
            "shootdown_ns": quantity(2700, as_optane),
            "interrupt_ns": quantity(1000, as_optane),
        },
        "quantum_cycles": quantity(100_000, as_optane),
    }


def _cycles(figures: Figures, nanoseconds: float) -> float:
    return nanoseconds * figures.value("frequency_ghz")


def _walk_ns(figures: Figures) -> float:
    """Of the page table, when nearly every step needs one."""
    return max(cost for _, cost in figures.series("page_walk_ns"))


def _tiers(figures: Figures, memory: int, slow: float | None) -> list[dict[str, Any]]:
    """The memory of this machine: one tier, or with a slow copy of itself beside it. memory: bytes there are. slow: the
    second tier has this many times the latency, and bandwidth divided by it."""
    latencies = {
        "latency_sequential_ns": (
            min(figures.value("latency_sequential_ns"), figures.value("latency_block_ns")),
            figures.measured("the second of two neighbouring lines, pairs in random order", "latency_sequential_ns"),
        ),
        "latency_random_ns": (
            max(figures.value("latency_with_walk_ns") - _walk_ns(figures), figures.value("latency_block_ns")),
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
