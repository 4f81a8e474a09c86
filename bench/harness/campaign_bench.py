"""The campaign: five applications under all policies; the paper's Figures 4 to 6 and Table 4 from our data; and the map
of generated programs."""

import argparse
import os
import sys
from pathlib import Path

from harness.build import ROOT, Build
from harness.campaign.cells import (
    APPLICATIONS,
    CAPACITIES,
    PRESETS,
    Application,
    all_policies,
    cells,
    sweep,
)
from harness.campaign.generator import FULL, SHORT, Map
from harness.campaign.spread import PADDINGS
from harness.errors import BenchError
from harness.result import Result

TARGETS = ["lbhm", "lbhm-plugin", *(application.program for application in APPLICATIONS.values()), "imbalance-emu"]
REPETITIONS = 1  # on the emulated machine a run repeats to the bit; heap paddings are runs of their own
PYTHON = ROOT / "build" / "venv" / "bin" / "python"
SHORT_CAPACITIES = ["25%"]


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--applications", nargs="+", default=list(APPLICATIONS), metavar="NAME", help="these alone")
    parser.add_argument("--presets", nargs="+", default=list(PRESETS), metavar="NAME", help="these alone")
    parser.add_argument("--capacities", nargs="+", default=list(CAPACITIES), metavar="C", help="25%%, 1:8, ...")
    named = "these alone, and the references; sicm runs only where it is named"
    parser.add_argument("--policies", nargs="+", default=[], metavar="NAME", help=named)
    parser.add_argument("--short", action="store_true", help="small inputs on optane at 25%%: some minutes")
    parser.add_argument("--sweep", action="store_true", help="the peers at several paces instead (docs/results.md)")
    parser.add_argument("--generator", action="store_true", help="the map of generated programs instead")
    parser.add_argument("--seeds", type=int, default=1, metavar="N", help="of the map: so many programs a point (1)")
    parser.add_argument("--plain", action="store_true", help="of the map: programs of which nothing is drawn")
    parser.add_argument(
        "--paddings", type=int, nargs="+", metavar="BYTES", help="of the heap, a run each (0 208 4000; short map: 0)"
    )
    parser.add_argument("--jobs", type=int, default=min(2, os.cpu_count() or 1), metavar="N", help="cells at a time")
    parser.add_argument("--kept", action="store_true", help="run nothing: what is on disk alone")
    parser.add_argument("--work", type=Path, default=ROOT / "build" / "campaign", help="where finished cells are kept")
    parser.add_argument("--page", type=Path, metavar="FILE", help="write the page (docs/results.md) and its figures")


def check(option: str, chosen: list[str], known: list[str]) -> None:
    for name in chosen:
        if name not in known:
            raise BenchError(f"{option}: there is no '{name}'; choose from {', '.join(known)}")


def need_packages() -> None:
    """scipy and matplotlib are in build/venv: goes on there if they are not here."""
    sys.path.insert(0, str(ROOT / "tools"))
    try:
        import matplotlib  # noqa: F401
        import scipy  # noqa: F401
    except ImportError:
        if not PYTHON.exists() or sys.executable == str(PYTHON):
            raise BenchError("scipy and matplotlib are missing; run scripts/make-venv") from None
        os.execv(PYTHON, [str(PYTHON), *sys.argv])


def check_numbers(options: argparse.Namespace) -> None:
    for option in ("jobs", "seeds"):
        if getattr(options, option) < 1:
            raise BenchError(f"--{option}: {getattr(options, option)} must be 1 or more")
    for padding in options.paddings or ():
        if padding < 0:
            raise BenchError(f"--paddings: {padding} must be 0 or more")


def measure(build: Build, options: argparse.Namespace) -> Result:
    check("--applications", options.applications, list(APPLICATIONS))
    check("--presets", options.presets, list(PRESETS))
    check("--capacities", options.capacities, list(CAPACITIES))
    check("--policies", options.policies, all_policies())
    check_numbers(options)
    need_packages()
    os.environ["LBHM_BUILD"] = str(build.folder)
    return (measure_map if options.generator else measure_applications)(build, options)


def prepared(build: Build, options: argparse.Namespace, applications: dict[str, Application], paddings: list[int]):
    from harness.campaign.run_all import Campaign
    from harness.campaign.runs import Runner
    from harness.campaign.store import Store

    work = options.work / ("short" if options.short else "cells")
    runner = Runner(build, work, options.short, tuple(paddings))
    store = Store(work, build, options.short, tuple(paddings))
    return Campaign(applications, runner, store, options.jobs)


def measure_applications(build: Build, options: argparse.Namespace) -> Result:
    from harness.campaign.page import write_page
    from harness.campaign.summary import summary
    from harness.campaign.tables import sweep_table, tables_of

    presets = ["optane"] if options.short else options.presets
    capacities = SHORT_CAPACITIES if options.short else options.capacities
    wanted = cells(options.applications, presets, capacities, options.policies)
    if options.sweep:
        wanted = sweep(options.applications)
    campaign = prepared(build, options, APPLICATIONS, options.paddings or PADDINGS)
    results, failures = campaign.run(campaign.kept(wanted) if options.kept else wanted)
    if options.sweep:
        return Result({"cells": results}, [sweep_table(results)], failures)
    fields = summary(results)
    if options.page:
        write_page(options.page, fields)
    return Result(fields, tables_of(fields), failures)


def measure_map(build: Build, options: argparse.Namespace) -> Result:
    """Where load balance matters, on programs of apps/imbalance."""
    from harness.campaign.generator_page import map_table, means_table
    from harness.campaign.page import write_map

    over = Map(SHORT if options.short else FULL, tuple(range(1, options.seeds + 1)), options.plain)
    applications = {program.name: program for programs in over.programs().values() for program in programs}
    paddings = options.paddings or (PADDINGS[:1] if options.short else PADDINGS)
    campaign = prepared(build, options, applications, paddings)
    results, failures = campaign.run(campaign.kept(over.cells()) if options.kept else over.cells())
    entries = over.entries(results)
    if options.page:
        write_map(options.page, entries)
    return Result({"generator": entries}, [map_table(entries), means_table(entries)], failures)
