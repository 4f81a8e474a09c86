"""lbhm profile: what objects are used for, and times of basic blocks with all data in slow and in fast memory."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from lbhm import __version__
from lbhm.base.errors import Refusal
from lbhm.execute.ending import Outcome
from lbhm.execute.execute import REFERENCE, UNLIMITED, Progress, Setup, attempt
from lbhm.machine import HOST, MachineChoice
from lbhm.profile.block_times import BlockTimes, block_times
from lbhm.profile.uses import check_objects, object_uses, said_of_source

NO_BLOCKS = f"--machine {HOST}: block times are measured on emulated machines only, so they are left out"


def runs_of(machine: MachineChoice) -> int:
    return 3 if machine.emulated else 1


def profile(setup: Setup, progress: Progress) -> tuple[dict[str, Any], Outcome]:
    """Runs the program once with samples, and on an emulated machine once for each memory; returns its profile (schema
    lbhm.profile/2), and how the first of these runs ended.

    `objects` is null for programs without any, `blocks` for those that count none, and `why` says so. Raises Refusal:
    there is neither, or see object_uses and attempt.
    """
    progress.start("objects")
    uses, outcome = object_uses(setup)
    progress.done("objects")
    content = head_of(setup, outcome.report) | {"objects": uses, "blocks": None}
    refusals = []
    if not setup.machine.emulated:
        check_objects(uses, setup.command[0], setup.heap)
        of_source = said_of_source(uses)
        return content | {"why": [of_source, NO_BLOCKS] if of_source else [NO_BLOCKS]}, outcome
    try:
        check_objects(uses, setup.command[0], setup.heap)
    except Refusal as refusal:
        content["objects"] = None
        refusals.append(refusal)
    try:
        content["blocks"] = blocks_of(setup, progress)
    except Refusal as refusal:
        refusals.append(refusal)
    if len(refusals) == 2:
        raise refusals[1]
    return content | {"why": [refusal.sentence for refusal in refusals]}, outcome


def head_of(setup: Setup, report: dict[str, Any]) -> dict[str, Any]:
    return {
        "schema": "lbhm.profile/2",
        "lbhm_version": __version__,
        "machine": report["machine"],
        "machine_fingerprint": report.get("machine_fingerprint", ""),
        "times": "virtual" if report["virtual_time"] else "real",
        "command": setup.command,
        "threads": setup.lanes,
        "seed": setup.seed,
        "footprint_bytes": report["footprint_bytes"],
        "makespan_ns": report["makespan_ns"],
    }


def blocks_of(setup: Setup, progress: Progress) -> dict[str, Any]:
    """The section of basic blocks. Raises Refusal when nothing counts them."""
    reports = {}
    for policy in (REFERENCE, UNLIMITED):
        progress.start(policy)
        reports[policy] = attempt(replace(setup, blocks=True), policy, None, show_output=False).outcome().report
        check_counted(reports[policy], setup.command[0])
        progress.done(policy)
    return blocks_json(setup, reports[REFERENCE], reports[UNLIMITED])


def check_counted(report: dict[str, Any], program: str) -> None:
    """Raises Refusal when there is nothing to measure."""
    if not report.get("modules"):
        raise Refusal(
            f"{program}: no part of it counts basic blocks; build it with lbhm c++ --emulate (lbhm cc, lbhm fc) of "
            "this version"
        )
    if not any(task["blocks"] for region in report["regions"] for task in region["tasks"]):
        raise Refusal(
            f"{program}: no basic block was counted in a parallel region; build the files that have the regions with "
            "lbhm c++ --emulate (lbhm cc, lbhm fc)"
        )


def blocks_json(setup: Setup, slow: dict[str, Any], fast: dict[str, Any]) -> dict[str, Any]:
    """The section of two run reports."""
    if [module["id"] for module in slow["modules"]] != [module["id"] for module in fast["modules"]]:
        raise Refusal(f"{setup.command[0]}: it loaded other modules in the second run; see whether it loads libraries")
    solved = {"slow": solve(slow), "fast": solve(fast)}
    executions, _ = rows_of(slow)
    return {
        "tasks": len(executions),
        "residual": {memory: found.residual for memory, found in solved.items()},
        "modules": [
            {
                "id": module["id"],
                "source": module["source"],
                "counters": [
                    _counter_json(counter, executions, solved["slow"], solved["fast"]) for counter in module["counters"]
                ],
            }
            for module in slow["modules"]
        ],
    }


def _counter_json(
    counter: dict[str, Any], executions: np.ndarray, slow: BlockTimes, fast: BlockTimes
) -> dict[str, Any]:
    number = counter["counter"]
    return {
        **{key: counter[key] for key in ("function", "lines", "per_call")},
        "executions": int(executions[:, number].sum()),
        "group": int(slow.groups[number]) if slow.groups[number] >= 0 else None,
        "slow_ns": float(slow.times[number]),
        "fast_ns": float(fast.times[number]),
    }


def solve(report: dict[str, Any]) -> BlockTimes:
    """Block times in the memory that the report is of."""
    executions, times = rows_of(report)
    # A block of no slots of its own still is passed through.
    static = np.array([max(counter["slots"], 1) for counter in counters_of(report)], dtype=float)
    return block_times(executions, times, static)


def counters_of(report: dict[str, Any]) -> list[dict[str, Any]]:
    """All counters; each stands at its number."""
    return [counter for module in report["modules"] for counter in module["counters"]]


def rows_of(report: dict[str, Any]) -> tuple[np.ndarray, np.ndarray]:
    """(tasks, counters) executions and (tasks,) times in ns: a row for each lane of each region instance."""
    tasks = [task for region in report["regions"] for task in region["tasks"]]
    executions = np.zeros((len(tasks), len(counters_of(report))))
    for row, task in enumerate(tasks):
        for counter, count in task["blocks"]:
            executions[row, counter] = count
    return executions, np.array([task["time_ns"] for task in tasks], dtype=float)
