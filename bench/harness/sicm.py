"""SICM's evaluation (TACO 2022): guidance of sites online and offline, by application and capacity, beside Figure 7 and
Tables 2 and 3; what profiling costs; how far ski rental is from who knows the future."""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import tempfile
from math import exp, log
from pathlib import Path
from typing import Any

from harness.build import ROOT, Build
from harness.errors import BenchError
from harness.result import Result, Table

# name: its counterpart, and the paper's seconds unguided, offline, online with half of the footprint fast (Table 3)
PROGRAMS = {
    "hydro": ("LULESH", (2097, 467, 611)),
    "amg": ("AMG", (974, 669, 817)),
    "sweep": ("SNAP", (1659, 901, 1206)),
    "mc": ("QMCPACK", (5895, 1181, 882)),
}
BUILT = [name for name in PROGRAMS if (ROOT / "apps" / name / "CMakeLists.txt").is_file()]
TARGETS = ["lbhm", "lbhm-heap", "lbhm-plugin", "lbhm-choose", "test_placement", *(f"{name}-emu" for name in BUILT)]
REPETITIONS = 1  # virtual time repeats to the bit
POLICIES = ("first-touch", "sicm", "sicm-offline", "fast-only")
GUIDED = ("sicm", "sicm-offline")
SHORT = {
    "hydro": ("--size", "128", "--steps", "12"),
    "amg": ("--size", "16"),
    "sweep": ("--size", "12"),
    "mc": ("--grid", "32", "--walkers", "48"),
}
LEAST = 0.01  # what no gain at all counts as in a geometric mean
Times = dict[str, dict[str, float]]  # ns, by policy and capacity


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--machine", default="clx-optane")
    parser.add_argument("--threads", type=int, default=16)
    parser.add_argument("--programs", nargs="+", default=list(PROGRAMS), choices=list(PROGRAMS), metavar="NAME")
    parser.add_argument("--fast", default="10%,20%,30%,40%,50%", help="capacities (10%%,20%%,30%%,40%%,50%%)")
    parser.add_argument("--short", action="store_true", help="small inputs")


def measure(build: Build, options: argparse.Namespace) -> Result:
    notes = [f"{name}: is not built here and was left out" for name in options.programs if name not in BUILT]
    times: dict[str, Times] = {}
    costs: dict[str, tuple[float, float]] = {}
    for name in options.programs:
        if name in BUILT:
            times[name] = compared(build, options, name)
            costs[name] = profiling(build, options, name)
    fields: dict[str, Any] = {
        "gap_closed": gap_closed(times),
        "online_over_offline": {name: over_offline(of) for name, of in times.items()},
        "profiling_cost": max((cost for cost, _ in costs.values()), default=None),
        "resident_growth": max((growth for _, growth in costs.values()), default=None),
        "ski_rental_worst": ski_rental_worst(build),
        "times_ns": times,
        "by_program": {
            name: {"profiling_cost": cost, "resident_growth": growth} for name, (cost, growth) in costs.items()
        },
    }
    return Result(fields, tables(times), notes)


def compared(build: Build, options: argparse.Namespace, name: str) -> Times:
    with tempfile.TemporaryDirectory(prefix="lbhm-bench-") as folder:
        target = Path(folder) / "compare.json"
        wanted = ("--fast", options.fast, "--policies", ",".join(POLICIES), "--json", str(target))
        lbhm(build, {}, "compare", *common(options), *wanted, "--", *program(build, options, name))
        result = json.loads(target.read_text())
    times: Times = {}
    for share, comparison in zip(options.fast.split(","), result.get("comparisons", [result]), strict=True):
        for run in comparison["runs"]:
            times.setdefault(run["policy"], {})[share] = run["makespan_ns"]
    return times


def profiling(build: Build, options: argparse.Namespace, name: str) -> tuple[float, float]:
    """What samples and decisions without moves take of the time, and by how much pages by site are more than those of
    malloc: shares, with all memory fast."""
    plain = run(build, options, name, "first-touch", {"LBHM_ARENA_MINIMUM": "0"})
    watched = run(build, options, name, "sicm", {"LBHM_WITHOUT": "moves"})
    cost = watched["makespan_ns"] / plain["makespan_ns"] - 1
    return round(cost, 4), round(watched["footprint_bytes"] / plain["footprint_bytes"] - 1, 4)


def run(build: Build, options: argparse.Namespace, name: str, policy: str, settings: dict[str, str]) -> dict[str, Any]:
    with tempfile.TemporaryDirectory(prefix="lbhm-bench-") as folder:
        report = Path(folder) / "run.json"
        words = ("run", *common(options), "--fast", "100%", "--policy", policy, "--json", str(report))
        lbhm(build, settings, *words, "--", *program(build, options, name))
        return json.loads(report.read_text())


def common(options: argparse.Namespace) -> list[str]:
    return ["--machine", options.machine, "--heap", "--threads", str(options.threads)]


def program(build: Build, options: argparse.Namespace, name: str) -> list[str]:
    return [str(build.program(f"{name}-emu")), *(SHORT[name] if options.short else ())]


def lbhm(build: Build, settings: dict[str, str], *words: str) -> None:
    environment = os.environ | {"LBHM_BUILD": str(build.folder)} | settings
    done = subprocess.run([ROOT / "lbhm", *words], env=environment, capture_output=True, text=True)
    if done.returncode != 0:
        raise BenchError((done.stderr.strip().splitlines() or [f"lbhm ended with status {done.returncode}"])[-1])


def geometric_mean(values: list[float]) -> float | None:
    return round(exp(sum(map(log, values)) / len(values)), 4) if values else None


def share_closed(of: Times, policy: str, capacity: str) -> float:
    """Of the way from first touch to everything in fast memory."""
    first, fast = of["first-touch"][capacity], of["fast-only"][capacity]
    return (first - of[policy][capacity]) / (first - fast) if first > fast else 1.0


def gap_closed(times: dict[str, Times]) -> dict[str, dict[str, float | None]]:
    capacities = list(next(iter(times.values()), {}).get("first-touch", {}))
    return {
        policy: {
            capacity: geometric_mean([max(LEAST, share_closed(of, policy, capacity)) for of in times.values()])
            for capacity in capacities
        }
        for policy in GUIDED
    }


def over_offline(of: Times) -> float | None:
    """The geometric mean over the capacities."""
    return geometric_mean([of["sicm"][capacity] / time for capacity, time in of["sicm-offline"].items()])


def ski_rental_worst(build: Build) -> float | None:
    """(Total less the dearest interval) / offline optimum, the largest of the tests' traces."""
    with tempfile.TemporaryDirectory(prefix="lbhm-bench-") as folder:
        file = Path(folder) / "ski.json"
        words = [build.program("test_placement"), "--gtest_filter=SkiRentalTest.*", f"--gtest_output=json:{file}"]
        if subprocess.run(words, capture_output=True).returncode != 0:
            raise BenchError("the tests of ski rental fail: build/release/bin/test_placement --gtest_filter='Ski*'")
        found = re.findall(r'"ski_rental_worst": "([\d.]+)"', file.read_text())
    return max(map(float, found), default=None)


def tables(times: dict[str, Times]) -> list[Table]:
    """Throughput over all fast (Figure 7), and times over first touch at the largest capacity (Table 3)."""
    rows = [
        [f"{name} ({PROGRAMS[name][0]})", policy]
        + [f"{of['fast-only'][capacity] / time:.2f}" for capacity, time in of[policy].items()]
        for name, of in times.items()
        for policy in ("first-touch", "sicm-offline", "sicm")
    ]
    capacities = list(next(iter(times.values()), {}).get("first-touch", {}))
    figure7 = Table(["program", "policy", *capacities], rows, "Figure 7: throughput over all fast")
    rows = []
    for name, of in times.items():
        first, offline, online = (of[policy][capacities[-1]] for policy in ("first-touch", "sicm-offline", "sicm"))
        paper = PROGRAMS[name][1]
        here = [f"{time / 1e6:.1f}" for time in (first, offline, online)]
        ratios = [f"{first / offline:.2f}", f"{first / online:.2f}", f"{online / offline:.2f}"]
        published = f"{paper[0] / paper[1]:.2f} {paper[0] / paper[2]:.2f} {paper[2] / paper[1]:.2f}"
        rows.append([name, *here, " ".join(ratios), published])
    heads = ["program", "first touch, ms", "offline", "online", "gain offline, online; online / offline", "the paper's"]
    return [figure7, Table(heads, rows, f"Table 3, at {capacities[-1]}" if capacities else "Table 3")]
