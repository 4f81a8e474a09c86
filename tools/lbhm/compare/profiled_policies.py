"""Policies h2m-* and *-offline: they profile first, once for all of them, then optimise for each capacity."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from lbhm.base.units import format_time
from lbhm.execute.ending import Ending
from lbhm.execute.execute import Setup, attempt
from lbhm.machine import file_of
from lbhm.optimize.memory_figures import MemoryFigures, memory_figures
from lbhm.optimize.optimize import METHODS, Task, placement_json, solve
from lbhm.output import output
from lbhm.profile.profile import head_of
from lbhm.profile.uses import check_objects, object_uses

POLICIES = {policy: method for method, policy in METHODS.items()}
HORIZON = 2  # phases that h2m-phases looks ahead here


@dataclass(frozen=True)
class Learned:
    """Of one program, machine and number of threads."""

    profile: dict[str, Any]
    figures: MemoryFigures


def learn(setup: Setup) -> Learned:
    """One run with samples. Raises Refusal: see object_uses and check_objects."""
    file_of(setup.machine.value)  # refuses the host
    uses, outcome = object_uses(setup)
    check_objects(uses, setup.command[0], setup.heap)
    figures = memory_figures(setup.machine.value, setup.lanes, lambda _: None)
    profile = head_of(setup, outcome.report) | {"objects": uses, "blocks": None, "why": []}
    return Learned(profile, figures)


def task_of(known: Learned, setup: Setup, method: str, capacity: int, horizon: int = HORIZON) -> Task:
    rest = known.figures.capacities[1:]
    return Task(known.profile, known.figures, setup.machine.value, method, [capacity, *rest], horizon)


def run_placed(setup: Setup, task: Task, capacity: int) -> Ending:
    """Optimises and runs. The report says what came before."""
    solution = solve(task)
    with output.scratch_file("placement.json") as file:
        output.write_json(file, placement_json(task, solution), compact=True)
        settings = {"LBHM_PLACEMENT": str(file)}
        ending = attempt(setup, METHODS[task.method], capacity, show_output=False, settings=settings)
    if ending.report is not None:
        ending.report["h2m"] = {
            "moves": len(solution.moves),
            "solve_seconds": solution.solve_seconds,
            "gain_ns": solution.gain_ns,
        }
    return ending


def attempt_profiled(setup: Setup, policy: str, capacity: int, known: Learned) -> Ending:
    ending = run_placed(setup, task_of(known, setup, POLICIES[policy], capacity), capacity)
    if ending.report is not None:
        horizon = f", for {HORIZON} phases at a time" if policy == "h2m-phases" else ""
        ending.report["remarks"].append(
            f"policy {policy}: chosen from a run before this one, its profile, which took "
            f"{format_time(known.profile['makespan_ns'])} with its samples{horizon}"
        )
        if not any(task["fast_accesses"] for region in ending.report["regions"] for task in region["tasks"]):
            ending.report["remarks"].append(
                f"policy {policy}: nothing that regions access lies in fast memory; by the profile no object is worth "
                "that, or none fits"
            )
    return ending
