"""Eq. 1 with alpha: main-memory accesses to each object of new inputs, predicted against counted, by pattern."""

import argparse
import tempfile
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from itertools import product
from pathlib import Path
from statistics import mean

from harness.build import ROOT, Build
from harness.errors import BenchError
from harness.fidelity.emulation import Emulated
from harness.pattern_runs import FAST_CAPACITY, PROGRAM, kernels, plans_by_instance, run_kernel
from harness.process import run_text
from harness.result import Result, Table

TARGETS = ["lbhm", PROGRAM, "stencil-probe-emu"]
REPETITIONS = 1  # on the emulated machine a run repeats to the bit
# Of the main object, the base input first: a quarter to four times. In the smaller ones planes of a cube fit into the
# scaled caches of the preset optane, or do not any more.
SIZES = [["8M", "2M", "4M", "16M", "32M"], ["2M", "512K", "1M", "4M", "8M"]]
PATTERNS = ["stream", "strided", "stencil", "random"]
SUPERLINEAR = {"matrix-product", "all-pairs", "sort", "triangular-solve"}  # they read objects many times: homogeneous
PERIOD = 7  # of sampling: a prime, so that no loop's accesses keep step with it
LEARNT = 3  # instances after which alpha of random patterns counts
FEWEST = 1000  # accesses: of fewer, a percent is less than the noise of sampling


@dataclass
class Row:
    kernel: str
    object: str
    pattern: str  # by the source
    kind: str  # as the runtime found it
    instance: int
    object_bytes: int
    alpha: float
    predicted: float
    counted: float

    @property
    def error(self) -> float:
        return abs(self.predicted / self.counted - 1)

    @property
    def error_of_one(self) -> float:
        """Of Eq. 1 with alpha = 1."""
        return abs(self.predicted * self.alpha / self.counted - 1)

    @property
    def valid(self) -> bool:
        """Random patterns count once they were refined."""
        return self.pattern != "random" or self.instance >= LEARNT


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--machine", default="optane", help="the emulated machine (optane)")
    parser.add_argument("--kernels", nargs="+", default=[], metavar="NAME", help="these alone")


def rows_of(kernel: str, run: Emulated) -> list[Row]:
    """Predicted and counted accesses of all objects in all instances with a plan.

    Raises BenchError if samples, of which the counts are made, were lost."""
    for remark in run.report["remarks"]:
        if "samples were lost" in remark:
            raise BenchError(f"{kernel}: {remark}")
    patterns = {entry["name"]: entry["pattern"] for entry in run.printed["objects"]}
    return [
        Row(
            kernel,
            entry["name"],
            patterns[entry["name"]],
            entry["kind"],
            instance,
            entry["bytes"],
            entry["alpha"],
            entry["estimated_accesses"],
            entry["counted_accesses"],
        )
        for instance, plan in sorted(plans_by_instance(run).items())
        for entry in plan["objects"]
        if (entry["counted_accesses"] or 0) >= FEWEST
    ]


def error_by_pattern(rows: Iterable[Row]) -> dict[str, dict]:
    """For each pattern: mean and largest error of its objects, over kernels and sizes, with how many kernels there are
    and what the mean is with alpha = 1."""
    table = {}
    for pattern in PATTERNS:
        of_pattern = [row for row in rows if row.pattern == pattern and row.valid]
        if of_pattern:
            table[pattern] = {
                "mean": round(mean(row.error for row in of_pattern), 4),
                "max": round(max(row.error for row in of_pattern), 4),
                "mean_alpha_one": round(mean(row.error_of_one for row in of_pattern), 4),
                "kernels": len({row.kernel for row in of_pattern}),
            }
    return table


def object_table(rows: list[Row]) -> Table:
    """One line for each object of each kernel, worst first."""
    by_object: dict[tuple[str, str], list[Row]] = {}
    for row in rows:
        if row.valid:
            by_object.setdefault((row.kernel, row.object), []).append(row)
    lines = []
    for (kernel, name), of_object in sorted(by_object.items(), key=lambda item: -max(row.error for row in item[1])):
        errors = [row.error for row in of_object]
        known = f"{of_object[0].pattern}", f"{of_object[-1].kind}"
        lines.append([f"{kernel} {name}", *known, f"{mean(errors):.2%}", f"{max(errors):.2%}"])
    return Table(["kernel and object", "pattern", "found", "mean error", "largest"], lines, "By object, worst first")


def stencil_table(build: Build, machine: str, folder: Path) -> Path:
    """Measures the machine's stencils, as its user would."""
    file = folder / "alpha.json"
    run_text([ROOT / "lbhm", "machine", "alpha", "--machine", machine, "--output", file], LBHM_BUILD=str(build.folder))
    return file


def measure(build: Build, options: argparse.Namespace) -> Result:
    chosen = [name for name in kernels(build, options.kernels) if name not in SUPERLINEAR]
    rows = []
    with tempfile.TemporaryDirectory(prefix="lbhm-bench-") as folder:
        settings = {
            "LBHM_ALPHA": str(stencil_table(build, options.machine, Path(folder))),
            "LBHM_FAST_CAPACITY": FAST_CAPACITY,
            "LBHM_SAMPLE_PERIOD": str(PERIOD),
        }
        for kernel, sizes in product(chosen, SIZES):
            rows += rows_of(kernel, run_kernel(build, kernel, sizes, options.machine, "merchandiser-once", **settings))
    errors = error_by_pattern(rows)
    lines = [
        [pattern, str(e["kernels"]), *(f"{e[key]:.2%}" for key in ("mean", "max", "mean_alpha_one"))]
        for pattern, e in errors.items()
    ]
    title = f"Accesses by Eq. 1 against counted ones; random: after {LEARNT} instances"
    table = Table(["pattern", "kernels", "mean error", "largest", "mean, alpha = 1"], lines, title)
    fields = {
        "emulated": options.machine,
        "error_by_pattern": errors,
        "objects": [asdict(row) | {"error": row.error} for row in rows],
    }
    return Result(fields, [table, object_table(rows)])
