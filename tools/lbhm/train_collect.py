"""Measures the training programs on a machine: what is there already is kept, what fails is listed."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from lbhm import output
from lbhm.build_tree import BuildTree
from lbhm.errors import Refusal
from lbhm.execute import Setup
from lbhm.machine import HOST, MachineChoice
from lbhm.program import check_program
from lbhm.train_job import Job
from lbhm.train_pool import Outcome, run_jobs


@dataclass(frozen=True)
class Plan:
    """What to measure. threads: those that the machine has hardware for (threads_of)."""

    build: BuildTree
    machine: MachineChoice
    programs: list[Path]
    threads: list[int]
    placements: int
    seed: int
    work: Path

    def jobs(self) -> list[Job]:
        return [
            Job(Setup(self.build, self.machine, [str(program)], threads, self.seed), self.placements, self.work)
            for program in self.programs
            for threads in self.threads
        ]


@dataclass(frozen=True)
class Collected:
    """kept: jobs that had been measured before, which took kept_seconds of a process then."""

    files: list[Path]
    failed: dict[str, str]
    kept: int
    kept_seconds: float
    seconds: float


def check_machine(choice: MachineChoice) -> None:
    """Raises Refusal when regions cannot be measured under many placements there.

    What it takes is two memories, pages put where chance says (Machine::scatter) and counters of main-memory accesses
    by memory. Of the machines that there are, the emulated ones have all three.
    """
    if not choice.emulated:
        raise Refusal(
            f"--machine {HOST}: training needs two memories, pages placed by chance and counted accesses, which LB-HM "
            "has on emulated machines only; describe this machine by lbhm machine measure --emulate --slow 2, then "
            "train for that"
        )


def threads_of(text: str, machine: dict[str, Any]) -> list[int]:
    """The numbers of --threads, each at most the machine's hardware threads, each once. Raises Refusal."""
    try:
        wanted = [int(word) for word in text.split(",")]
    except ValueError:
        raise Refusal(f"--threads {text}: these are no numbers; write them as in --threads 1,12") from None
    if min(wanted) < 1:
        raise Refusal(f"--threads {text}: a program needs at least 1 thread")
    most = int(machine["core"]["hardware_threads"]["value"])
    return sorted({min(number, most) for number in wanted})


def collect(plan: Plan, processes: int) -> Collected:
    """Runs what is missing. Raises Refusal before anything runs when a program cannot be measured at all."""
    for program in plan.programs:
        check_program(str(program), plan.machine.emulated)
    plan.work.mkdir(parents=True, exist_ok=True)
    began = time.monotonic()
    jobs = plan.jobs()
    kept = {job.file: found["seconds"] for job in jobs if (found := job.found())}
    missing = [job for job in jobs if job.file not in kept]
    with _bar() as bar:
        task = bar.add_task("measuring", total=len(jobs), completed=len(kept))
        outcome = run_jobs(missing, processes, lambda job: _tell(bar, task, job)) if missing else Outcome()
    files = sorted([*kept, *(job.file for job in outcome.done)])
    return Collected(files, outcome.failed, len(kept), sum(kept.values()), time.monotonic() - began)


def _bar() -> Progress:
    """Without a thread of its own (auto_refresh): workers are forked while it is shown."""
    console = output.console(stderr=True)
    columns = (
        TextColumn("{task.description:<22}"),
        BarColumn(bar_width=32),
        TextColumn("{task.completed}/{task.total}"),
    )
    times = (TimeElapsedColumn(), TextColumn("left"), TimeRemainingColumn())
    return Progress(
        *columns, *times, console=console, transient=True, auto_refresh=False, disable=not console.is_terminal
    )


def _tell(bar: Progress, task: Any, job: Job | None) -> None:
    if job is None:
        bar.refresh()
        return
    bar.update(task, advance=1, description=job.name)
    if bar.disable:
        state = bar.tasks[0]
        output.say(f"{job.name}: {state.completed:.0f} of {state.total:.0f}")
