"""What one call of LB_HM_config takes to decide, by number of tasks and objects, and where the time goes; and what a
look of policy lbhm takes."""

import argparse
from pathlib import Path

from harness.build import Build
from harness.process import run_json
from harness.result import Result, Table

TARGETS = ["bench-decision", "bench-curve", "bench-value-look"]
REPETITIONS = 5
PARTS = ["counting", "homogeneous", "prediction", "budget", "selection"]
WHOLE = "decision"
SHOWN_MIB, SHOWN_TASKS = "1024", "24"  # footprint of `decision_us`; tasks of the table of parts
SECONDS = 0.02  # at least, of each repetition

# Microseconds by part, by MiB of footprint, tasks and objects.
Times = dict[str, dict[str, dict[str, dict[str, float]]]]


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--model", type=Path, metavar="FILE", help="a trained f (the shipped one of optane)")


def model_of(build: Build, chosen: Path | None) -> Path | None:
    """The model file to predict with. None: there is none, f is analytic."""
    shipped = build.folder / "share" / "lbhm" / "models" / "optane.json"
    return chosen or (shipped if shipped.is_file() else None)


def medians(report: dict) -> dict[str, float]:
    """Processor time in microseconds by name; Google Benchmark's report has no medians of a single repetition."""
    units = {"ns": 1e-3, "us": 1, "ms": 1e3, "s": 1e6}
    entries = report["benchmarks"]
    repeated = any("aggregate_name" in entry for entry in entries)
    return {
        entry["run_name"]: round(entry["cpu_time"] * units[entry["time_unit"]], 3)
        for entry in entries
        if not repeated or entry.get("aggregate_name") == "median"
    }


def by_shape(times: dict[str, float]) -> Times:
    """From names `part/tasks/objects/MiB`."""
    tree: Times = {}
    for name, value in times.items():
        part, tasks, objects, mebibytes = name.split("/")
        tree.setdefault(mebibytes, {}).setdefault(tasks, {}).setdefault(objects, {})[part] = value
    return tree


def whole_table(tree: Times) -> Table:
    shown = tree[SHOWN_MIB]
    objects = list(next(iter(shown.values())))
    rows = [[tasks, *(f"{row[number][WHOLE]:,.0f}" for number in objects)] for tasks, row in shown.items()]
    return Table(["tasks", *objects], rows, f"A decision in µs, by tasks and objects, {SHOWN_MIB} MiB")


def part_table(tree: Times) -> Table:
    shown = tree[SHOWN_MIB][SHOWN_TASKS]
    rows = [[part, *(f"{row[part]:,.1f}" for row in shown.values())] for part in [*PARTS, WHOLE]]
    return Table(["part", *shown], rows, f"Its parts in µs, {SHOWN_TASKS} tasks, by objects")


def measure(build: Build, options: argparse.Namespace) -> Result:
    model = model_of(build, options.model)
    words = [model] if model else []
    google = [
        "--benchmark_format=json",
        f"--benchmark_repetitions={options.repetitions}",
        f"--benchmark_min_time={SECONDS}",
    ]
    curve = medians(run_json([build.program("bench-curve"), *google, *words]))
    report = run_json([build.program("bench-decision"), *google, *words])
    tree = by_shape(medians(report))
    fields = {
        "correlation": report["context"]["correlation"],
        "curve_us": curve["trained"],
        "curve_analytic_us": curve["analytic"],
        "decision_mib": int(SHOWN_MIB),
        "decision_us": {
            tasks: {objects: parts[WHOLE] for objects, parts in row.items()} for tasks, row in tree[SHOWN_MIB].items()
        },
        "parts": tree,
        "look_ns": run_json([build.program("bench-value-look")]),
    }
    f = f"curve of one task: {curve['trained']} µs, analytic {curve['analytic']} µs"
    notes = [f if model else f + "; no trained model is there: the curve's trees are made up, decisions are analytic"]
    return Result(fields, [whole_table(tree), part_table(tree)], notes)
