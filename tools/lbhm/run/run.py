"""lbhm run: one program under one policy, as it would run without LB-HM."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from lbhm.base.errors import Refusal
from lbhm.base.units import DEFAULT_SHARE, PAGE, FastMemory, format_bytes, format_time, parse_fast
from lbhm.execute.ending import Ending
from lbhm.execute.execute import REFERENCE, UNLIMITED, Setup, attempt, attempt_first
from lbhm.execute.prepare import check_settings
from lbhm.execute.ranks import rank_here
from lbhm.files.report import check_seen
from lbhm.output.streams import check_reader
from lbhm.program.elf import Program
from lbhm.program.program import blind_spot, starts_others

_SLOW = 10  # times as long as what is emulated: a person waits, and wonders
_LET_GO = "and was let go"  # in the remark that a thread kept the others waiting
_WAITED = 2  # seconds: the start of a program takes less, however little there is to emulate


@dataclass(frozen=True)
class Job:
    """fast: None where it is not given, and on real machines."""

    setup: Setup
    program: Program
    policy: str
    fast: FastMemory | None

    @property
    def name(self) -> str:
        return self.setup.command[0]


def run(job: Job, say: Callable[[str], None]) -> Ending:
    """Runs the program, whose output goes where ours goes. say: for sentences on the way.

    Raises Refusal when it cannot be started, and for settings that would keep LB-HM out.
    """
    check_settings(job.setup, job.policy, None)
    looked_into = job.program.elf or job.program.foreign
    spot = blind_spot(job.name, job.program, job.setup.machine.emulated) if looked_into else None
    if spot and not starts_others(job.program):
        say(f"{spot}; now it runs as without lbhm")
    fast = job.fast or _default_share(job, spot)
    ending = attempt(job.setup, job.policy, _capacity(job, fast, say), show_output=True)
    if ending.report is None:
        if ending.code == 0 and (not spot or starts_others(job.program)):
            say(_unreported(job.name))
        return ending
    _check_report(job, fast, ending, say)
    if job.setup.machine.emulated and is_slow(ending):
        _say_how_slow(ending, say)
    return ending


def is_slow(ending: Ending) -> bool:
    """Whether somebody waited for what is emulated."""
    return ending.seconds >= _WAITED and 0 < _SLOW * ending.report["makespan_ns"] < 1e9 * ending.seconds


def _say_how_slow(ending: Ending, say: Callable[[str], None]) -> None:
    """What nobody who waits for an emulated machine should take for the program's own time."""
    virtual, real = ending.report["makespan_ns"], 1e9 * ending.seconds
    let_go = any(_LET_GO in remark for remark in ending.report["remarks"])
    independent = "" if let_go else "; virtual times do not depend on that (docs/emulator.md)"
    say(
        f"to emulate {format_time(virtual)} took {format_time(real)} here, {real / virtual:,.0f} times as long"
        f"{independent}"
    )


def check_ending(ending: Ending, json_file: Path | None) -> None:
    """The end of a command that ran a program. Raises Refusal with the program's status, or 2 for a missing result;
    Unwritable where nobody reads the output that they share."""
    if ending.code:
        check_reader(ending.status)
        raise ending.failure()
    if json_file and not ending.report:
        raise Refusal(f"--json {json_file}: it was not written, for the program left no run report")


def _default_share(job: Job, spot: str | None) -> FastMemory | None:
    """A share takes a first run, which a shell or make can do without: what it did is done already. A rank of MPI that
    ran alone first would wait for the others."""
    directly = job.program.elf and not spot and rank_here() is None
    return parse_fast(DEFAULT_SHARE) if job.setup.machine.emulated and directly else None


def _capacity(job: Job, fast: FastMemory | None, say: Callable[[str], None]) -> int | None:
    """Bytes of fast memory; None: all. A share of the footprint needs the footprint: that takes a first run, whose
    output is not shown."""
    if fast is None:
        return None
    if job.policy == UNLIMITED:
        say(f"--fast {fast.text} has no effect: {UNLIMITED} has all the fast memory that it wants")
        return None
    if fast.bytes is not None:
        return fast.capacity(fast.bytes)
    if rank_here() is not None:
        raise Refusal(
            f"--fast {fast.text}: a share of the footprint takes a first run, which a rank of MPI cannot have; name "
            "bytes, as in --fast 64M"
        )
    say(f"a first run under {REFERENCE}, to learn the peak footprint of which --fast {fast.text} is a share")
    report = attempt_first(job.setup).report
    if report is None:
        say(f"the first run left no report, so fast memory is not limited; now under {job.policy}")
        return None
    if job.fast is None and report["footprint_bytes"] * fast.share < PAGE:
        say(f"{fast.text} of its footprint is less than a page, so fast memory is not limited; now under {job.policy}")
        return None
    capacity = fast.capacity(report["footprint_bytes"])
    say(
        f"footprint {format_bytes(report['footprint_bytes'])}, so fast memory is {format_bytes(capacity)}; now under "
        f"{job.policy}"
    )
    return capacity


def _check_report(job: Job, fast: FastMemory | None, ending: Ending, say: Callable[[str], None]) -> None:
    """Says what the numbers of the report do not."""
    emulated = job.setup.machine.emulated
    try:
        check_seen(ending.report, job.name, emulated)
    except Refusal as refusal:
        say(refusal.sentence)
    reporter = ending.report.get("program", job.name)
    if Path(reporter).name != Path(job.name).name:
        say(f"the report is of {reporter}, the last program with OpenMP that {job.name} started and that ended")
    footprint = ending.report["footprint_bytes"]
    if fast is not None and fast.bytes is not None and job.policy != UNLIMITED and 0 < footprint < fast.bytes:
        say(f"--fast {fast.text} limits nothing: that is more than its peak footprint of {format_bytes(footprint)}")
    if emulated and fast is None and job.policy != UNLIMITED:
        second = f", --fast {DEFAULT_SHARE} too, in a second run" if rank_here() is None else ""
        say(f"fast memory was not limited; --fast 64M limits it{second}")


def _unreported(name: str) -> str:
    return (
        f"{name}: there is no run report; unless a sentence above says why, neither it nor what it started came to an "
        "OpenMP parallel region and ended by itself; LB-HM works on programs that are built with clang++-19 -fopenmp "
        "(lbhm doctor shows whether it can be loaded), and on what brings GNU's OpenMP runtime, as wheels of Python "
        "do, with LD_PRELOAD=/usr/lib/llvm-19/lib/libomp.so.5 before lbhm"
    )
