"""What LB-HM costs where there is nothing to place: programs on this computer with and without it.

The environment is that of `lbhm run --machine host`; the command itself (a Python program) is not part of the time.
"""

import argparse
import os
import subprocess
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from harness.build import Build
from harness.errors import BenchError
from harness.process import clean_environment, peak_memory, shown
from harness.result import Result, Table

PROGRAMS = {
    "spgemm": ["--kron", "14", "--inputs", "4"],
    "bfs": [],
    "pic": [],
    "tensor": [],
    "dmrg": [],
}
TARGETS = ["lbhm", "bench-managed", *PROGRAMS]
REPETITIONS = 11
THREADS = "2"
MANAGED_MIB = (128, 384)  # objects of 1 MiB; the difference of the two leaves out what does not grow


@dataclass
class Run:
    wall: float  # seconds
    processor: float  # seconds of all threads
    memory: int = 0  # bytes at most


def settings_of(build: Build, report: Path) -> dict[str, str]:
    return {"LD_PRELOAD": str(build.library_for_hosts), "LBHM_MACHINE": "host", "LBHM_REPORT": str(report)}


def timed(command: list[str], settings: dict[str, str]) -> Run:
    """Raises BenchError if the command fails."""
    environment = clean_environment(OMP_NUM_THREADS=THREADS, **settings)
    begin = time.perf_counter()
    process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.perf_counter() - begin
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise BenchError(f"`{shown(command, settings)}` ended with status {process.returncode}")
    return Run(wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024)


def slowdown(pairs: list[tuple[Run, Run]]) -> dict[str, float]:
    """Of (without, with): the medians of the pairs' ratios, which ran one after the other."""
    return {
        "wall": round(median(b.wall / a.wall for a, b in pairs), 4),
        "processor": round(median(b.processor / a.processor for a, b in pairs), 4),
        "seconds_without": round(median(a.wall for a, _ in pairs), 3),
    }


Pairs = dict[str, list[tuple[Run, Run]]]  # by program: (without, with)


def run_pairs(build: Build, settings: dict[str, str], repetitions: int, arguments: dict[str, list[str]]) -> Pairs:
    """settings: the environment of the runs with LB-HM."""
    pairs: Pairs = {name: [] for name in arguments}
    for number in range(repetitions):
        for name, words in arguments.items():
            command = [str(build.program(name)), *words]
            # Who runs first changes, so that neither finds the machine warmer than the other.
            runs = [timed(command, given) for given in ({}, settings)[:: 1 if number % 2 == 0 else -1]]
            pairs[name].append((runs[0], runs[1]) if number % 2 == 0 else (runs[1], runs[0]))
    return pairs


def growth(without: dict[int, int], with_lbhm: dict[int, int]) -> dict[str, int]:
    """Peak memory by managed MiB: what LB-HM adds to each further MiB, and what it takes in any case."""
    small, large = min(without), max(without)
    added = {mebibytes: with_lbhm[mebibytes] - without[mebibytes] for mebibytes in (small, large)}
    slope = (added[large] - added[small]) / (large - small)
    return {"bytes_per_managed_mib": round(slope), "fixed_bytes": round(added[small] - slope * small)}


def memory(build: Build, folder: Path, repetitions: int) -> dict[str, int]:
    peaks: dict[str, dict[int, int]] = {"without": {}, "with": {}}
    for way, settings in (("without", {}), ("with", settings_of(build, folder / "report.json"))):
        for mebibytes in MANAGED_MIB:
            command = [build.program("bench-managed"), str(mebibytes)]
            found = [peak_memory(command, OMP_NUM_THREADS=THREADS, **settings) for _ in range(repetitions)]
            peaks[way][mebibytes] = round(median(found))
    return growth(peaks["without"], peaks["with"])


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--programs", default=",".join(PROGRAMS), metavar="A,B", help="fewer programs")


def chosen_programs(text: str) -> dict[str, list[str]]:
    """Raises BenchError for a name that there is not."""
    for name in text.split(","):
        if name not in PROGRAMS:
            raise BenchError(f"--programs: there is no '{name}'; there are {', '.join(PROGRAMS)}")
    return {name: PROGRAMS[name] for name in text.split(",")}


def measure(build: Build, options: argparse.Namespace) -> Result:
    arguments = chosen_programs(options.programs)
    with tempfile.TemporaryDirectory(prefix="lbhm-bench-") as name:
        folder = Path(name)
        pairs = run_pairs(build, settings_of(build, folder / "report.json"), options.repetitions, arguments)
        found = {name: slowdown(of) for name, of in pairs.items()}
        grown = memory(build, folder, options.repetitions)
    fields = {
        "slowdown": {name: entry["wall"] for name, entry in found.items()},
        "processor_slowdown": {name: entry["processor"] for name, entry in found.items()},
        "seconds_without": {name: entry["seconds_without"] for name, entry in found.items()},
        **grown,
    }
    rows = [
        [name, f"{entry['seconds_without']:.2f}", f"{entry['wall']:.3f}", f"{entry['processor']:.3f}"]
        for name, entry in found.items()
    ]
    table = Table(["program", "without, s", "with / without", "processor time"], rows)
    note = (
        f"memory: {grown['bytes_per_managed_mib']} bytes for each managed MiB, and {grown['fixed_bytes'] >> 10} KiB in "
        "any case. On a machine with one memory objects stay with malloc: there is nothing to keep of them"
    )
    if grown["bytes_per_managed_mib"] < 0:
        note += "; below 0: libomp's own omp_alloc takes more for the same objects"
    return Result(fields, [table], [note])
