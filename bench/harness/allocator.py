"""What it costs to allocate, touch and free a block, through LB-HM and through others."""

import argparse
import subprocess
from dataclasses import dataclass, field
from statistics import median

from harness.build import Build
from harness.process import clean_environment, run_google
from harness.result import Result, Table

TARGETS = ["lbhm", "bench-allocator"]
SIZES = [64, 1024, 65536]
THREADS = [1, 2]
REPETITIONS = 7


@dataclass
class Contender:
    name: str
    interface: str  # of bench-allocator
    preload: str = ""
    needs: str = ""  # a library that must be there
    package: str = ""
    settings: dict[str, str] = field(default_factory=dict)


def contenders(build: Build) -> list[Contender]:
    return [
        Contender("lbhm", "omp", preload=str(build.library_for_hosts), settings={"LBHM_MACHINE": "host"}),
        Contender("libomp", "omp"),
        Contender("lbhm, blocks of a tier", "tier", needs="libmimalloc.so.2", package="libmimalloc2.0"),
        Contender("lbhm, blocks by memkind", "tier-memkind", needs="libmemkind.so.0", package="libmemkind0"),
        Contender("memkind", "memkind", needs="libmemkind.so.0", package="libmemkind0"),
        Contender("memkind, fixed kind", "memkind-fixed", needs="libmemkind.so.0", package="libmemkind0"),
        Contender("jemalloc", "malloc", "libjemalloc.so.2", "libjemalloc.so.2", "libjemalloc2"),
        Contender("mimalloc", "malloc", "libmimalloc.so.2", "libmimalloc.so.2", "libmimalloc2.0"),
        Contender("glibc", "malloc"),
    ]


def installed(library: str) -> bool:
    """Asks the dynamic loader, at program start: jemalloc cannot be loaded later (static thread-local storage)."""
    done = subprocess.run(["true"], env=clean_environment(LD_PRELOAD=library), capture_output=True, text=True)
    return library not in done.stderr


def measure(build: Build, options: argparse.Namespace) -> Result:
    present, notes = [], []
    for contender in contenders(build):
        if contender.needs and not installed(contender.needs):
            notes.append(f"{contender.name} is left out: {contender.needs} is not installed ({contender.package})")
        else:
            present.append(contender)
    samples: dict[str, dict[tuple[int, int], list[float]]] = {c.name: {} for c in present}
    for _ in range(options.repetitions):  # in turn, so that all meet the same moods of the machine
        for contender in present:
            preload = {"LD_PRELOAD": contender.preload} if contender.preload else {}
            command = [build.program("bench-allocator"), contender.interface, "--benchmark_min_time=0.05"]
            for key, nanoseconds in run_google(command, **preload, **contender.settings).items():
                samples[contender.name].setdefault(key, []).append(nanoseconds)
    medians = {name: {key: median(values) for key, values in found.items()} for name, found in samples.items()}
    nested = {
        name: {str(t): {str(size): round(found[size, t], 1) for size in SIZES} for t in THREADS}
        for name, found in medians.items()
    }
    columns = ["ns", *(f"{size} B, {t} thread{'s' if t > 1 else ''}" for t in THREADS for size in SIZES)]
    rows = [[name, *(f"{found[size, t]:.1f}" for t in THREADS for size in SIZES)] for name, found in medians.items()]
    return Result({"ns_by_threads_and_bytes": nested}, [Table(columns, rows)], notes)
