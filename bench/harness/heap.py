"""What it costs that LB-HM stands in front of malloc, and what its objects cost. Nothing is emulated: the programs are
not built for the emulated machine, which is no more for them than a machine with two memories."""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path
from statistics import median

from harness.build import Build
from harness.errors import BenchError
from harness.overhead import Pairs, run_pairs, settings_of, slowdown
from harness.process import run_json
from harness.result import Result, Table

# About a second each.
PROGRAMS = {
    "xs": ["--histories", "100000"],
    "hydro": ["--steps", "40"],
    "fe": ["--size", "60"],
    "bt": ["--size", "64", "--steps", "20"],
}
NEEDS_FLANG = "bt"
TARGETS = ["lbhm", "lbhm-heap", "bench-heap", *(name for name in PROGRAMS if name != NEEDS_FLANG)]
REPETITIONS = 7
SMALL = "64"
LARGE = ["65536", "262144", "1048576", "33554432"]  # bytes; the last one is the largest that LB-HM or glibc keeps
BEYOND = "67108864"
COUNTS = ["1000", "10000", "100000"]
MOST_LIVE = "1000000"
WAYS = ("glibc", "host", "objects")


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--blocks", type=int, default=2_500_000, metavar="N", help="a thread, of `threads` (2500000)")
    parser.add_argument("--programs", default=",".join(PROGRAMS), metavar="A,B", help="fewer programs")


def settings(build: Build, way: str) -> dict[str, str]:
    if way == "glibc":
        return {}
    both = f"{build.library}:{build.library.with_name('liblbhm-heap.so')}"
    # Arenas begin where they do on a real machine with two memories.
    return {"LD_PRELOAD": both, "LBHM_MACHINE": "host" if way == "host" else "optane", "LBHM_ARENA_MINIMUM": "4M"}


def micro(build: Build, repetitions: int, case: str, numbers: list[str]) -> dict[str, list[dict]]:
    """What bench-heap prints, by way; they take turns."""
    found: dict[str, list[dict]] = {way: [] for way in WAYS}
    for _ in range(repetitions):
        for way in WAYS:
            found[way].append(run_json([build.program("bench-heap"), case, *numbers], **settings(build, way)))
    return found


def medians(runs: list[dict]) -> dict:
    """By number, and by what was done where it says so."""
    if isinstance(next(iter(runs[0].values())), dict):
        return {key: medians([run[key] for run in runs]) for key in runs[0]}
    return {key: round(median(run[key] for run in runs), 2) for key in runs[0]}


def ratio(with_lbhm: list[dict], without: list[dict], number: str) -> float:
    """The median of the pairs' ratios."""
    return round(median(a[number] / b[number] for a, b in zip(with_lbhm, without, strict=True)), 3)


def program_fields(pairs: Pairs) -> dict:
    found = {name: slowdown(of) for name, of in pairs.items()}
    return {
        "run_ratio": {name: entry["wall"] for name, entry in found.items()},
        "processor_ratio": {name: entry["processor"] for name, entry in found.items()},
        "memory_ratio": {name: round(median(b.memory / a.memory for a, b in of), 4) for name, of in pairs.items()},
        "seconds_without": {name: entry["seconds_without"] for name, entry in found.items()},
    }


def wanted_programs(options: argparse.Namespace) -> list[str]:
    """Raises BenchError for unknown names."""
    wanted = options.programs.split(",")
    for name in wanted:
        if name not in PROGRAMS:
            raise BenchError(f"--programs: there is no '{name}'; there are {', '.join(PROGRAMS)}")
    return wanted


def programs(build: Build, wanted: list[str], repetitions: int) -> tuple[dict, list[str]]:
    notes = []
    if NEEDS_FLANG in wanted and not build.program(NEEDS_FLANG).exists():
        notes = [f"{NEEDS_FLANG} is left out: it is not built here (flang 19; scripts/install-packages check)"]
        wanted.remove(NEEDS_FLANG)
    with tempfile.TemporaryDirectory(prefix="lbhm-bench-") as folder:
        given = settings_of(build, Path(folder) / "report.json") | settings(build, "host")
        pairs = run_pairs(build, given, repetitions, {name: PROGRAMS[name] for name in wanted})
    return program_fields(pairs), notes


def measure(build: Build, options: argparse.Namespace) -> Result:
    wanted = wanted_programs(options)  # before minutes are spent
    small = micro(build, options.repetitions, "small", [SMALL])
    threads = micro(build, options.repetitions, "threads", [str(options.blocks)])
    large = {way: medians(runs) for way, runs in micro(build, options.repetitions, "large", [*LARGE, BEYOND]).items()}
    sites = {way: medians(runs) for way, runs in micro(build, 1, "sites", COUNTS).items()}
    live = {way: medians(runs) for way, runs in micro(build, 1, "live", [*COUNTS, MOST_LIVE]).items()}
    of_programs, notes = programs(build, wanted, options.repetitions)
    fields = {
        "small_ns": medians(small["objects"])[SMALL],
        "glibc_small_ns": medians(small["glibc"])[SMALL],
        "host_small_ns": medians(small["host"])[SMALL],
        "threads_ratio": ratio(threads["objects"], threads["glibc"], str(options.blocks)),
        "large_ns": max(large["objects"][size] for size in LARGE),
        "large_ns_by_bytes": large,
        **of_programs,
        "sites_ns": sites,
        "live_ns": live,
    }
    return Result(fields, tables(fields), notes)


def tables(fields: dict) -> list[Table]:
    blocks = [
        ["64 B", f"{fields['glibc_small_ns']:.1f}", f"{fields['host_small_ns']:.1f}", f"{fields['small_ns']:.1f}"],
        *([size, *(f"{fields['large_ns_by_bytes'][way][size]:.0f}" for way in WAYS)] for size in [*LARGE, BEYOND]),
    ]
    blocks.append(["small blocks of four threads, ratio", "1", "", f"{fields['threads_ratio']:.2f}"])
    each = []
    for key, title in (("sites_ns", "places"), ("live_ns", "live blocks of one place")):
        for count, found in fields[key]["objects"].items():
            cells = [
                f"{found[what]:.0f} ({fields[key]['glibc'][count][what]:.0f})" for what in ("malloc", "find", "free")
            ]
            each.append([f"{count} {title}", *cells])
    runs = [
        [name, f"{fields['seconds_without'][name]:.2f}", f"{fields['run_ratio'][name]:.3f}"]
        + [f"{fields[key][name]:.3f}" for key in ("processor_ratio", "memory_ratio")]
        for name in fields["run_ratio"]
    ]
    return [
        Table(["ns of malloc and free", "glibc", "host, one memory", "two memories"], blocks, "blocks"),
        Table(["ns a block of 64 KiB (glibc)", "malloc", "malloc_usable_size", "free"], each, "many objects"),
        Table(["program", "without, s", "with / without", "processor time", "memory"], runs, "programs on the host"),
    ]
