"""Runs training jobs in processes of their own, so many at a time. A failed one is told, not fatal."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess

from lbhm.base.errors import Refusal
from lbhm.base.signals import Stopped
from lbhm.train.job import Job

TICK = 0.5  # seconds between two looks at the clock, for the progress bar
# Forked, for a worker needs all that is imported here; nothing in this process has threads while jobs run.
_PROCESSES = get_context("fork")


@dataclass
class Outcome:
    done: list[Job] = field(default_factory=list)
    failed: dict[str, str] = field(default_factory=dict)  # name: sentence


def run_jobs(jobs: list[Job], processes: int, tell: Callable[[Job | None], None]) -> Outcome:
    """tell(job) when one has ended, tell(None) now and then. Whatever ends this ends the processes, too."""
    outcome = Outcome()
    waiting = list(jobs)
    running: dict[int, tuple[BaseProcess, Connection, Job]] = {}
    try:
        while waiting or running:
            while waiting and len(running) < processes:
                process, answer = _start(waiting[0])
                running[process.sentinel] = (process, answer, waiting.pop(0))
            for sentinel in wait(list(running), timeout=TICK):
                process, answer, job = running.pop(sentinel)
                _collect(process, answer, job, outcome)
                tell(job)
            tell(None)
    finally:
        for process, _, _ in running.values():
            process.terminate()
        for process, _, _ in running.values():
            process.join()
    return outcome


def _start(job: Job) -> tuple[BaseProcess, Connection]:
    answer, says = _PROCESSES.Pipe(duplex=False)
    process = _PROCESSES.Process(target=_work, args=(job, says))
    process.start()
    says.close()
    return process, answer


def _work(job: Job, says: Connection) -> None:
    try:
        job.run()
    except Refusal as refusal:
        says.send(refusal.sentence)
        sys.exit(1)
    except Stopped as stopped:
        sys.exit(stopped.status)


def _collect(process: BaseProcess, answer: Connection, job: Job, outcome: Outcome) -> None:
    process.join()
    if process.exitcode == 0:
        outcome.done.append(job)
        return
    why = f"{job.setup.command[0]}: measuring it ended with status {process.exitcode}"
    try:
        outcome.failed[job.name] = answer.recv() if answer.poll() else why
    except EOFError:
        outcome.failed[job.name] = why
