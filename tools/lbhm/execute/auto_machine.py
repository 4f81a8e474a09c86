"""--machine auto: programs that were built with --emulate run on the emulated machine, all others on this host."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lbhm.machine import HOST
from lbhm.program.elf import Program
from lbhm.program.program import is_instrumented, program_of, starts_others
from lbhm.program.started_programs import started_programs

AUTO = "auto"
EMULATED = "optane"


def machine_for(words: list[str], program: Program, fast: str | None, say: Callable[[str], None]) -> str:
    """The machine for a command whose first word is that program; says which and why. fast: --fast, if it is given."""
    if program.foreign:
        return HOST  # where it runs as without lbhm, which is said
    others = starts_others(program)
    if named := words[0] if program.instrumented else _started_with_plugin(words, program) if others else None:
        say(
            f"{named} was built with LB-HM's plugin for emulation, so the machine is {EMULATED}, emulated; --machine "
            f"{HOST} is this computer, lbhm machine list shows others"
        )
        return EMULATED
    if fast is not None:
        say(f"--fast {fast} is of emulated machines, so the machine is {EMULATED}; others: lbhm machine list")
        return EMULATED
    if others:
        say(
            f"{words[0]} names no program that was built for emulated machines, so the machine is this computer; "
            f"--machine {EMULATED} is an emulated one"
        )
    else:
        say(
            f"{words[0]} was {program.how_built}, so the machine is this computer; for an emulated one build "
            "it with lbhm cc, c++ or fc --emulate"
        )
    return HOST


def unforeseen(machine: str, emulated: bool, words: list[str], report: dict[str, Any] | None) -> str | None:
    """A sentence, if a program built for emulated machines reported from this computer, where nobody saw it coming."""
    program = program_of(report or {})
    if machine != AUTO or emulated or not program or not is_instrumented(program):
        return None
    return (
        f"the report is of {report['program']}, which was built with LB-HM's plugin for emulation and which "
        f"{words[0]} started; --machine {EMULATED} runs it on the emulated machine"
    )


def _started_with_plugin(words: list[str], program: Program) -> str | None:
    return next((name for name, file in started_programs(words, program) if is_instrumented(str(file))), None)
