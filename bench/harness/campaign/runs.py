"""One cell: the program under one policy with each heap padding, and what is kept of its reports."""

import re
import statistics
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Lock
from typing import Any

from harness.build import Build
from harness.campaign.accuracy import accuracies_of
from harness.campaign.cells import CAPACITIES, ORACLE, REFERENCES, Application, Cell
from harness.campaign.spread import PADDINGS, median_of
from harness.errors import BenchError
from lbhm.base.build_tree import BuildTree
from lbhm.base.errors import Refusal
from lbhm.execute.execute import Outcome, Setup, execute
from lbhm.files.page_counts import read_page_counts
from lbhm.files.report import checksum_of
from lbhm.machine import choose_machine
from lbhm.oracle.oracle import Profiles, profile, run_best

LINE = 64  # bytes of an access
SERIES_OF = "pic"  # Figure 6 shows WarpX
THREADS = 12  # Table 2 of the paper, SpGEMM and BFS
SEED = 1


class Quiet:
    """Nobody is told which run of the oracle begins: the campaign counts cells."""

    def start(self, what: str) -> None: ...
    def done(self, what: str) -> None: ...


@dataclass
class Runner:
    """May be used by several threads."""

    build: Build
    folder: Path  # for the oracle's counts
    short: bool
    paddings: tuple[int, ...] = PADDINGS

    def __post_init__(self) -> None:
        self._profiles: dict[tuple[str, str], Profiles] = {}
        self._one_oracle = Lock()  # profiles are large: one at a time

    def setup(self, application: Application, preset: str) -> Setup:
        program = self.build.program(application.program)
        command = [str(program), *application.arguments_for(self.short)]
        return Setup(
            BuildTree(self.build.folder), choose_machine(preset), command, THREADS, SEED, heap=application.heap
        )

    def run(self, application: Application, cell: Cell, footprint: int) -> dict[str, Any]:
        """The cell's result. footprint: peak bytes of the slow-only run; not needed for the references.
        Raises BenchError."""
        setup = self.setup(application, cell.preset)
        capacity = None if cell.policy in REFERENCES else int(footprint * CAPACITIES[cell.capacity])
        try:
            if cell.policy == ORACLE:
                with self._one_oracle:
                    runs = self._oracle(setup, cell, capacity)
            else:
                counts = application.heap and cell.policy == REFERENCES[0]
                run = run_counted if counts else run_plainly
                runs = [run(padded, cell, capacity, cell.settings) for padded in self._varied(setup, cell)]
        except Refusal as refusal:
            raise BenchError(f"{cell.name}: {refusal}") from None
        seconds = round(sum(run["processor_seconds"] for run in runs), 3)
        return median_of(cell.name, runs) | {"processor_seconds": seconds}

    def _varied(self, setup: Setup, cell: Cell) -> list[Setup]:
        return [
            replace(setup, seed=seed, settings=(("LBHM_HEAP_PADDING", str(bytes_)),))
            for seed, bytes_ in cell.variations or [(SEED, padding) for padding in self.paddings]
        ]

    def _oracle(self, setup: Setup, cell: Cell, capacity: int) -> list[dict[str, Any]]:
        """Counted once, without padding: the oracle places objects, which no padding moves. Seeds change nothing."""
        known = (cell.application, cell.preset)
        if known not in self._profiles:
            self._profiles = {known: profile(setup, Quiet(), self.folder / "counts")}
        runs = []
        for padded in self._varied(setup, cell):
            best = run_best(padded, self._profiles[known], capacity, Quiet())
            runs.append(result_of(cell, best.outcome) | {"bound_ns": best.solution.bound_ns, "plan": best.plan.name})
        return runs


def run_plainly(setup: Setup, cell: Cell, capacity: int | None, settings: dict[str, str]) -> dict[str, Any]:
    return result_of(cell, execute(setup, cell.policy, capacity, show_output=False, settings=settings))


def run_counted(setup: Setup, cell: Cell, capacity: int | None, settings: dict[str, str]) -> dict[str, Any]:
    """Also says which share of all misses fell on objects, which are known by their sites. It takes no virtual time."""
    with tempfile.TemporaryDirectory(prefix="lbhm-bench-") as folder:
        file = Path(folder) / "counts"
        result = run_plainly(setup, cell, capacity, settings | {"LBHM_PAGE_COUNTS": str(file)})
        counts = read_page_counts(file)
    of_objects = counts.accesses_by_object()[:-1]
    known = sum(sum(by_lane.values()) for regions in of_objects for by_lane in regions.values())
    return result | {"named_share": round(known / max(counts.accesses(), 1), 4)}


def result_of(cell: Cell, outcome: Outcome) -> dict[str, Any]:
    report = outcome.report
    result = {
        "application": cell.application,
        "preset": cell.preset,
        "capacity": cell.capacity,
        "policy": cell.policy,
        "pace": cell.pace,
        "makespan_ns": report["makespan_ns"],
        "acv": report["acv"],
        **accuracies_of(report),
        "fast_access_share": report["fast_access_share"],
        "migrated_bytes": report["migrated_bytes"],
        "decision_ns": report["decision_ns"],
        "footprint_bytes": report["footprint_bytes"],
        "fast_capacity_bytes": report["fast_capacity_bytes"],
        "checksum": checksum_of(outcome.stdout),
        "processor_seconds": outcome.processor_seconds,
        "task_times": box_of(report),
        # Counts and addresses change between runs of other programs; what is said does not.
        "remarks": sorted({re.sub(r"\d+", "N", remark) for remark in report["remarks"]}),
    }
    if cell.application == SERIES_OF:
        result["bandwidth"] = bandwidth_of(report)
    return result


def box_of(report: dict[str, Any]) -> list[float]:
    """Task times relative to the mean of their region instance: minimum, quartiles, maximum (Figure 5)."""
    times = []
    for region in report["regions"]:
        mean = statistics.fmean([task["time_ns"] for task in region["tasks"]] or [0])
        times += [task["time_ns"] / mean for task in region["tasks"] if mean > 0]
    if len(times) < 2:
        return []
    return [round(value, 4) for value in (min(times), *statistics.quantiles(times, n=4), max(times))]


def bandwidth_of(report: dict[str, Any], points: int = 100) -> list[list[float]]:
    """(seconds at work so far, GB/s from fast memory, GB/s from slow memory) in about `points` steps (Figure 6).
    Lines that are read; regions one after the other, without what is between them."""
    total = sum(region["time_ns"] for region in report["regions"])
    series, clock = [], 0.0
    step = [0.0, 0.0, 0.0]
    for region in report["regions"]:
        fast = sum(task["fast_accesses"] for task in region["tasks"])
        both = sum(task["accesses"] for task in region["tasks"])
        step = [step[0] + region["time_ns"], step[1] + fast * LINE, step[2] + (both - fast) * LINE]
        if step[0] >= total / points:
            clock += step[0]
            series.append([round(clock / 1e9, 6), round(step[1] / step[0], 3), round(step[2] / step[0], 3)])
            step = [0.0, 0.0, 0.0]
    return series
