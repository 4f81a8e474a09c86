"""The oracle: perfect counts, the min-max optimum by linear programming, and the optimum executed (docs/oracle.md)."""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
import time
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from lbhm.base.errors import Refusal
from lbhm.base.units import PAGE
from lbhm.execute.execute import ORACLE as POLICY
from lbhm.execute.execute import Outcome, Progress, Setup, attempt
from lbhm.execute.side_by_side import SideBySide
from lbhm.files.json_reader import read_json
from lbhm.files.page_counts import PageCounts, read_page_counts
from lbhm.machine import HOST, machine_files
from lbhm.oracle.plan import Moves, Plan, bound_ps, inner_plan, moving_plan, slow_plan, static_plan
from lbhm.oracle.plan_names import INNER, MOVING, SLOW, STATIC
from lbhm.oracle.time_model import Profile, check_alike
from lbhm.output import output
from lbhm.program.program import code_files_here, reporter
from lbhm.program.site_ids import SiteIds

FAST = 0
NEAR = 1.15  # plans whose prediction is worse than the best one by more are not executed (assumption)


@dataclass(frozen=True)
class Profiles:
    """What the oracle knows of a program: the same for all capacities."""

    slow: Profile
    fast: Profile
    rest_ps: float  # of the run that no stretch has: it counts in every bound
    portable: dict[str, str] = field(default_factory=dict)  # ids of sites that survive a rebuild


@dataclass(frozen=True)
class Solution:
    plans: list[Plan]  # best prediction first
    bound_ns: float
    solve_seconds: float


@dataclass(frozen=True)
class Executed:
    """The best of the plans as it ran."""

    outcome: Outcome
    plan: Plan
    solution: Solution

    @property
    def makespan_ns(self) -> float:
        return self.outcome.report["makespan_ns"]

    def json(self) -> dict[str, Any]:
        return {
            "makespan_ns": self.makespan_ns,
            "bound_ns": self.solution.bound_ns,
            "plan": self.plan.name,
            "predicted_ns": self.plan.predicted_ps / 1e3,
            "solve_seconds": self.solution.solve_seconds,
        }


def profile(
    setup: Setup, progress: Progress, cache: Path | None = None, side_by_side: SideBySide | None = None
) -> Profiles:
    """Four runs with exact counts: all in slow and all in fast memory, without and with contention.

    cache: a folder in which the counts are kept for later calls with the same program, arguments and machine.
    Raises Refusal; on the host at once.
    """
    if not setup.machine.emulated:
        raise Refusal(f"--oracle: the machine {HOST} cannot count the accesses to every page; leave it out there")
    with tempfile.TemporaryDirectory(prefix="lbhm-oracle-") as temporary:
        folder = cache or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        pool, key = side_by_side or SideBySide(), key_of(setup)
        counted = {
            (policy, contention): pool.begin(
                partial(_count, setup, policy, contention, folder / f"{key}-{policy}-{contention}.counts")
            )
            for policy in ("slow-only", "fast-only")
            for contention in ("off", "on")
        }
        runs = {}
        for (policy, contention), file in counted.items():
            what = f"{policy}, counted" + (", no contention" if contention == "off" else "")
            progress.start(what)
            runs[policy, contention] = read_page_counts(file())
            progress.done(what)
        kept = read_json(_report_of(folder / f"{key}-fast-only-off.counts"))
    portable = SiteIds(code_files_here(reporter(kept, setup.command[0]))).by_hash(kept.get("sites") or [])
    check_alike(*runs.values())
    slow, fast = (Profile(runs[policy, "off"], runs[policy, "on"]) for policy in ("slow-only", "fast-only"))
    return Profiles(slow, fast, max(0.0, kept["makespan_ns"] * 1e3 - fast.unloaded.stretches_ps()), portable)


def _report_of(file: Path) -> Path:
    return file.with_suffix(".json")


def _count(setup: Setup, policy: str, contention: str, file: Path) -> Path:
    """The file with the counts, which is kept if it is there already."""
    if file.is_file() and _report_of(file).is_file():
        return file
    fresh = file.with_suffix(f".{os.getpid()}.tmp")
    settings = {"LBHM_PAGE_COUNTS": str(fresh), "LBHM_CONTENTION": contention}
    outcome = attempt(setup, policy, None, show_output=False, settings=settings).outcome()
    names = ("makespan_ns", "footprint_bytes", "program", "program_file", "sites")
    kept = {name: outcome.report.get(name) for name in names}
    output.write_json(_report_of(file), kept, compact=True)
    if not fresh.is_file():
        raise Refusal(f"{setup.command[0]}: no accesses were counted; it must start a program with parallel regions")
    os.replace(fresh, file)
    return file


def key_of(setup: Setup) -> str:
    """Of all that decides what is counted: the program's and the runtime's bytes, arguments, machine, threads, seed."""
    parts = [json.dumps([setup.command, setup.machine.value, setup.lanes, setup.seed])]
    machines = [path for path in machine_files() if path.stem == setup.machine.value]
    files = [setup.build.need_library(), *machines, Path(setup.machine.value), *(Path(word) for word in setup.command)]
    parts += [hashlib.sha256(path.read_bytes()).hexdigest() for path in files if path.is_file()]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:24]


def solve(profiles: Profiles, capacity: int, only: str | None = None) -> Solution:
    """Plans for a fast memory of `capacity` bytes, and the bound of placements that change at barriers only.

    only: this plan alone. Raises Refusal where the program has none of it.
    """
    begin = time.monotonic()
    pages = capacity // PAGE
    known = (profiles.slow, profiles.fast, pages)
    makers = {
        STATIC: partial(static_plan, *known),
        MOVING: partial(moving_plan, *known),
        SLOW: partial(slow_plan, profiles.slow, profiles.fast),
        INNER: partial(inner_plan, *known),
    }
    made = [make() for name, make in makers.items() if only in (None, name)]
    # An inner plan without inner moves is as the moving one.
    plans = [plan for plan in made if plan and (plan.name != INNER or plan.inner_moves)]
    if not plans:
        raise Refusal(f"--plan {only}: it moves nothing at barriers in this program; use --plan {MOVING}")
    bound = (bound_ps(profiles.slow, profiles.fast, pages) + profiles.rest_ps) / 1e3
    plans.sort(key=lambda plan: plan.predicted_ps)
    return Solution(plans, bound, time.monotonic() - begin)


def run_best(
    setup: Setup,
    profiles: Profiles,
    capacity: int,
    progress: Progress,
    side_by_side: SideBySide | None = None,
    only: str | None = None,
) -> Executed:
    """Executes the plans that are near the best prediction; the fastest one is the oracle. only: see solve."""
    solution = solve(profiles, capacity, only)
    longest = solution.plans[0].predicted_ps * NEAR
    pool, begun, runs = side_by_side or SideBySide(), [], []
    with tempfile.TemporaryDirectory(prefix="lbhm-oracle-") as folder:
        for number, plan in enumerate(plan for plan in solution.plans if plan.predicted_ps <= longest):
            file = Path(folder) / f"placement-{number}.json"
            write_placement(file, plan, profiles.slow.unloaded, profiles.portable)
            settings = {"LBHM_PLACEMENT": str(file)}
            run = partial(attempt, setup, POLICY, capacity, show_output=False, settings=settings)
            begun.append((plan, pool.begin(run)))
        for plan, ending in begun:
            progress.start(f"{POLICY} ({plan.name})")
            runs.append(Executed(ending().outcome(), plan, solution))
            progress.done(f"{POLICY} ({plan.name})")
    return min(runs, key=lambda run: run.makespan_ns)


def placement_json(plan: Plan, counts: PageCounts, portable: dict[str, str] | None = None) -> dict[str, Any]:
    """The plan in words of allocations (schema lbhm.placement/2, docs/files.md). Calls of LB_HM_config are numbered
    from 0: epoch k begins with call k - 1.

    portable: ids of sites that survive a rebuild of the program, as far as they have one.
    """
    slow = counts.header["slow_tier"]
    known = portable or {}
    managed = plan.births[:-1]
    pages = np.arange(len(managed))
    births = runs_of(pages[managed], FAST, counts)

    def runs(moves: Moves) -> list[list[int]]:
        down, up = moves
        return runs_of(down, slow, counts) + runs_of(up, FAST, counts)

    return {
        "schema": "lbhm.placement/2",
        "page_bytes": counts.header["page_bytes"],
        "unmanaged_tier": FAST if plan.births[-1] else slow,
        "objects": [
            {"site": site, "nth": nth, "pages": int(pages)} | ({"portable": known[site]} if site in known else {})
            for (site, nth), pages in zip(counts.sites, counts.object_pages, strict=True)
        ],
        "births": sorted(births),
        "moves": [{"call": epoch - 1, "runs": runs(moves)} for epoch, moves in sorted(plan.moves.items())]
        + [
            {"call": epoch - 1, "region": region, "barrier": barrier, "runs": runs(moves)}
            for (epoch, region, barrier), moves in sorted(plan.inner_moves.items())
        ],
    }


def runs_of(pages: np.ndarray, tier: int, counts: PageCounts) -> list[list[int]]:
    """[object, first page, pages, tier] of neighbouring pages (ascending) of one object."""
    if not len(pages):
        return []
    offsets = counts.offsets
    owner = np.searchsorted(offsets, pages, side="right") - 1
    breaks = np.flatnonzero((np.diff(pages) != 1) | (np.diff(owner) != 0)) + 1
    begins = np.concatenate([[0], breaks])
    lengths = np.diff(np.concatenate([begins, [len(pages)]]))
    first = pages[begins] - offsets[owner[begins]]
    return [[int(o), int(f), int(n), tier] for o, f, n in zip(owner[begins], first, lengths, strict=True)]


def write_placement(path: Path, plan: Plan, counts: PageCounts, portable: dict[str, str] | None = None) -> None:
    output.write_json(path, placement_json(plan, counts, portable), compact=True)
