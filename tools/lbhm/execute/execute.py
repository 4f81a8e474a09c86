"""One run of a program under LB-HM: environment, process, report. Nothing stays behind, whatever happens."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Protocol

from lbhm.base.build_tree import BuildTree
from lbhm.base.errors import Refusal
from lbhm.base.signals import HeldBack, left_to_the_program
from lbhm.execute.ending import Ending, Outcome, collected
from lbhm.execute.program_input import is_terminal, program_input
from lbhm.execute.ranks import rank_here
from lbhm.execute.side_by_side import programs_here
from lbhm.files.report import read_report
from lbhm.machine import MachineChoice
from lbhm.options.numbers_given import VARIABLE, expected
from lbhm.output import output
from lbhm.program.elf import inspect

REFERENCE = "slow-only"
ORACLE = "oracle"
ORACLE_RUNS = 7  # four with counts, up to three plans
UNLIMITED = "fast-only"  # the reference that other policies are held against: it has all the fast memory that it wants
# Runtimes that end the program if another library comes before them, or miss what that library does.
_SANITIZERS = ("libasan.so", "libhwasan.so", "liblsan.so", "libtsan.so", "libclang_rt.asan", "libclang_rt.hwasan")
BEGIN = int(time.time())  # seconds since 1970: the date with which all emulated runs of this command begin


class Progress(Protocol):
    """Told which policy (or placement) runs and that it is done."""

    def start(self, policy: str) -> None: ...
    def done(self, policy: str) -> None: ...


@dataclass(frozen=True)
class Setup:
    """What stays the same in all runs of one command."""

    build: BuildTree
    machine: MachineChoice
    command: list[str]
    threads: int | None  # None: the program's own matter
    seed: int
    blocks: bool = False  # executions of basic blocks are wanted in the report
    settings: tuple[tuple[str, str], ...] = ()  # further variables of docs/settings.md
    heap: bool = False  # blocks of malloc are objects

    @property
    def lanes(self) -> int:
        """Threads of a region, as far as that is known before it runs."""
        return expected(self.threads)


def environment_of(setup: Setup, policy: str, capacity: int | None, report: Path) -> dict[str, str]:
    """The program's environment. capacity: bytes of fast memory, None for all that the machine has (on a real machine:
    that the user's own LBHM_FAST_CAPACITY allows)."""
    environment = dict(os.environ)
    if setup.machine.emulated:
        environment.pop("LBHM_FAST_CAPACITY", None)
    library, users = setup.build.need_library(setup.machine.emulated), environment.get("LD_PRELOAD", "")
    environment |= {
        "LD_PRELOAD": preload_list(setup.command[0], library, users, setup.build.heap if setup.heap else None),
        "LBHM_MACHINE": setup.machine.value,
        "LBHM_PRESETS": str(setup.build.presets),
        "LBHM_POLICY": policy,
        "LBHM_REPORT": str(report),
        "LBHM_SEED": str(setup.seed),
        "OMP_TOOL": "enabled",
    }
    if setup.threads is not None:
        environment |= {VARIABLE: str(setup.threads), "OMP_DYNAMIC": "false"}
    if setup.blocks:
        environment["LBHM_BLOCKS"] = "on"
    if capacity is not None:
        environment["LBHM_FAST_CAPACITY"] = str(capacity)
    environment |= dict(setup.settings)
    if setup.machine.emulated:
        # Many emulated lanes share few real cores: a lane that waits must not spin. Virtual time is not affected.
        environment.setdefault("OMP_WAIT_POLICY", "passive")
        environment.setdefault("LBHM_CLOCK_BEGIN", str(BEGIN))
    return environment


def execute(
    setup: Setup, policy: str, capacity: int | None, show_output: bool, settings: dict[str, str] | None = None
) -> Outcome:
    """Runs the program once. show_output: its output goes where ours goes (output.of_programs); otherwise it is kept.
    settings: further variables of docs/settings.md.

    Raises Refusal: with the program's own status when it fails, 2 when there is no usable report.
    """
    return attempt(setup, policy, capacity, show_output, settings).succeeded()


def attempt(
    setup: Setup, policy: str, capacity: int | None, show_output: bool, settings: dict[str, str] | None = None
) -> Ending:
    """As execute, whatever becomes of the program. Raises Refusal when it cannot be started or its report be read."""
    name = setup.command[0]
    if not show_output and rank_here() is not None:
        raise Refusal(
            f"{name}: a rank of MPI runs once, and this command would run it several times or out of sight; use lbhm "
            "run there, with bytes for --fast"
        )
    output.program_runs()
    with output.scratch_file("report.json") as file:
        environment = environment_of(setup, policy, capacity, file) | (settings or {})
        begin = time.monotonic()
        with (
            program_input().again(last=show_output) as stdin,
            _started(setup.command, environment, stdin, show_output) as child,
        ):
            stdout, stderr, processor_seconds = collected(child)
        seconds = time.monotonic() - begin
        report = read_report(file, name) if file.is_file() else None
        return Ending(name, policy, child.returncode, stdout, stderr, report, seconds, processor_seconds)


def attempt_first(setup: Setup, settings: dict[str, str] | None = None) -> Ending:
    """A run out of sight under the reference, to learn something of the program. That policy has no parts to leave out,
    and would not start if it were told to."""
    return attempt(setup, REFERENCE, None, show_output=False, settings={"LBHM_WITHOUT": ""} | (settings or {}))


@contextlib.contextmanager
def _started(
    command: list[str], environment: dict[str, str], stdin: BinaryIO | None, shown: bool
) -> Iterator[subprocess.Popen]:
    """The program in a process group of its own, which is killed as a whole if we leave early (Ctrl-C). On a terminal,
    where it may want to know who is in front, it is in ours, and the terminal's signals are its own matter. Of runs
    side by side, who began them ends all."""
    ours = shown and is_terminal()
    with left_to_the_program() if ours else contextlib.nullcontext():
        held, programs = HeldBack(), programs_here()

        def start() -> subprocess.Popen:
            # Files that we were started with are the program's: mpirun and make -j give such to what they start.
            return subprocess.Popen(
                command,
                env=environment,
                stdin=stdin,
                stdout=output.of_programs() if shown else subprocess.PIPE,
                stderr=None if shown else subprocess.PIPE,
                close_fds=False,
                start_new_session=not ours,
            )

        try:
            child = programs.started(start)
        except OSError as error:
            held.release()
            raise Refusal(f"{command[0]}: it cannot be started ({error.strerror}); does it run without lbhm?") from None
        try:
            held.release()
            yield child
        except BaseException:
            with contextlib.suppress(ProcessLookupError):
                child.kill() if ours else os.killpg(child.pid, signal.SIGKILL)
            child.wait()
            raise
        finally:
            programs.gone(child)


def _is_sanitizer(library: str) -> bool:
    return Path(library).name.startswith(_SANITIZERS)


def preload_list(program: str, ours: Path, users: str, heap: Path | None = None) -> str:
    """LD_PRELOAD: sanitizer runtimes that the program needs or the user preloads, liblbhm.so, what the user preloads.

    program: the first word of a command; one that another loader starts gets nothing of ours. users: LD_PRELOAD as it
    was, libraries apart by colons or spaces. heap: comes right behind liblbhm.so; not beside a sanitizer, which wants
    to see every block.
    """
    given = [library for library in re.split(r"[:\s]+", users) if library]
    first = [library for library in given if _is_sanitizer(library)]
    if found := shutil.which(program):
        looked = inspect(Path(found))
        if looked.foreign:
            return users
        first = first or [str(path) for name, path in looked.libraries.items() if _is_sanitizer(name)]
    both = [str(ours)] if first or heap is None else [str(ours), str(heap)]
    return ":".join([*first, *both, *(library for library in given if library not in first)])
