"""Does a program on the emulated machine meet the latency that was measured of the real one under load?

load-probe loads a preset's memory at shares of reads that are not in its machine file (Optane's with reads alone: no
others are published), from 25 to 90 % of what was measured to be the greatest bandwidth there. Each latency, over the
idle one, is held against the measured one at the same bandwidth; against another machine of the kind (`same`: use) at
the same part of the greatest bandwidth.

The measured ones are in curves_bench.json beside this file; with --data FOLDER they come from the files that it names,
at more shares."""

import argparse
import csv
import json
import tempfile
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

from harness.build import Build
from harness.errors import BenchError
from harness.fidelity import machine_file
from harness.fidelity.emulation import emulation
from harness.fidelity.machine_file import value
from harness.fidelity.statistics import between
from harness.process import run_json
from harness.result import Result, Table

TARGETS = ["lbhm", "load-probe-emu"]
REPETITIONS = 1  # virtual time repeats to the bit
FIGURES = Path(__file__).with_suffix(".json")
LOADS = (0.25, 0.4, 0.55, 0.7, 0.8, 0.9)
SHARES = 10  # of a machine, with --data


@dataclass
class Row:
    """What was measured at one share of reads."""

    read_percent: float
    bandwidth: float  # the greatest one, GB/s
    uses: list[float]
    ratios: list[float]  # latency over the idle one, at each use


@dataclass
class Point:
    read_percent: float
    use: float
    latency_ratio: float
    measured_ratio: float

    @property
    def error(self) -> float:
        return abs(self.latency_ratio / self.measured_ratio - 1)


def mean_error(points: list[Point]) -> float:
    return sum(point.error for point in points) / len(points)


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--data", type=Path, metavar="FOLDER", help="the measured curves (github.com/bsc-mem/Mess-Results)"
    )
    parser.add_argument("--presets", nargs="+", metavar="NAME", help="these alone")


def stored_rows(entry: dict, uses: list[float]) -> list[Row]:
    return [
        Row(row["read_percent"], row["bandwidth_gb_per_s"], [0, *uses], [1, *row["latency_ratios"]])
        for row in entry["rows"]
    ]


def rows_of_data(folder: Path, entry: dict, in_file: list[float]) -> list[Row]:
    """SHARES of those in the data, evenly, and none that is in the machine file."""
    points = defaultdict(list)
    try:
        with (folder / entry["file"]).open() as lines:
            for line in csv.DictReader(lines):
                point = (float(line["bandwidth_smooth"]), float(line["latency_smooth"]))
                points[reads_of(float(line["read_pct_rounded"]), entry)].append(point)
    except (OSError, KeyError, ValueError) as error:
        raise BenchError(f"--data {folder}: {entry['file']} cannot be read ({error})") from error
    left_out = [share for share in sorted(points) if share >= 50 and min(abs(share - row) for row in in_file) > 0.4]
    chosen = left_out[:: max(1, len(left_out) // SHARES)]
    return [row_of_points(share, sorted(points[share]), entry["part"]) for share in chosen]


def reads_of(percent: float, entry: dict) -> float:
    """Of the memory's lines. Of the EPYC the files have the part of loads; a store reads its line first."""
    return round(100 / (2 - percent / 100), 1) if entry["preset"].startswith("epyc") else percent


def row_of_points(share: float, points: list[tuple[float, float]], part: float) -> Row:
    greatest, idle = points[-1][0], points[0][1]
    ratios = [max(latency for _, latency in points[: i + 1]) / idle for i in range(len(points))]
    return Row(share, greatest * part, [bandwidth / greatest for bandwidth, _ in points], ratios)


def probe(build: Build, machine: str, threads: int, reads: float, pauses: list[int]) -> list[dict]:
    """The points, the idle one first."""
    command = [build.program("load-probe-emu"), "--reads", str(round(reads))]
    command += ["--pauses", ",".join(map(str, pauses)), "--microseconds", "3000"]
    return run_json(command, **emulation(build, machine, threads, "fast-only"))["points"]


def pauses_for(build: Build, machine: str, threads: int, row: Row, same: float) -> list[int]:
    """Those with which the traffic is each of LOADS. A portion of lines takes each thread a time that grows linearly
    with the pause, as long as the memory has room: two pauses tell how, and a look at the result corrects it."""

    def times(pauses: list[int]) -> list[float]:
        points = probe(build, machine, threads, row.read_percent, pauses)[1:]
        return [1 / (point["gb_per_s"] - 64 / point["latency_ns"]) for point in points]  # without the chase

    few = max(100, round(12_000 * (threads - 1) / same))  # about a quarter of the load
    first, second = times([few, 2 * few])
    step = (second - first) / few
    wanted = [1 / (load * same) for load in LOADS]
    pauses = [max(0, round(few + (time - first) / step)) for time in wanted]
    corrections = [(time - found) / step for time, found in zip(wanted, times(pauses), strict=True)]
    return [max(0, round(pause + correction)) for pause, correction in zip(pauses, corrections, strict=True)]


def points_at(build: Build, machine: str, threads: int, row: Row, same: float) -> list[Point]:
    """`same`: the bandwidth that stands for the row's greatest one here."""
    pauses = pauses_for(build, machine, threads, row, same)
    idle, *loaded = probe(build, machine, threads, row.read_percent, pauses)
    found = []
    for point in loaded:
        use = point["gb_per_s"] / same
        ratio = point["latency_ns"] / idle["latency_ns"]
        found.append(Point(row.read_percent, use, ratio, between(row.uses, row.ratios, use)))
    return found


def compared(build: Build, entry: dict, uses: list[float], data: Path | None, folder: Path) -> list[Point]:
    machine = machine_file.presets()[entry["preset"]]
    index = [tier["name"] for tier in machine["tiers"]].index(entry["tier"])
    table = machine["tiers"][index]["curves"]["rows"]
    shares = [row["read_percent"] for row in table]
    rows = rows_of_data(data, entry, shares) if data and entry["file"] else stored_rows(entry, uses)
    name = f"{entry['preset']}-{entry['tier']}-first"
    first = machine_file.write(machine_file.with_tier_first(machine, index), folder, name)
    threads = value(machine["core"]["hardware_threads"])
    found = []
    for row in rows:
        here = between(shares, [line["bandwidth_gb_per_s"] for line in table], row.read_percent)
        same = row.bandwidth if entry["same"] == "bandwidth" else here
        found += points_at(build, first, threads, row, same)
    return found


def measure(build: Build, options: argparse.Namespace) -> Result:
    figures = json.loads(FIGURES.read_text())
    presets = machine_file.presets()
    rows, points = [], {}
    of_preset, of_others = defaultdict(list), defaultdict(list)
    with tempfile.TemporaryDirectory(prefix="lbhm-bench-") as folder:
        for entry in figures["machines"]:
            if options.presets and entry["preset"] not in options.presets:
                continue
            found = compared(build, entry, figures["uses"], options.data, Path(folder))
            name = f"{entry['preset']} {entry['tier']}, {entry['measured']}"
            worst = max(found, key=lambda point: point.error)
            same = entry["same"] == "bandwidth"
            (of_preset[entry["preset"]] if same else of_others[entry["measured"]]).extend(found)
            points[name] = [vars(point) | {"error": round(point.error, 4)} for point in found]
            shares = len({point.read_percent for point in found})
            cells = [name, entry["same"], f"{shares}", f"{len(found)}", f"{mean_error(found):.1%}"]
            rows.append([*cells, f"{worst.error:.1%} at {worst.read_percent:g} %, use {worst.use:.2f}"])
    if not rows:
        raise BenchError(f"--presets {' '.join(options.presets)}: of these nothing was measured; see {FIGURES}")
    without = {
        name: missing
        for name, machine in presets.items()
        if (missing := [tier["name"] for tier in machine["tiers"] if "curves" not in tier])
    }
    columns = ["tier, measured machine", "at the same", "shares", "points", "mean error", "worst"]
    title = "Latency under load at shares of reads that are not in the machine file; Optane: reads alone"
    listed = [f"{name} ({', '.join(tiers)})" for name, tiers in without.items()]
    notes = [f"without curves: {'; '.join(listed)}"]
    fields = {
        "mean_error": {preset: round(mean_error(found), 4) for preset, found in of_preset.items()},
        "other_machines": {measured: round(mean_error(found), 4) for measured, found in of_others.items()},
        "points": points,
        "without_curves": without,
    }
    return Result(fields, [Table(columns, rows, title)], notes)
