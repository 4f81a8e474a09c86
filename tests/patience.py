"""How long tests wait for programs: seconds of a quiet computer, however many others want its processors.

A limit says what hangs. Where more threads want to run than there are processors, a program that is only slow would
reach one of real time: so a second counts as that part of it that each thread gets, and where the limit was reached the
error says so. `install()` makes it so for every `timeout=` of subprocess.

What may hang is started with `process_group=0`, so that it can be ended with all its children. A session of its own
would do that, too, but Linux gives each session a group of the scheduler (`kernel.sched_autogroup_enabled`), and
6.18.44 lets nothing else run for 20 to 60 s at times, kernel threads included, while one of these groups forks and has
more threads than there are processors.
"""

from __future__ import annotations

import os
import subprocess
import threading
import time
from collections.abc import Callable
from pathlib import Path

LONGEST = 20  # times as long in real time: a program whose own threads spin by the hundred makes the computer busy, too
TICK = 0.5  # seconds between two looks
LOAD = Path("/proc/loadavg")


def share() -> float:
    """What part of a processor a thread gets that wants one: 1 on a quiet computer."""
    wanting = int(LOAD.read_text().split()[3].partition("/")[0])
    return min(1.0, (os.cpu_count() or 1) / max(1, wanting))


class Patience:
    """So many seconds, from now on."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.spent = 0.0
        self.begin = self.looked = time.monotonic()

    def look(self) -> None:
        """Often enough that the computer was alike busy since the last time."""
        now = time.monotonic()
        self.spent += (now - self.looked) * share()
        self.looked = now

    def over(self) -> bool:
        self.look()
        return self.spent >= self.seconds or self.looked - self.begin >= LONGEST * self.seconds

    def next_look(self) -> float:
        return max(TICK / 10, min(TICK, self.seconds - self.spent))

    def __str__(self) -> str:
        real = self.looked - self.begin
        return f"the limit of {self.seconds:g} s on a quiet computer was reached, after {real:.1f} s on this one"


class LimitReached(subprocess.TimeoutExpired):
    def __init__(self, late: subprocess.TimeoutExpired, patience: Patience) -> None:
        super().__init__(late.cmd, patience.seconds, late.output, late.stderr)
        self.patience = patience

    def __str__(self) -> str:
        return f"{self.cmd}: {self.patience}"


def patiently(wait: Callable[[float], object], seconds: float) -> object:
    """What `wait` gives, which is called with short limits until it ends within one."""
    patience = Patience(seconds)
    while True:
        try:
            return wait(patience.next_look())
        except subprocess.TimeoutExpired as late:
            if patience.over():
                raise LimitReached(late, patience) from None


class PatientPopen(subprocess.Popen):
    """Popen, but for what a timeout means."""

    def wait(self, timeout=None):
        if timeout is None:
            return super().wait()
        return patiently(super().wait, timeout)

    def communicate(self, input=None, timeout=None):
        if timeout is None:
            return super().communicate(input)
        said = iter([input])  # told once
        real = super().communicate
        return patiently(lambda seconds: real(next(said, None), seconds), timeout)


def install() -> None:
    subprocess.Popen = PatientPopen


def until(happens: Callable[[], object], seconds: float) -> object:
    """What `happens()` gives as soon as it is something; what it gave last where the time is up."""
    patience = Patience(seconds)
    while not (found := happens()) and not patience.over():
        time.sleep(0.02)
    return found


class Quiet:
    """`with Quiet() as took:` measures what it takes: took.seconds, of a quiet computer."""

    def __enter__(self) -> Quiet:
        self._patience = Patience(float("inf"))
        self._done = threading.Event()
        self._watch = threading.Thread(target=self._look_often)
        self._watch.start()
        return self

    def _look_often(self) -> None:
        while not self._done.wait(TICK / 10):
            self._patience.look()

    def __exit__(self, *_) -> None:
        self._done.set()
        self._watch.join()
        self._patience.look()
        self.seconds = self._patience.spent
