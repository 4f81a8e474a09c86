"""H2M's evaluation (CLUSTER '24, Figure 3): its placements over first come, by application, method and capacity."""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harness.build import ROOT, Build
from harness.errors import BenchError
from harness.result import Result, Table

TARGETS = ["lbhm", "lbhm-heap", "lbhm-plugin", "lbhm-choose", "xs-emu", "fe-emu", "hydro-emu", "multiphase-emu"]
REPETITIONS = 1  # virtual time repeats to the bit
METHODS = ("initial", "lifetime", "phases")
POLICIES = ["slow-only", "fast-only", "h2m-fcfs", *(f"h2m-{method}" for method in METHODS)]
MACHINES = {"icelake-optane": 16, "xeon-max": 10}  # threads, as the paper has them
OBJECTS = 1000  # of the problem that is timed

Times = dict[str, dict[str, float]]  # ns by policy and capacity


@dataclass(frozen=True)
class Program:
    """paper: its counterpart; published: largest speed-ups over first come there, on icelake-optane."""

    paper: str
    short: tuple[str, ...]
    other: tuple[str, ...]  # another input
    published: str


PROGRAMS = {
    "xs": Program("XSBench", ("--nuclides", "12", "--points", "600"), ("--nuclides", "20"), "initial 2.48"),
    "fe": Program("miniFE", ("--size", "16"), ("--size", "32"), "initial 1.75"),
    "hydro": Program("LULESH", ("--size", "128", "--steps", "12"), ("--steps", "12"), "lifetime 1.25, phases 1.38"),
    "bt": Program("NPB-BT", ("--size", "20", "--steps", "6"), ("--steps", "6"), "lifetime"),
    "bwaves": Program("351.bwaves", ("--size", "12", "--steps", "2"), ("--steps", "2"), "as LULESH"),
    "multiphase": Program("Multi-Phase", ("--size", "96"), ("--size", "160"), "phases (P = 2) 1.27, lifetime 1.13"),
}


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--machine", nargs="+", default=["icelake-optane"], choices=list(MACHINES), metavar="M")
    parser.add_argument("--programs", nargs="+", default=list(PROGRAMS), choices=list(PROGRAMS), metavar="NAME")
    parser.add_argument("--fast", default="25%,33%,50%", help="capacities (25%%,33%%,50%%)")
    parser.add_argument("--short", action="store_true", help="small inputs: some minutes")
    parser.add_argument("--plot", type=Path, metavar="FILE", help="draw Figure 3 (.svg or .png)")
    parser.add_argument("--other-input", action="store_true", help="also with a profile of another input")


def measure(build: Build, options: argparse.Namespace) -> Result:
    fields: dict[str, Any] = {"speedup_over_fcfs": {}, "other_input_share": {}, "xeon_max_worst": None}
    tables, notes, drawn = [], [], {}
    if options.other_input and "icelake-optane" not in options.machine:
        raise BenchError("--other-input: is measured on icelake-optane; name it in --machine")
    for machine in options.machine:
        times: dict[str, Times] = {}
        for name in options.programs:
            try:
                times[name] = compared(build, options, machine, name)
            except BenchError as error:
                notes.append(f"{machine}, {name}: {error}")
        found = {name: speedups(of) for name, of in times.items()}
        if machine == "icelake-optane":
            fields["speedup_over_fcfs"] = found
        else:
            fields["xeon_max_worst"] = max((behind_dram(of) for of in times.values() if in_dram(of)), default=None)
        tables.append(table_of(machine, times))
        drawn[machine] = times
    fields["times_ns"] = drawn
    if options.plot:
        plotted(options.plot, drawn)
    if options.other_input:
        for name, of in drawn["icelake-optane"].items():
            fields["other_input_share"][name] = other_input_share(build, options, name, of)
    fields["chooser_equal"], fields["solve_seconds_1000"] = chooser(build)
    return Result(fields, tables, notes)


def plotted(file: Path, drawn: dict[str, dict[str, Times]]) -> None:
    code = "import json, pathlib, sys; from harness.h2m_figure import draw; "
    code += "draw(pathlib.Path(sys.argv[1]), *json.load(sys.stdin))"
    content = json.dumps([drawn, {name: of.published for name, of in PROGRAMS.items()}])
    words = [python(), "-c", code, file.resolve()]
    done = subprocess.run(words, input=content, text=True, capture_output=True, cwd=ROOT / "bench")
    if done.returncode != 0:
        raise BenchError(f"--plot {file}: {(done.stderr.strip().splitlines() or ['it failed'])[-1]}")


def python() -> str:
    """That of build/venv, which has matplotlib, scipy and pytest, if it is there."""
    found = ROOT / "build" / "venv" / "bin" / "python"
    return str(found) if found.is_file() else sys.executable


def compared(build: Build, options: argparse.Namespace, machine: str, name: str) -> Times:
    arguments = PROGRAMS[name].short if options.short else ()
    words = ["compare", "--machine", machine, "--heap", "--threads", str(MACHINES[machine]), "--fast", options.fast]
    with tempfile.TemporaryDirectory(prefix="lbhm-bench-") as folder:
        target = Path(folder) / "compare.json"
        wanted = ("--policies", ",".join(POLICIES), "--json", str(target))
        lbhm(build, *words, *wanted, "--", program(build, name), *arguments)
        result = json.loads(target.read_text())
    times: Times = {}
    for share, comparison in zip(options.fast.split(","), result.get("comparisons", [result]), strict=True):
        for run in comparison["runs"]:
            times.setdefault(run["policy"], {})[share] = run["makespan_ns"]
    return times


def program(build: Build, name: str) -> str:
    path = build.folder / "bin" / f"{name}-emu"
    if not path.is_file():
        raise BenchError(f"{path} is not built (bt and bwaves need flang 19: scripts/install-packages check)")
    return str(path)


def lbhm(build: Build, *words: str) -> str:
    environment = os.environ | {"LBHM_BUILD": str(build.folder)}
    done = subprocess.run([ROOT / "lbhm", *words], env=environment, capture_output=True, text=True)
    if done.returncode != 0:
        raise BenchError((done.stderr.strip().splitlines() or [f"lbhm ended with status {done.returncode}"])[-1])
    return done.stdout


def speedups(times: Times) -> dict[str, dict[str, float]]:
    base = times["h2m-fcfs"]
    return {
        method: {share: round(base[share] / time, 4) for share, time in times[f"h2m-{method}"].items()}
        for method in METHODS
    }


def in_dram(times: Times) -> bool:
    """On xeon-max: whether all of the program is better off in DRAM. What is better off in HBM does not fit there."""
    return min(times["slow-only"].values()) <= min(times["fast-only"].values())


def behind_dram(times: Times) -> float:
    """How far the worst placement is behind all in DRAM."""
    worst = max(time for method in METHODS for time in times[f"h2m-{method}"].values())
    return round(worst / min(times["slow-only"].values()) - 1, 4)


def table_of(machine: str, times: dict[str, Times]) -> Table:
    """Of each program: slow over fast, and over first come by method and capacity; the paper's largest beside them."""
    rows = []
    for name, of in times.items():
        ratio = min(of["slow-only"].values()) / min(of["fast-only"].values())
        shown = [" ".join(f"{ratio:.2f}" for ratio in found.values()) for found in speedups(of).values()]
        rows.append([f"{name} ({PROGRAMS[name].paper})", f"{ratio:.2f}", *shown, PROGRAMS[name].published])
    heads = [f"{method} / first come" for method in METHODS]
    return Table(["program", "all slow / all fast", *heads, "published, at most"], rows, machine)


def other_input_share(build: Build, options: argparse.Namespace, name: str, times: Times) -> float | None:
    """The part of lifetime's gain over first come that it has with a profile of another input: of all capacities at
    which it gains. times: with a profile of the same input."""
    own, first = times["h2m-lifetime"], times["h2m-fcfs"]
    shares = [share for share in own if own[share] < first[share]]
    if not shares:
        return None
    started, here = program(build, name), PROGRAMS[name].short if options.short else ()
    common = ("--machine", "icelake-optane", "--threads", str(MACHINES["icelake-optane"]))
    kept = 0.0
    with tempfile.TemporaryDirectory(prefix="lbhm-bench-") as folder:
        profile, placement, report = (str(Path(folder) / f"{what}.json") for what in ("profile", "placement", "run"))
        lbhm(build, "profile", *common, "--heap", "--output", profile, "--", started, *PROGRAMS[name].other)
        for share in shares:
            fast = ("--fast", share)
            lbhm(build, "optimize", profile, *fast, "--method", "lifetime", "--no-curve", "--output", placement)
            lbhm(build, "run", *common, *fast, "--placement", placement, "--json", report, "--", started, *here)
            kept += first[share] - json.loads(Path(report).read_text())["makespan_ns"]
    return round(kept / sum(first[share] - own[share] for share in shares), 4)


def chooser(build: Build) -> tuple[bool, float]:
    """Whether tests of the choosers pass, and seconds for a problem of 1,000 objects."""
    test = ROOT / "tests" / "tools" / "choose_test.py"
    equal = subprocess.run([python(), "-m", "pytest", "-q", str(test)], capture_output=True).returncode == 0
    draw = random.Random(1)
    units = [
        {"bytes": draw.randint(1, 1 << 28), "born_ns": 0, "dies_ns": 1, "first_phase": 0, "last_phase": 0}
        | {"uses": [[0, draw.lognormvariate(8, 2), 0, draw.random()]]}
        for _ in range(OBJECTS)
    ]
    tiers = [(sum(unit["bytes"] for unit in units) // 4, 76, 160, 160), (1 << 48, 247, 26, 9)]
    keys = ("capacity_bytes", "latency_ns", "read_gb_per_s", "write_gb_per_s")
    request = {
        "method": "initial",
        "horizon": 1,
        "page_bytes": 4096,
        "line_bytes": 64,
        "phases": 1,
        "tiers": [dict(zip(keys, tier, strict=True)) for tier in tiers],
        "page_move_ns": [[0, 0], [0, 0]],
        "units": units,
    }
    begin = time.monotonic()
    subprocess.run(
        [build.folder / "bin" / "lbhm-choose"], input=json.dumps(request).encode(), check=True, capture_output=True
    )
    return equal, round(time.monotonic() - begin, 4)
