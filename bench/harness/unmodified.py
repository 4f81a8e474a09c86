"""Programs that nobody changed, whose blocks of malloc are objects (--heap), under policies that place them; and the
five applications that LB-HM knows from their own calls against the same without allocators and calls."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from harness.build import ROOT, Build
from harness.campaign.cells import APPLICATIONS, PACES, PRESETS, REFERENCES, WHOLE, Application, Cell
from harness.campaign_bench import check, need_packages, prepared
from harness.errors import BenchError
from harness.result import Result, Table

# Name, its counterpart in papers, arguments of the short form: arrays are larger than the setting heap_minimum.
ALL = {
    name: Application(name, paper, 0, f"{name}-emu", (), short, heap=True)
    for name, paper, short in (
        ("xs", "XSBench", ("--nuclides", "12", "--points", "600", "--histories", "3000")),
        ("hydro", "LULESH", ("--size", "128", "--steps", "12")),
        ("fe", "miniFE", ("--size", "16")),
        ("bt", "NPB-BT", ("--size", "20", "--steps", "6")),
        ("amg", "AMG", ("--size", "14", "--steps", "1")),
        ("sweep", "SNAP", ("--size", "8", "--angles", "4", "--groups", "2", "--steps", "1")),
        ("mc", "QMCPACK", ("--shells", "3", "--grid", "24", "--walkers", "24", "--steps", "2")),
        ("nbody", "Barnes-Hut", ("--bodies", "20000", "--steps", "1")),
    )
}
NEWER = ("amg", "sweep", "mc", "nbody")  # with --more
UNCHANGED = {name: app for name, app in ALL.items() if name not in NEWER}
PLAIN = {
    name: Application(f"{name}-plain", of.paper, 0, f"{name}-plain-emu", of.arguments, of.short, True)
    for name, of in APPLICATIONS.items()
}
OTHERS = {app.name: app for app in (*APPLICATIONS.values(), *PLAIN.values())}
NEEDS_FLANG = "bt"
TARGETS = ["lbhm", "lbhm-heap", "lbhm-plugin"]
TARGETS += [app.program for app in (*UNCHANGED.values(), *OTHERS.values()) if app.name != NEEDS_FLANG]
REPETITIONS = 1  # a run on the emulated machine repeats to the bit, but for lanes that race for memory
CAPACITY = "25%"
MACHINES = ("icelake-optane", "optane")
POLICIES = ("slow-only", "first-touch", "memory-mode", "memtis", "memory-optimizer", "lbhm", "fast-only")
OURS, BASE = "lbhm", "first-touch"


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--machine", nargs="+", default=list(MACHINES), metavar="M", help="presets")
    parser.add_argument("--more", action="store_true", help=f"{', '.join(NEWER)}, too")
    parser.add_argument("--short", action="store_true", help="small inputs on the first machine: some minutes")
    parser.add_argument("--jobs", type=int, default=min(2, os.cpu_count() or 1), metavar="N", help="runs at a time")
    parser.add_argument("--work", type=Path, default=ROOT / "build" / "unmodified", help="where finished runs are kept")


def measure(build: Build, options: argparse.Namespace) -> Result:
    check("--machine", options.machine, list(PRESETS))
    if options.jobs < 1:
        raise BenchError(f"--jobs: {options.jobs} must be 1 or more")
    need_packages()
    os.environ["LBHM_BUILD"] = str(build.folder)
    unchanged, notes = present(build, options.more)
    machines = options.machine[:1] if options.short else options.machine
    campaign = prepared(build, options, ALL | OTHERS, [0])
    results, failures = campaign.run(cells(list(unchanged), machines))
    by_machine = {machine: fields_of([r for r in results if r["preset"] == machine]) for machine in machines}
    tables = [table for machine, fields in by_machine.items() for table in tables_of(machine, fields)]
    # At the top what the first machine says.
    return Result(by_machine[machines[0]] | {"machines": by_machine}, tables, failures + notes)


def present(build: Build, more: bool) -> tuple[dict[str, Application], list[str]]:
    """The programs that can be built here, and a remark. more: the newer ones, too."""
    newer = NEWER if more else []
    if newer:
        build.make([ALL[name].program for name in newer])
    others = {name: ALL[name] for name in newer}
    try:
        build.make([UNCHANGED[NEEDS_FLANG].program])
    except BenchError as error:
        if "unknown target" not in str(error):
            raise
        left_out = f"{NEEDS_FLANG} is left out: it is not built without flang 19 (scripts/install-packages check)"
        return {name: app for name, app in UNCHANGED.items() if name != NEEDS_FLANG} | others, [left_out]
    return UNCHANGED | others, []


def cells(unchanged: list[str], machines: list[str]) -> list[Cell]:
    """In the order in which they are run. The capacity is a share of each program's own footprint."""
    found = []
    for machine in machines:
        for names, policies in ((unchanged, POLICIES), (OTHERS, (REFERENCES[0], OURS))):
            for name in names:
                for policy in policies:
                    capacity = WHOLE if policy in REFERENCES else CAPACITY
                    found.append(Cell(name, machine, capacity, policy, PACES.get(policy, 1.0)))
    return found


def fields_of(results: list[dict]) -> dict:
    """The keys of one machine. What is missing failed."""
    from harness.campaign.summary import geometric_mean

    by = {(r["application"], r["policy"]): r for r in results}
    programs: dict[str, dict] = {}
    for (name, policy), cell in by.items():
        if name in ALL:
            figures = {"time_ns": cell["makespan_ns"], "moved_bytes": cell["migrated_bytes"]}
            programs.setdefault(name, {})[policy] = figures
    plain = {}
    for name, twin in PLAIN.items():
        with_calls, without = by.get((name, OURS)), by.get((twin.name, OURS))
        if with_calls and without:
            plain[name] = round(without["makespan_ns"] / with_calls["makespan_ns"], 4)
    mean = geometric_mean(plain.values())
    return {
        "programs": programs,
        "named_share": {
            name: by[name, REFERENCES[0]]["named_share"] for name in programs if (name, REFERENCES[0]) in by
        },
        "gain_over_first_touch": {
            name: round(of[BASE]["time_ns"] / of[OURS]["time_ns"] - 1, 4)
            for name, of in programs.items()
            if BASE in of and OURS in of
        },
        "plain_over_configured": None if mean is None else round(mean, 4),
        "plain_over_configured_by_program": plain,
        **processor_seconds(results),
    }


def processor_seconds(results: list[dict]) -> dict:
    """Of all runs, user and system. A run that was on disk counts with what it took then, unless that was not noted."""
    by_program: dict[str, float] = {}
    for run in results:
        name = run["application"]
        by_program[name] = round(by_program.get(name, 0) + run.get("processor_seconds", 0), 3)
    return {
        "processor_seconds": round(sum(by_program.values()), 3),
        "processor_seconds_by_program": by_program,
    }


def tables_of(machine: str, fields: dict) -> list[Table]:
    from harness.campaign.tables import NOTHING, percent

    programs = fields["programs"]
    rows = []
    for policy in POLICIES:
        row = [policy]
        for of in programs.values():
            cell = of.get(policy)
            shown = cell and f"{cell['time_ns'] / 1e6:.2f} ({cell['moved_bytes'] / 2**20:.1f})"
            row.append(shown or NOTHING)
        rows.append(row)
    seconds = fields["processor_seconds_by_program"]
    rows.append(["processor s, all policies", *(f"{seconds[name]:.1f}" for name in programs)])
    for key, title in (("gain_over_first_touch", f"{OURS} over {BASE}"), ("named_share", "misses on objects")):
        rows.append([title, *(percent(fields[key].get(name)) for name in programs)])
    title = f"{machine}, fast memory {CAPACITY}: ms (MiB moved)"
    plain = fields["plain_over_configured_by_program"] | {"mean": fields["plain_over_configured"]}
    shown = [NOTHING if ratio is None else f"{ratio:.3f}" for ratio in plain.values()]
    twins = Table(["time without calls / with", *plain], [[OURS, *shown]], f"{machine}: the five that call LB-HM")
    return [Table(["policy", *programs], rows, title), twins]
