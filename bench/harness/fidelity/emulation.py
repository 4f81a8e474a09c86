"""Runs of instrumented programs on the emulated machine, with their run report."""

import json
import tempfile
from dataclasses import dataclass
from pathlib import Path

from harness.build import Build
from harness.errors import BenchError
from harness.process import run_json


@dataclass
class Emulated:
    printed: dict  # the JSON that the program printed
    report: dict  # schema lbhm.report/1


def emulation(build: Build, machine: str, threads: int, policy: str) -> dict[str, str]:
    """The settings under which an instrumented program runs on the emulated machine."""
    return {
        "LD_PRELOAD": str(build.library),
        "LBHM_MACHINE": machine,
        "LBHM_POLICY": policy,
        "OMP_NUM_THREADS": str(threads),
        "OMP_WAIT_POLICY": "passive",  # many emulated lanes share few real cores
    }


def emulate(
    build: Build, command: list[str | Path], machine: str, threads: int, policy: str = "fast-only", **settings: str
) -> Emulated:
    """Runs the program, with further settings if there are any. Raises BenchError if LB-HM was not active."""
    with tempfile.TemporaryDirectory(prefix="lbhm-bench-") as folder:
        report = Path(folder) / "report.json"
        settings |= emulation(build, machine, threads, policy)
        printed = run_json(command, LBHM_REPORT=str(report), **settings)
        if not report.is_file():
            raise BenchError(
                f"LB-HM wrote no report for {Path(command[0]).name}: it was not active; see `./lbhm doctor`"
            )
        return Emulated(printed, json.loads(report.read_text()))


def virtual_seconds(run: Emulated) -> float:
    """What the program measured with omp_get_wtime. Raises BenchError if that was not virtual time."""
    seconds = run.printed["seconds"]
    makespan = run.report["makespan_ns"] / 1e9
    if not run.report["virtual_time"] or seconds > makespan:
        raise BenchError(
            f"a program measured {seconds:.3f} s by omp_get_wtime, but its virtual time was {makespan:.3f} s in all: "
            "its clock is not that of the emulated machine; is it built with the plugin of this build?"
        )
    return seconds


def memory_accesses(run: Emulated) -> int:
    """Misses of the last-level cache in parallel regions."""
    return sum(task["accesses"] for region in run.report["regions"] for task in region["tasks"])
