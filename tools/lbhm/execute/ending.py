"""How a program ended: its status, what it printed, and the report if there is one."""

from __future__ import annotations

import os
import selectors
import signal
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from lbhm.base.errors import Refusal
from lbhm.files.report import no_report

LAST_LINES = 8
_CHUNK = 1 << 16
_GOES_ON = " (the program runs as without LB-HM)"  # of the runtime's sentences: here it was run out of sight


@dataclass(frozen=True)
class Outcome:
    """A run with a report. status: of the program, as shells tell it; words: the last that it said on stderr."""

    report: dict[str, Any]
    stdout: bytes  # empty when it went to the terminal
    status: int = 0
    words: Sequence[str] = ()
    processor_seconds: float = 0  # user and system, of the program and of whatever it started and waited for


@dataclass(frozen=True)
class Ending:
    """A run, whatever became of it. code: as subprocess has it; below 0 for signals."""

    program: str
    policy: str
    code: int
    stdout: bytes
    stderr: bytes
    report: dict[str, Any] | None
    seconds: float = 0  # of real time
    processor_seconds: float = 0  # as an outcome's

    @property
    def status(self) -> int:
        """As shells tell it."""
        return 128 - self.code if self.code < 0 else self.code

    def outcome(self) -> Outcome:
        """For those who can use a run that failed, too. Raises Refusal when there is no report."""
        if self.report is None:
            raise self.failure() if self.code else self._without_report()
        return Outcome(self.report, self.stdout, self.status, self.words, self.processor_seconds)

    def succeeded(self) -> Outcome:
        """Raises Refusal with the program's own status when it failed, 2 when there is no report."""
        if self.code:
            raise self.failure()
        return self.outcome()

    def failure(self) -> Refusal:
        """The sentence for a program that failed, with its own status."""
        return failure(self.program, [self.policy], self.status, self.words)

    def refused(self) -> str | None:
        """What the runtime said on stderr (`lbhm: ...`), if it kept out of a program because it could not start."""
        lines = self.stderr.decode(errors="replace").splitlines()
        said = (line.removeprefix("lbhm: ") for line in lines if line.startswith("lbhm: "))
        return next((sentence.removesuffix(_GOES_ON) for sentence in said), None)

    def _without_report(self) -> Refusal:
        why = self.refused()
        return Refusal(f"{self.program}: {why}") if why else no_report(self.program)

    @property
    def words(self) -> list[str]:
        return self.stderr.decode(errors="replace").rstrip().splitlines()[-LAST_LINES:]


def failure(program: str, policies: Sequence[str], status: int, words: Sequence[str] = ()) -> Refusal:
    """The sentence for a program that failed under these policies, with its status."""
    under = f"policy {policies[0]}" if len(policies) == 1 else f"policies {', '.join(policies)}"
    said = "; its last words:" if words else ""
    sentence = f"{program}: the program {how(status)} under {under}; see whether it does so without lbhm{said}"
    return Refusal(sentence, status, words)


def how(status: int) -> str:
    """'ended with exit status 3', 'was ended by SIGSEGV'; status: as shells tell it."""
    try:
        return f"was ended by {signal.Signals(status - 128).name}"
    except ValueError:
        return f"ended with exit status {status}"


def collected(child: subprocess.Popen) -> tuple[bytes, bytes, float]:
    """As communicate(), which does not tell the processor time: stdout, stderr (empty where they are no pipes), and the
    seconds, user and system, of the program and of whatever it started and waited for."""
    pipes = [stream for stream in (child.stdout, child.stderr) if stream]
    printed: dict[int, list[bytes]] = {stream.fileno(): [] for stream in pipes}
    with selectors.DefaultSelector() as selector:
        for stream in pipes:
            selector.register(stream, selectors.EVENT_READ)
        while selector.get_map():
            for key, _ in selector.select():
                if data := os.read(key.fd, _CHUNK):
                    printed[key.fd].append(data)
                else:
                    selector.unregister(key.fileobj)
    stdout, stderr = (b"".join(printed[stream.fileno()]) if stream else b"" for stream in (child.stdout, child.stderr))
    for stream in pipes:
        stream.close()
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    return stdout, stderr, usage.ru_utime + usage.ru_stime
