"""Policy lbhm against its peers, with all programs: what can be claimed of it, by machine and capacity."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from harness.build import ROOT, Build
from harness.campaign.cells import CAPACITIES, ORACLE, PRESETS, Application
from harness.campaign.claim_programs import (
    ALL_PEERS,
    DEFAULT_PEERS,
    MACHINES,
    OURS_JUDGED,
    SETS,
    SHARES,
    cells_of,
    programs_of,
)
from harness.campaign.spread import PADDINGS
from harness.campaign_bench import TARGETS as CAMPAIGN_TARGETS
from harness.campaign_bench import check, need_packages, prepared
from harness.errors import BenchError
from harness.result import Result
from harness.unmodified import NEEDS_FLANG, NEWER, UNCHANGED, present

TARGETS = [
    *CAMPAIGN_TARGETS,
    "lbhm-heap",
    "adversary-emu",
    *(app.program for app in UNCHANGED.values() if app.name != NEEDS_FLANG),
]
REPETITIONS = 1  # the cells say how many runs they are


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--set", default="all", metavar="SET", help="of programs: development, test (unseen seeds), adversaries or all"
    )
    parser.add_argument("--programs", nargs="+", default=[], metavar="NAME", help="of the set, these alone")
    parser.add_argument("--more", action="store_true", help=f"{', '.join(NEWER)}, too")
    parser.add_argument("--machine", nargs="+", metavar="M", help=f"presets ({' '.join(MACHINES)})")
    parser.add_argument("--capacities", nargs="+", metavar="C", help="25%%, 1:8, ... (25%% 12.5%% 50%%)")
    parser.add_argument("--peers", nargs="+", default=list(DEFAULT_PEERS), metavar="NAME", help="policies")
    parser.add_argument(
        "--oracle", action="store_true", help="the distance to it, too: four runs with counts, and its plans"
    )
    parser.add_argument(
        "--short", action="store_true", help="a few programs, small inputs, one seed, on optane at 25%%"
    )
    parser.add_argument("--most", type=int, default=5, metavar="N", help="runs of a program under a policy at most")
    parser.add_argument("--jobs", type=int, default=min(2, os.cpu_count() or 1), metavar="N", help="cells at a time")
    parser.add_argument("--kept", action="store_true", help="run nothing: what is on disk alone")
    parser.add_argument("--work", type=Path, default=ROOT / "build" / "claim", help="where finished cells are kept")


def measure(build: Build, options: argparse.Namespace) -> Result:
    check("--set", [options.set], list(SETS))
    machines = options.machine or list(MACHINES[:1] if options.short else MACHINES)
    capacities = options.capacities or list(SHARES[:1] if options.short else SHARES)
    check("--machine", machines, list(PRESETS))
    check("--capacities", capacities, list(CAPACITIES))
    check("--peers", options.peers, list(ALL_PEERS))
    for option in ("jobs", "most"):
        if (number := getattr(options, option)) < 1:
            raise BenchError(f"--{option}: {number} must be 1 or more")
    need_packages()
    os.environ["LBHM_BUILD"] = str(build.folder)
    from harness.campaign.claim_summary import fields_of, tables_of

    unchanged, notes = present(build, options.more)
    sets = chosen(programs_of(unchanged, options.short), options.set, options.programs)
    programs = {name: app for of in sets.values() for name, app in of.items()}
    policies = [*dict.fromkeys(options.peers), OURS_JUDGED, *([ORACLE] if options.oracle else [])]
    wanted = cells_of(programs, machines, capacities, policies, options.short, options.most)
    campaign = prepared(build, options, programs, PADDINGS[:1])
    results, failures = campaign.run(campaign.kept(wanted) if options.kept else wanted)
    fields = fields_of(results, sets)
    return Result(fields, tables_of(fields), failures + notes)


def chosen(
    sets: dict[str, dict[str, Application]], name: str, programs: list[str]
) -> dict[str, dict[str, Application]]:
    """Raises BenchError where a program is not in the set."""
    found = {each: sets[each] for each in SETS[name]}
    check("--programs", programs, [program for of in found.values() for program in of])
    if programs:
        found = {each: {p: app for p, app in of.items() if p in programs} for each, of in found.items()}
    return {each: of for each, of in found.items() if of}
