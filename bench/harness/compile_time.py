"""What does the plugin add to the time of a compilation: its analysis alone, and the instrumentation as well?"""

import os
import shutil
import statistics
import subprocess
import tempfile
from pathlib import Path

from harness.build import ROOT, Build
from harness.errors import BenchError
from harness.result import Result, Table

TARGETS = ["lbhm-plugin", "lbhm-patterns"]
REPETITIONS = 3
# Files of our own, small and large, C++ with and without heavy headers.
SOURCES = [
    "bench/host/dense.cpp",
    "bench/host/sparse.cpp",
    "bench/host/stencil.cpp",
    "bench/host/sort.cpp",
    "bench/host/graph.cpp",
    "apps/spgemm/spgemm.cpp",
    "apps/spgemm/main.cpp",
    "emulator/schedule/quantum.cpp",
    "runtime/record/report_json.cpp",
]
FLAGS = ["-std=c++23", "-O2", "-fopenmp", f"-I{ROOT}", f"-I{ROOT}/include", "-c"]


def variants(build: Build) -> dict[str, list[str]]:
    library = build.folder / "lib"
    return {
        "plain": [],
        "analysis": [f"-fpass-plugin={library / 'liblbhm-patterns.so'}"],
        "instrumentation": [f"-fpass-plugin={library / 'liblbhm-plugin.so'}"],
    }


def seconds(compiler: str, source: Path, flags: list[str], target: Path) -> float:
    """Processor time of one compilation: other programs disturb it less than the wall clock."""
    command = [compiler, *FLAGS, *flags, str(source), "-o", str(target)]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise BenchError(f"{source} could not be compiled; try {' '.join(command)}")
    return usage.ru_utime + usage.ru_stime


def measure(build: Build, options) -> Result:
    compiler = shutil.which("clang++-19")
    if compiler is None:
        raise BenchError("clang++-19 is not installed; `apt-get install clang-19`")
    times: dict[str, dict[str, float]] = {}
    with tempfile.TemporaryDirectory(prefix="lbhm-bench-") as folder:
        target = Path(folder) / "out.o"
        for source in SOURCES:
            runs: dict[str, list[float]] = {name: [] for name in variants(build)}
            for _ in range(options.repetitions):  # in turns: all meet the same moods of the machine
                for name, flags in variants(build).items():
                    runs[name].append(seconds(compiler, ROOT / source, flags, target))
            times[source] = {name: statistics.median(each) for name, each in runs.items()}
    totals = {name: sum(each[name] for each in times.values()) for name in variants(build)}
    rows = [row(source, each) for source, each in times.items()] + [row("in all", totals)]
    fields = {
        "seconds": times,
        "analysis_ratio": totals["analysis"] / totals["plain"],
        "instrumentation_ratio": totals["instrumentation"] / totals["plain"],
    }
    columns = ["source", "plain", "analysis", "", "instrumentation", ""]
    return Result(fields, [Table(columns, rows)])


def row(name: str, times: dict[str, float]) -> list[str]:
    cells = [name, f"{times['plain']:.2f} s"]
    for variant in ("analysis", "instrumentation"):
        cells += [f"{times[variant]:.2f} s", f"{times[variant] / times['plain']:.2f}×"]
    return cells
