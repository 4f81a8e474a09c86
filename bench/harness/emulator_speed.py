"""How fast the emulated machine is: accesses per second of one thread, and slowdown against the plain program."""

import argparse
import json
import tempfile
from pathlib import Path
from statistics import median

from harness.build import Build
from harness.errors import BenchError
from harness.process import peak_memory, run_json
from harness.result import Result, Table

TARGETS = ["lbhm", "bench-kernels", "bench-kernels-emu"]
KERNELS = ["triad", "gather", "chase", "spmv", "jacobi"]
LARGE = {"triad": "triad-large", "gather": "gather-large"}
LARGE_BYTES = 256 << 20  # of their arrays
REPETITIONS = 5


def measure(build: Build, options: argparse.Namespace) -> Result:
    plain: dict[str, list[float]] = {kernel: [] for kernel in KERNELS}
    emulated: dict[str, list[float]] = {kernel: [] for kernel in KERNELS}
    accesses = {}
    for _ in range(options.repetitions):
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
    fields["emulator_bytes_per_byte"] = {kernel: round(memory_cost(build, name), 4) for kernel, name in LARGE.items()}
    rows = [
        [kernel, *(f"{fields[key][kernel]:.1f}" for key in ("maccess_per_s", "plain_maccess_per_s", "slowdown"))]
        for kernel in KERNELS
    ]
    speed = Table(["kernel", "emulated M accesses/s", "plain M accesses/s", "slowdown"], rows)
    costs = [[kernel, f"{cost:.3f}"] for kernel, cost in fields["emulator_bytes_per_byte"].items()]
    title = "memory of the emulated machine, by byte of the program's (256 MiB)"
    return Result(fields, [speed, Table(["kernel", "bytes a byte"], costs, title)])


def memory_cost(build: Build, kernel: str) -> float:
    """How much more memory the process has on the emulated machine, over the bytes of its arrays."""
    plain = peak_memory([build.program("bench-kernels"), kernel])
    emulated = peak_memory([build.program("bench-kernels-emu"), kernel], **emulation(build))
    return (emulated - plain) / LARGE_BYTES


def emulation(build: Build) -> dict[str, str]:
    return {"LD_PRELOAD": str(build.library), "LBHM_MACHINE": "optane", "LBHM_POLICY": "slow-only"}


def emulate(build: Build, kernel: str) -> dict:
    """Runs the instrumented kernel, and makes sure that the emulated machine saw it."""
    with tempfile.TemporaryDirectory(prefix="lbhm-bench-") as folder:
        report = Path(folder) / "report.json"
        result = run_json(
            [build.program("bench-kernels-emu"), kernel],
            LBHM_REPORT=str(report),
            **emulation(build),
        )
        if not report.is_file():
            raise BenchError(f"LB-HM wrote no report for {kernel}: it was not active; see `./lbhm doctor`")
        found = json.loads(report.read_text())
    seen = sum(task["accesses"] for region in found["regions"] for task in region["tasks"])
    if not seen:
        raise BenchError(f"the emulated machine saw no access of {kernel}: {' '.join(found['remarks'])}")
    return result
