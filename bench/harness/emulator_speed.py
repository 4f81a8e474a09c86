"""How fast the emulated machine is: accesses per second of one thread, and slowdown against the plain program."""

import json
import tempfile
from pathlib import Path
from statistics import median

from harness.build import Build
from harness.errors import BenchError
from harness.process import run_json
from harness.result import Result, Table

TARGETS = ["lbhm", "bench-kernels", "bench-kernels-emu"]
KERNELS = ["triad", "gather", "chase", "spmv", "jacobi"]
REPETITIONS = 5


def measure(build: Build, repetitions: int) -> Result:
    plain: dict[str, list[float]] = {kernel: [] for kernel in KERNELS}
    emulated: dict[str, list[float]] = {kernel: [] for kernel in KERNELS}
    accesses = {}
    for _ in range(repetitions):
        for kernel in KERNELS:
            alone = run_json([build.program("bench-kernels"), kernel])
            on_top = emulate(build, kernel)
            if alone["check"] != on_top["check"]:
                raise BenchError(f"{kernel} computes {on_top['check']} on the emulated machine, not {alone['check']}")
            plain[kernel].append(alone["seconds"])
            emulated[kernel].append(on_top["seconds"])
            accesses[kernel] = alone["accesses"]

    def rate(seconds: dict[str, list[float]]) -> dict[str, float]:
        return {kernel: round(accesses[kernel] / median(seconds[kernel]) / 1e6, 1) for kernel in KERNELS}

    fields = {
        "maccess_per_s": rate(emulated),
        "slowdown": {kernel: round(median(emulated[kernel]) / median(plain[kernel]), 2) for kernel in KERNELS},
        "plain_maccess_per_s": rate(plain),
        "seconds": {"plain": plain, "emulated": emulated},
    }
    rows = [
        [kernel, *(f"{fields[key][kernel]:.1f}" for key in ("maccess_per_s", "plain_maccess_per_s", "slowdown"))]
        for kernel in KERNELS
    ]
    return Result(fields, Table(["kernel", "emulated M accesses/s", "plain M accesses/s", "slowdown"], rows))


def emulate(build: Build, kernel: str) -> dict:
    """Runs the instrumented kernel, and makes sure that the emulated machine saw it."""
    with tempfile.TemporaryDirectory(prefix="lbhm-bench-") as folder:
        report = Path(folder) / "report.json"
        result = run_json(
            [build.program("bench-kernels-emu"), kernel],
            LD_PRELOAD=str(build.library),
            LBHM_MACHINE="optane",
            LBHM_POLICY="slow-only",
            LBHM_REPORT=str(report),
        )
        if not report.is_file():
            raise BenchError(f"LB-HM wrote no report for {kernel}: it was not active; see `./lbhm doctor`")
        found = json.loads(report.read_text())
    seen = sum(task["accesses"] for region in found["regions"] for task in region["tasks"])
    if not seen:
        raise BenchError(f"the emulated machine saw no access of {kernel}: {' '.join(found['remarks'])}")
    return result
