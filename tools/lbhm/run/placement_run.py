"""lbhm run --placement FILE: what lbhm optimize chose, applied to this program as it is now."""

from __future__ import annotations

import contextlib
import hashlib
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from lbhm.base.errors import Refusal
from lbhm.base.units import parse_fast
from lbhm.execute.execute import REFERENCE, Setup, attempt_first
from lbhm.files.json_reader import read_json
from lbhm.files.report import read_kept
from lbhm.library.library import checked_machine
from lbhm.machine import file_of
from lbhm.optimize.memory_figures import memory_figures
from lbhm.optimize.optimize import BALANCED, METHODS, Task, filled, placement_json, read_profile, solve
from lbhm.optimize.task_uses import has_lanes
from lbhm.output import output
from lbhm.program.elf import inspect
from lbhm.program.program import code_files_here, reporter, starts_others, uses_openmp
from lbhm.program.site_ids import SiteIds
from lbhm.program.started_programs import code_files_of, programs_of

Placement = dict[str, Any]
Say = Callable[[str], None]
_SCHEMA = "lbhm.placement/2"


def read_placement(path: Path) -> Placement:
    """A placement of whole objects. Raises Refusal."""
    again = "make it with lbhm optimize"
    placement = read_kept(path, "placement", _SCHEMA, again)
    if placement.get("policy") not in METHODS.values():
        raise Refusal(f"{path}: it is for policy oracle and one run (lbhm compare --oracle); {again}")
    return placement


def checked_for_machine(placement: Placement, path: Path, name: str, say: Say) -> None:
    """Says what is different. Raises Refusal where tiers cannot be the same."""
    if name == placement["machine"]:
        return
    tiers = [tier["name"] for tier in checked_machine(file_of(name))["tiers"]]
    if len(tiers) != len(placement["tiers"]):
        raise Refusal(
            f"{path}: it is for machine {placement['machine']} with {len(placement['tiers'])} memories, and {name} has "
            f"{len(tiers)}; make it with lbhm optimize --machine {name}"
        )
    pairs = ", ".join(f"{old} is {new}" for old, new in zip(placement["tiers"], tiers, strict=True))
    say(f"{path} is for machine {placement['machine']}: on {name} {pairs}")


def check_program_of(placement: Placement, path: Path, command: list[str]) -> None:
    """Raises Refusal where neither the program nor one that it is seen to start has a module of those that the
    placement is for. What a launcher starts unseen, the first run shows."""
    modules, programs = placement["modules"], programs_of(command)
    if not modules or any(file.name in modules for file in code_files_of(command)):
        return
    of_openmp = [word for word, file in programs.items() if uses_openmp(str(file))]
    if not of_openmp and command[0] in programs and starts_others(inspect(programs[command[0]])):
        return
    named = of_openmp[0] if of_openmp else command[0]
    raise Refusal(
        f"{path}: it places objects of {', '.join(modules)}, and {named} is none of these and loads none; name "
        "that program, or make a placement for this one: lbhm profile, lbhm optimize"
    )


def for_this_program(placement: Placement, path: Path, setup: Setup, say: Say, needed: bool = False) -> Placement:
    """The placement with the sites that the program has now. A program that was rebuilt, or that a launcher starts
    unseen, is run once to learn them; what has no portable id, or none that the program still has, is left out, which
    is told. Raises Refusal where nothing is left, if it is needed."""
    files = {file.name: file for file in reversed(code_files_of(setup.command)) if file.is_file()}
    changed = [name for name, known in placement["modules"].items() if _hash(files.get(name)) != known]
    if not changed:
        return placement
    if unseen := [name for name in changed if name not in files]:
        why = f"{setup.command[0]} is not seen to start {', '.join(unseen)}, of which {path} is"
    else:
        why = f"{', '.join(changed)} has changed since {path} was made"
    say(f"{why}: a first run under {REFERENCE}, to know its sites")
    report = attempt_first(setup).report
    if report is None:
        raise Refusal(
            f"{setup.command[0]}: the first run left no report, so {path} cannot be applied; profile it again"
        )
    now = SiteIds(code_files_here(reporter(report, setup.command[0]))).by_hash(report.get("sites") or [])
    translated = with_sites(placement, {portable: site for site, portable in now.items()})
    lost = sum(1 for item in translated["objects"] if item["site"] == NO_SITE)
    if needed and lost and lost == len(translated["objects"]):
        raise Refusal(
            f"{path}: none of its {lost} objects has a site in {setup.command[0]} as it is now; profile it again"
        )
    if lost:
        say(
            f"{lost} of {len(translated['objects'])} objects of {path} have no site in the program as it is now: they "
            "are left out; profile it again to place them"
        )
    return translated


NO_SITE = "0" * 16  # "unknown": no object has it


def with_sites(placement: Placement, sites: dict[str, str]) -> Placement:
    """sites: the program's, by portable id."""
    objects = [item | {"site": sites.get(item.get("portable"), NO_SITE)} for item in placement["objects"]]
    # The runtime knows objects by (site, nth): those without a site must not be taken for each other.
    for number, item in enumerate(objects):
        if item["site"] == NO_SITE:
            item["nth"] = number
    return placement | {"objects": objects}


def _hash(file: Path | None) -> str | None:
    return hashlib.sha256(file.read_bytes()).hexdigest() if file else None


def profile_at_hand(policy: str | None, setup: Setup) -> Path | None:
    """The profile that LBHM_PROFILE names, if it has objects and policy lbhm is to run here."""
    path = Path(os.environ.get("LBHM_PROFILE", ""))
    if policy not in (None, "lbhm") or not setup.machine.emulated or not path.is_file():
        return None
    with contextlib.suppress(OSError, ValueError):  # the runtime has a sentence for those
        profile = read_json(path)
        if isinstance(profile, dict) and profile.get("schema") == "lbhm.profile/2" and profile.get("objects"):
            return path
    return None


def begun_from(path: Path, setup: Setup, policy: str | None, fast: str, file: Path, say: Say) -> Setup:
    """The setup in which policy lbhm begins with the placement that the optimiser gives for this profile."""
    if policy not in (None, "lbhm"):
        raise Refusal(f"--profile {path}: policy lbhm begins from profiles, not {policy}; for that see lbhm optimize")
    if not setup.machine.emulated:
        raise Refusal(f"--profile {path}: is for emulated machines; make a placement for the host with lbhm optimize")
    profile = read_profile(path)
    figures = memory_figures(setup.machine.value, setup.lanes, say)
    amount = parse_fast(fast)  # bytes may be more than the profile's footprint: this may be a larger input
    capacity = amount.capacity(amount.bytes or profile["footprint_bytes"])
    rest = figures.capacities[1:]
    method = BALANCED if has_lanes(profile["objects"]) else "lifetime"
    task = Task(profile, figures, setup.machine.value, method, [capacity, *rest])
    if setup.machine.value != profile["machine"]:
        say(f"{path} is of machine {profile['machine']}: what its caches served stands for {setup.machine.value}'s")
    solution = solve(task)
    placement = placement_json(task, solution)
    placement["births"] = sorted(placement["births"] + filled(task, solution))
    return _with_placement(placement, path, setup, file, say)


def _with_placement(
    placement: Placement, path: Path, setup: Setup, file: Path, say: Say, needed: bool = False
) -> Setup:
    """file: what the runtime reads."""
    setup = replace(setup, heap=setup.heap or placement["heap"])
    placement = for_this_program(placement, path, setup, say, needed)
    if setup.command != placement["command"]:
        say(f"{path} is of another input: {' '.join(placement['command'])}")
    output.write_json(file, placement, compact=True)
    return replace(setup, settings=(*setup.settings, ("LBHM_PLACEMENT", str(file))))


def placed(path: Path, setup: Setup, policy: str | None, file: Path, say: Say) -> tuple[Setup, str]:
    """The setup and the policy that apply the placement. file: what the runtime reads."""
    placement = read_placement(path)
    check_program_of(placement, path, setup.command)
    if policy not in (None, placement["policy"]):
        raise Refusal(f"--policy {policy}: {path} is for {placement['policy']}; leave one of the two out")
    if setup.machine.emulated:
        checked_for_machine(placement, path, setup.machine.value, say)
    else:  # the runtime refuses one for more memories than it finds
        order = ", ".join(f"tier {number} is {name}" for number, name in enumerate(placement["tiers"]))
        say(f"{path} is for machine {placement['machine']}: on the host {order}")
    return _with_placement(placement, path, setup, file, say, needed=True), placement["policy"]
