"""Runs of programs, so many at a time (--jobs): on emulated machines, whose times do not depend on what else runs."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import threading
from collections.abc import Callable
from concurrent.futures import CancelledError, Future
from functools import cache
from queue import Empty, SimpleQueue
from typing import Any, TypeVar

from lbhm.base.errors import Refusal
from lbhm.base.signals import HeldBack

T = TypeVar("T")
_END_SECONDS = 5  # once its program was killed, a worker waits for what left the program's group and holds its pipes
_here = threading.local()  # by thread: .programs, see programs_here


def check_jobs(jobs: int | None, emulated: bool) -> None:
    """Raises Refusal where runs side by side would change each other's times."""
    if jobs not in (None, 1) and not emulated:
        raise Refusal(f"--jobs {jobs}: on a real machine programs side by side disturb each other; leave it out")


class Programs:
    """Those that one pool has started and that still run, each in a process group of its own."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._running: set[subprocess.Popen] = set()
        self._ended = False

    def started(self, start: Callable[[], subprocess.Popen]) -> subprocess.Popen:
        """Under the lock, so that no program begins unseen while all are ended. Raises CancelledError after that."""
        with self._lock:
            if self._ended:
                raise CancelledError
            child = start()
            self._running.add(child)
            return child

    def gone(self, child: subprocess.Popen) -> None:
        with self._lock:
            self._running.discard(child)

    def end(self) -> None:
        with self._lock:
            self._ended = True
            for child in self._running:
                if child.returncode is None:
                    with contextlib.suppress(ProcessLookupError):
                        os.killpg(child.pid, signal.SIGKILL)


def programs_here() -> Programs:
    """What this thread's programs are noted in. Of the main thread's own nobody needs a note: it ends them itself."""
    return getattr(_here, "programs", None) or Programs()


class SideBySide:
    """A context manager: whatever still runs when it is left is ended, and what has not begun never begins.

    With one job, nothing begins before its result is asked for, in the caller's own thread: what comes earlier may
    refuse all that follows. With more, results and their order are the same, for the caller asks in the same order.
    """

    def __init__(self, jobs: int = 1) -> None:
        self.jobs = jobs
        self._waiting: SimpleQueue[tuple[Future, Callable[[], Any]] | None] = SimpleQueue()
        self._programs = Programs()
        self._workers: list[threading.Thread] = []

    def __enter__(self) -> SideBySide:
        return self

    def __exit__(self, *_: object) -> None:
        held = HeldBack()
        with contextlib.suppress(Empty):
            while True:
                self._waiting.get_nowait()[0].cancel()
        self._programs.end()
        for _ in self._workers:
            self._waiting.put(None)
        for worker in self._workers:
            worker.join(_END_SECONDS)
        held.release()

    def begin(self, call: Callable[[], T]) -> Callable[[], T]:
        """Begins it as soon as a worker is free, in the order of begin(). Gives what waits for its result, or raises
        what it raised. Who waits within a call must wait for one that began earlier."""
        if self.jobs == 1:
            return cache(call)
        future: Future[T] = Future()
        self._waiting.put((future, call))
        if len(self._workers) < self.jobs:
            # Daemons: one that could not be ended does not keep the command from ending.
            self._workers.append(threading.Thread(target=self._work, daemon=True))
            self._workers[-1].start()
        return future.result

    def _work(self) -> None:
        _here.programs = self._programs
        while (begun := self._waiting.get()) is not None:
            future, call = begun
            if not future.set_running_or_notify_cancel():
                continue
            try:
                future.set_result(call())
            except BaseException as error:  # it is the caller's, who asks for the result
                future.set_exception(error)
