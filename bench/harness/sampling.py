"""What the samplers of real machines cost a memory-bound program of one thread."""

import argparse
import json
import subprocess
from statistics import median

from harness.build import Build
from harness.errors import BenchError
from harness.process import clean_environment
from harness.result import Result, Table

TARGETS = ["bench-sampling"]
REPETITIONS = 5
ROUNDS = 2  # without and with the sampler, in turn, in one process
# One sample in so many accesses (pebs), operations (ibs, spe) or faults; hints and bits-*: one page in so many.
PERIODS = {
    "pebs": [1000, 10000, 100000],
    "ibs": [10000, 100000, 1000000],
    "spe": [1000, 10000, 100000],
    "faults": [1, 8, 64],
    "hints": [1, 8, 64],
    "bits-idle": [1, 8, 64],
    "bits-faults": [1, 8, 64],
    "bits-written": [1, 8, 64],
}
LEFT_OUT = 3  # exit status: does not work on this machine


def run_once(build: Build, sampler: str, period: int) -> dict | str:
    """Seconds and samples of one process, or why the sampler does not work here."""
    command = [str(build.program("bench-sampling")), sampler, str(period), str(ROUNDS)]
    done = subprocess.run(command, env=clean_environment(), capture_output=True, text=True)
    if done.returncode == LEFT_OUT:
        return done.stderr.strip()
    if done.returncode != 0:
        raise BenchError(f"`{' '.join(command)}` ended with status {done.returncode}:\n{done.stderr.strip()}")
    return json.loads(done.stdout)


def summary(runs: list[dict]) -> tuple[float | None, float, float]:
    """(ns a sample or None if there was none, slowdown, samples a run): medians of the runs, lost samples included."""
    costs = []
    for run in runs:
        taken = run["samples"] + run["lost"]
        if taken:
            costs.append((run["with"] - run["without"]) * 1e9 / taken)
    slowdown = median(run["with"] / run["without"] for run in runs)
    return (median(costs) if costs else None), slowdown, median(run["samples"] + run["lost"] for run in runs)


def measure(build: Build, options: argparse.Namespace) -> Result:
    runs: dict[str, dict[int, list[dict]]] = {}
    unavailable: dict[str, str] = {}
    for _ in range(options.repetitions):  # in turn, so that all meet the same moods of the machine
        for sampler, periods in PERIODS.items():
            for period in periods:
                if sampler in unavailable:
                    continue
                found = run_once(build, sampler, period)
                if isinstance(found, str):
                    unavailable[sampler] = found
                else:
                    runs.setdefault(sampler, {}).setdefault(period, []).append(found)
    costs: dict[str, dict[str, float | None]] = {}
    slowdowns: dict[str, dict[str, float]] = {}
    rows = []
    for sampler, by_period in runs.items():
        for period, found in by_period.items():
            cost, slowdown, samples = summary(found)
            costs.setdefault(sampler, {})[str(period)] = None if cost is None else round(cost, 1)
            slowdowns.setdefault(sampler, {})[str(period)] = round(slowdown, 4)
            shown = "-" if cost is None else f"{cost:.0f}"
            rows.append([sampler, str(period), f"{samples:.0f}", shown, f"{slowdown:.3f}"])
    fields = {"ns_per_sample": costs, "slowdown": slowdowns, "unavailable": unavailable, "samples_s": runs}
    notes = [f"{sampler} is left out: {why}" for sampler, why in unavailable.items()]
    return Result(fields, [Table(["sampler", "one in", "samples", "ns a sample", "slowdown"], rows)], notes)
