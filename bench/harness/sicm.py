"""SICM's evaluation (TACO 2022): guidance of sites online and offline, by application and capacity, beside Figure 7 and
Tables 1 to 3; what profiling costs; how far ski rental is from who knows the future."""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import tempfile
from dataclasses import dataclass, field
from math import exp, log
from pathlib import Path
from typing import Any

from harness.build import ROOT, Build
from harness.errors import BenchError
from harness.result import Result, Table


@dataclass(frozen=True)
class Paper:
    """What the paper says of a program's counterpart, medium input."""

    name: str
    minutes: float  # Table 1: all memory fast
    gigabytes: float
    sites: int
    seconds: tuple[int, int, int]  # Table 3, half of the footprint fast: unguided, offline, online
    megabytes_a_second: float  # moved meanwhile, online

    @property
    def footprints_moved(self) -> float:
        return self.megabytes_a_second / 1e3 * self.seconds[2] / self.gigabytes


PROGRAMS = {
    "hydro": Paper("LULESH", 6.2, 66.2, 87, (2097, 467, 611), 197.5),
    "amg": Paper("AMG", 7.7, 72.2, 209, (974, 669, 817), 338.9),
    "sweep": Paper("SNAP", 12.9, 61.4, 87, (1659, 901, 1206), 136.3),
    "mc": Paper("QMCPACK", 10.2, 16.5, 1408, (5895, 1181, 882), 26.8),
}
INTERVAL_S, OF_GIGABYTES = 10, PROGRAMS["hydro"].gigabytes  # runtime/placement/policies/sicm.cpp
# Table 2: seconds to collect and analyse a profile, CORAL with medium inputs: mean and maximum.
PROFILE_S = {"offline": (6.058, 16.897), "online": (0.521, 1.633)}
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


@dataclass
class Guided:
    """A program under policy sicm, by capacity."""

    footprint: int = 0  # bytes, of the first run
    moved: dict[str, int] = field(default_factory=dict)  # bytes
    sites: dict[str, int] = field(default_factory=dict)  # at most at a time
    decision_ns: dict[str, tuple[int, int]] = field(default_factory=dict)  # mean, longest

    def add(self, capacity: str, run: dict[str, Any]) -> None:
        """run: of lbhm compare's JSON. Raises BenchError if the policy does not say what its decisions took."""
        self.footprint = self.footprint or run["footprint_bytes"]
        self.moved[capacity] = run["migrated_bytes"]
        said = SAID.search("\n".join(run["remarks"]))
        if said is None:
            raise BenchError("the remark of policy sicm has no decisions; does the library fit to this tree? (ninja)")
        sites, mean, longest = map(int, said.groups())
        self.sites[capacity] = sites
        self.decision_ns[capacity] = (mean, longest)

    @property
    def interval_ns(self) -> float:
        return INTERVAL_S * self.footprint / OF_GIGABYTES


SAID = re.compile(r"has seen (\d+) sites; a decision took (\d+) ns in the mean and (\d+) ns at most")


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--machine", default="clx-optane")
    parser.add_argument("--threads", type=int, default=16)
    parser.add_argument("--programs", nargs="+", default=list(PROGRAMS), choices=list(PROGRAMS), metavar="NAME")
    parser.add_argument("--fast", default="10%,20%,30%,40%,50%", help="capacities (10%%,20%%,30%%,40%%,50%%)")
    parser.add_argument("--short", action="store_true", help="small inputs")


def measure(build: Build, options: argparse.Namespace) -> Result:
    notes = [f"{name}: is not built here and was left out" for name in options.programs if name not in BUILT]
    times: dict[str, Times] = {}
    guided: dict[str, Guided] = {}
    costs: dict[str, tuple[float, float]] = {}
    for name in options.programs:
        if name in BUILT:
            times[name], guided[name] = compared(build, options, name)
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
        "migrated_bytes": {name: of.moved for name, of in guided.items()},
        "footprint_bytes": {name: of.footprint for name, of in guided.items()},
        "sites": {name: of.sites for name, of in guided.items()},
        "interval_ns": {name: round(of.interval_ns) for name, of in guided.items()},
        "decision_ns": {
            name: {capacity: {"mean": mean, "longest": longest} for capacity, (mean, longest) in of.decision_ns.items()}
            for name, of in guided.items()
        },
    }
    return Result(fields, tables(times, guided), notes)


def compared(build: Build, options: argparse.Namespace, name: str) -> tuple[Times, Guided]:
    with tempfile.TemporaryDirectory(prefix="lbhm-bench-") as folder:
        target = Path(folder) / "compare.json"
        wanted = ("--fast", options.fast, "--policies", ",".join(POLICIES), "--json", str(target))
        lbhm(build, {}, "compare", *common(options), *wanted, "--", *program(build, options, name))
        result = json.loads(target.read_text())
    times: Times = {}
    guided = Guided()
    for share, comparison in zip(options.fast.split(","), result.get("comparisons", [result]), strict=True):
        for run in comparison["runs"]:
            times.setdefault(run["policy"], {})[share] = run["makespan_ns"]
            if run["policy"] == "sicm":
                guided.add(share, run)
    return times, guided


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


def tables(times: dict[str, Times], guided: dict[str, Guided]) -> list[Table]:
    """As the paper's, with what it has beside."""
    capacities = list(next(iter(times.values()), {}).get("first-touch", {}))
    most = capacities[-1] if capacities else ""
    return [
        table1(times, guided, most),
        table2(guided, most),
        figure7(times, capacities),
        table3(times, guided, most),
    ]


def named(name: str) -> str:
    return f"{name} ({PROGRAMS[name].name})"


def table1(times: dict[str, Times], guided: dict[str, Guided], capacity: str) -> Table:
    rows = []
    for name, of in guided.items():
        paper = PROGRAMS[name]
        all_fast = f"{times[name]['fast-only'][capacity] / 1e6:.1f} ms", f"{paper.minutes} min"
        size = f"{of.footprint / 2**20:.1f} MiB", f"{paper.gigabytes} GB"
        rows.append([named(name), *all_fast, *size, str(of.sites[capacity]), str(paper.sites)])
    heads = ["program", "all fast", "the paper's", "footprint", "the paper's", "sites", "the paper's"]
    return Table(heads, rows, "Table 1: programs")


def figure7(times: dict[str, Times], capacities: list[str]) -> Table:
    rows = [
        [named(name), policy] + [f"{of['fast-only'][capacity] / time:.2f}" for capacity, time in of[policy].items()]
        for name, of in times.items()
        for policy in ("first-touch", "sicm-offline", "sicm")
    ]
    return Table(["program", "policy", *capacities], rows, "Figure 7: throughput over all fast")


def table2(guided: dict[str, Guided], capacity: str) -> Table:
    """What a decision takes, and its share of the interval; the paper's profiler had an interval of 10 s."""
    rows = []
    for name, of in guided.items():
        shown = [f"{ns / 1e3:.1f} µs ({100 * ns / of.interval_ns:.2f} %)" for ns in of.decision_ns[capacity]]
        rows.append([named(name), *shown, f"{of.interval_ns / 1e3:.0f} µs"])
    for way, seconds in PROFILE_S.items():
        shown = [f"{time} s ({100 * time / INTERVAL_S:.0f} %)" for time in seconds]
        rows.append([f"the paper, {way}", *shown, f"{INTERVAL_S} s"])
    return Table(["program", "mean (of an interval)", "longest", "interval"], rows, f"Table 2: decisions at {capacity}")


def table3(times: dict[str, Times], guided: dict[str, Guided], capacity: str) -> Table:
    """Times over first touch, and what moved online, in MiB, footprints and MB a second."""
    rows = []
    for name, of in times.items():
        first, offline, online = (of[policy][capacity] for policy in ("first-touch", "sicm-offline", "sicm"))
        paper = PROGRAMS[name]
        first_s, offline_s, online_s = paper.seconds
        here = [f"{time / 1e6:.1f}" for time in (first, offline, online)]
        ratios = [f"{first / offline:.2f}", f"{first / online:.2f}", f"{online / offline:.2f}"]
        published = f"{first_s / offline_s:.2f} {first_s / online_s:.2f} {online_s / offline_s:.2f}"
        moved, size = guided[name].moved[capacity], guided[name].footprint
        rate = f"{moved / 2**20:.1f} MiB, {moved / size:.2f}, {moved / online * 1e3:.1f}"
        said = f"{paper.footprints_moved:.2f}, {paper.megabytes_a_second}"
        rows.append([name, *here, " ".join(ratios), published, rate, said])
    heads = ["program", "first touch, ms", "offline", "online", "gain offline, online; online / offline", "the paper's"]
    heads += ["moved, footprints, MB/s", "the paper's"]
    return Table(heads, rows, f"Table 3, at {capacity}")
