"""Measures the training programs on a machine: what is there already is kept, what fails is listed."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from lbhm.base.build_tree import BuildTree
from lbhm.base.errors import Refusal
from lbhm.execute.execute import Setup
from lbhm.machine import MachineChoice
from lbhm.output import output
from lbhm.program.program import check_program
from lbhm.train.job import Job
from lbhm.train.pool import Outcome, run_jobs
from lbhm.train.this_host import SETTINGS, foretold


@dataclass(frozen=True)
class Plan:
    """What to measure. threads: those that the machine has hardware for (threads_of). repeat, fingerprint: as Job's."""

    build: BuildTree
    machine: MachineChoice
    programs: list[Path]
    threads: list[int]
    placements: int
    seed: int
    work: Path
    repeat: int = 1
    fingerprint: str = ""

    def jobs(self) -> list[Job]:
        return [
            Job(self.setup(program, threads), self.placements, self.work, self.repeat, self.fingerprint)
            for program in self.programs
            for threads in self.threads
        ]

    def setup(self, program: Path, threads: int) -> Setup:
        setup = Setup(self.build, self.machine, [str(program)], threads, self.seed)
        return setup if self.machine.emulated else replace(setup, heap=True, settings=SETTINGS)


@dataclass(frozen=True)
class Collected:
    """kept: jobs that had been measured before, which took kept_seconds of a process then."""

    files: list[Path]
    failed: dict[str, str]
    kept: int
    kept_seconds: float
    seconds: float


def threads_of(text: str, most: int) -> list[int]:
    """The numbers of --threads, each at most the machine's hardware threads (most), each once. Raises Refusal."""
    try:
        wanted = [int(word) for word in text.split(",")]
    except ValueError:
        raise Refusal(f"--threads {text}: these are no numbers; write them as in --threads 1,12") from None
    if min(wanted) < 1:
        raise Refusal(f"--threads {text}: a program needs at least 1 thread; write them as in --threads 1,12")
    return sorted({min(number, most) for number in wanted})


def check_programs(plan: Plan) -> None:
    """Raises Refusal when one cannot be measured at all."""
    for program in plan.programs:
        check_program(str(program), plan.machine.emulated)


def collect(plan: Plan, processes: int) -> Collected:
    """Runs what is missing."""
    plan.work.mkdir(parents=True, exist_ok=True)
    began = time.monotonic()
    jobs = plan.jobs()
    kept = {job.file: found["seconds"] for job in jobs if (found := job.found())}
    missing = [job for job in jobs if job.file not in kept]
    if missing and not plan.machine.emulated:
        _foretell(missing, len(kept))
    with _bar() as bar:
        task = bar.add_task("measuring", total=len(jobs), completed=len(kept))
        outcome = run_jobs(missing, processes, lambda job: _tell(bar, task, job)) if missing else Outcome()
    files = sorted([*kept, *(job.file for job in outcome.done)])
    return Collected(files, outcome.failed, len(kept), sum(kept.values()), time.monotonic() - began)


def _foretell(missing: list[Job], kept: int) -> None:
    with output.steps() as begins:
        begins("a run of each program, to see how long they take")
        seconds = foretold(missing)
    runs = sum(job.runs for job in missing)
    before = f", {kept} measurements are kept" if kept else ""
    output.say(
        f"{runs} runs will take about {format_minutes(seconds)}{before}; leave this machine alone meanwhile; after "
        "Ctrl-C the same command goes on"
    )


def format_minutes(seconds: float) -> str:
    if seconds < 90:
        return f"{max(1, round(seconds))} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 90 else f"{minutes // 60} h {minutes % 60} min"


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
