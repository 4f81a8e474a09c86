"""Times of new inputs with everything in one memory: predicted by the paper's scaling and by ours, against runs.

Both start from the same: block counts and times of the base instance under merchandiser-once, and block times of the
two memories that `lbhm profile` measured offline on the base input.
"""

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
from harness.pattern_runs import FAST_CAPACITY, LANES, PROGRAM, kernels, plans_by_instance, run_kernel
from harness.process import run_text
from harness.result import Result, Table

TARGETS = ["lbhm", PROGRAM]
REPETITIONS = 1  # on the emulated machine a run repeats to the bit
TIMES = [1, 0.25, 0.5, 2, 4]  # the base, the base input first
BASE_KIB = 4096  # of the main object
# Their work at four times the base must end in a minute: 1.3e8 steps for the product, 2.7e8 for the pairs, a million
# edges for bfs, whose lanes meet at each vertex.
SMALL_BASE_KIB = {"matrix-product": 512, "all-pairs": 128, "sort": 2048, "bfs": 512}
SCALINGS = {"paper": "cosine", "default": "sizes"}  # row of the table: key of the prediction
MEMORIES = {"slow-only": "slow_only_ns", "fast-only": "fast_only_ns"}  # policy: key of the prediction


@dataclass
class Row:
    kernel: str
    times: float  # size, relative to the base
    memory: str
    lane: int
    scaling: str
    predicted_ns: float
    measured_ns: float

    @property
    def error(self) -> float:
        return abs(self.predicted_ns / self.measured_ns - 1)


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--machine", default="optane", help="the emulated machine (optane)")
    parser.add_argument("--kernels", nargs="+", default=[], metavar="NAME", help="these alone")


def sizes_of(kernel: str) -> list[str]:
    base = SMALL_BASE_KIB.get(kernel, BASE_KIB)
    return [f"{int(base * times)}K" for times in TIMES]


def lane_times(run: Emulated) -> list[dict[int, float]]:
    """Nanoseconds at work by lane, of each instance."""
    return [{task["lane"]: task["time_ns"] for task in region["tasks"]} for region in run.report["regions"]]


def rows_of(kernel: str, measured: dict[str, Emulated], planned: Emulated) -> list[Row]:
    """measured: by policy. planned: the run whose plans predict. Raises BenchError for a missing plan."""
    times = {policy: lane_times(run) for policy, run in measured.items()}
    plans = plans_by_instance(planned)
    rows = []
    for instance, size in list(enumerate(TIMES))[1:]:
        if instance not in plans:
            raise BenchError(f"{kernel}: no plan for instance {instance} in the run report; was nothing sampled?")
        tasks = plans[instance]["tasks"]
        for task, (scaling, rule), (policy, key) in product(tasks, SCALINGS.items(), MEMORIES.items()):
            lane = task["lane"]
            if times[policy][instance].get(lane, 0) > 0:
                rows.append(Row(kernel, size, policy, lane, scaling, task[rule][key], times[policy][instance][lane]))
    return rows


def mean_error(rows: Iterable[Row], **wanted: object) -> float:
    """Mean absolute relative error of the rows with these values."""
    errors = [row.error for row in rows if all(getattr(row, key) == value for key, value in wanted.items())]
    return round(mean(errors), 4)


def error_table(rows: list[Row], key: str, title: str) -> tuple[dict[str, dict], Table]:
    """Mean errors by one of the rows' values, the paper's scaling beside ours."""
    values = sorted({getattr(row, key) for row in rows})
    errors = {
        str(value): {scaling: mean_error(rows, scaling=scaling, **{key: value}) for scaling in SCALINGS}
        for value in values
    }
    lines = [[str(value), *(f"{of[scaling]:.1%}" for scaling in SCALINGS)] for value, of in errors.items()]
    return errors, Table([key, "cosine (paper)", "sizes (ours)"], lines, title)


def profile(build: Build, kernel: str, base: str, machine: str, folder: Path) -> str:
    """The file of `lbhm profile` for the kernel on its base input: block times, measured offline (section 5.2)."""
    target = folder / f"{kernel}.json"
    command = [ROOT / "lbhm", "profile", "--machine", machine, "--threads", str(LANES), "--output", target, "--"]
    run_text([*command, build.program(PROGRAM), kernel, base], LBHM_BUILD=str(build.folder))
    return str(target)


def measure(build: Build, options: argparse.Namespace) -> Result:
    with tempfile.TemporaryDirectory(prefix="lbhm-bench-") as folder:
        return measure_in(Path(folder), build, options)


def measure_in(folder: Path, build: Build, options: argparse.Namespace) -> Result:
    rows = []
    for kernel in kernels(build, options.kernels):
        sizes = sizes_of(kernel)
        profiled = profile(build, kernel, sizes[0], options.machine, folder)
        measured = {policy: run_kernel(build, kernel, sizes, options.machine, policy) for policy in MEMORIES}
        settings = {"LBHM_FAST_CAPACITY": FAST_CAPACITY, "LBHM_PROFILE": profiled}
        planned = run_kernel(build, kernel, sizes, options.machine, "merchandiser-once", **settings)
        rows += rows_of(kernel, measured, planned)
    fields = {"emulated": options.machine}
    fields |= {f"error_{scaling}": mean_error(rows, scaling=scaling) for scaling in SCALINGS}
    tables = []
    for key in ("times", "memory", "kernel"):
        fields[f"error_by_{key}"], table = error_table(rows, key, f"Error of homogeneous times, by {key}")
        tables.append(table)
    fields["tasks"] = [asdict(row) for row in rows]
    return Result(fields, tables)
