"""The campaign: five applications under all policies; the paper's Figures 4 to 6 and Table 4 from our data."""

import argparse
import os
import sys
from pathlib import Path

from harness.build import ROOT, Build
from harness.campaign.cells import APPLICATIONS, CAPACITIES, PRESETS, ablation, cells, sweep
from harness.errors import BenchError
from harness.result import Result

TARGETS = ["lbhm", "lbhm-plugin", *(application.program for application in APPLICATIONS.values())]
REPETITIONS = 1  # on the emulated machine a run repeats to the bit
PYTHON = ROOT / "build" / "venv" / "bin" / "python"
SHORT_CAPACITIES = ["25%"]


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--applications", nargs="+", default=list(APPLICATIONS), metavar="NAME", help="these alone")
    parser.add_argument("--presets", nargs="+", default=list(PRESETS), metavar="NAME", help="these alone")
    parser.add_argument("--capacities", nargs="+", default=list(CAPACITIES), metavar="C", help="25%%, 1:8, ...")
    parser.add_argument("--policies", nargs="+", default=[], metavar="NAME", help="these alone, and the references")
    parser.add_argument("--short", action="store_true", help="small inputs on optane at 25%%: some minutes")
    parser.add_argument("--sweep", action="store_true", help="the peers at several paces instead (docs/results.md)")
    parser.add_argument("--ablation", action="store_true", help="lbhm without each of its parts instead")
    parser.add_argument("--reuse", action="store_true", help="take results of other builds, too, and say so")
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


def measure(build: Build, options: argparse.Namespace) -> Result:
    check("--applications", options.applications, list(APPLICATIONS))
    check("--presets", options.presets, list(PRESETS))
    check("--capacities", options.capacities, list(CAPACITIES))
    need_packages()
    from harness.campaign.page import write_page
    from harness.campaign.run_all import run_all
    from harness.campaign.runs import Runner
    from harness.campaign.store import Store
    from harness.campaign.summary import summary
    from harness.campaign.tables import ablation_table, sweep_table, tables_of

    os.environ["LBHM_BUILD"] = str(build.folder)
    presets = ["optane"] if options.short else options.presets
    capacities = SHORT_CAPACITIES if options.short else options.capacities
    wanted = cells(options.applications, presets, capacities, options.policies)
    if options.sweep or options.ablation:
        wanted = (sweep if options.sweep else ablation)(options.applications)
    work = options.work / ("short" if options.short else "cells")
    store = Store(work, build, options.short, options.reuse)
    if options.kept:
        wanted = [cell for cell in wanted if store.load(cell, store.key(APPLICATIONS[cell.application], cell))]
        store.stale.clear()
    results, failures = run_all(wanted, Runner(build, work, options.short), store)
    if store.stale:
        failures.append(f"{len(store.stale)} of {len(results)} results are of another build")
    if options.sweep or options.ablation:
        return Result({"cells": results}, [(sweep_table if options.sweep else ablation_table)(results)], failures)
    fields = summary(results)
    if options.page:
        write_page(options.page, fields)
    return Result(fields, tables_of(fields), failures)
