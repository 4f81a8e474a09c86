"""What all commands that run a program check before anything runs."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from pathlib import Path

from lbhm.base.build_tree import absent, find_build
from lbhm.base.errors import Refusal
from lbhm.base.units import DEFAULT_SHARE, FastMemory, format_bytes, parse_capacities, parse_fast
from lbhm.execute.auto_machine import AUTO, machine_for
from lbhm.execute.execute import Setup, environment_of
from lbhm.library.library import start_complaint
from lbhm.library.said_by_environment import OF_THE_COMMAND, sentences
from lbhm.machine import HOST, choose_machine, file_of, read_machine
from lbhm.options.numbers_given import threads_on
from lbhm.output import output
from lbhm.program.elf import Program
from lbhm.program.program import check_program, nobody_manages, startable


def make_setup(
    words: list[str] | None,
    machine: str,
    threads: int | None,
    seed: int,
    heap: bool | None = None,
    check: Callable[[str, bool], Program] = check_program,
    fast: str | None = None,
) -> tuple[Setup, Program]:
    """The setup, and the program as far as it can be looked at. heap: blocks of malloc are objects; None: where
    the program has no others.
    check: what a program must be like, by its name and whether the machine is emulated. fast: --fast, which asks for
    an emulated machine. Raises Refusal.
    """
    if not words:
        raise Refusal("no program is named; write it after the options: -- ./app arguments")
    build = find_build()
    build.need_library()
    if machine == AUTO:
        machine = machine_for(words, startable(words[0]), fast, output.say_with_first_run)
    choice = choose_machine(machine)
    for sentence in sentences(choice.emulated):
        output.say_with_first_run(sentence)
    program = check(words[0], choice.emulated)
    if heap is None:
        heap = nobody_manages(program) and build.heap.is_file()
    elif heap and not build.heap.is_file():
        raise absent(f"--heap: {build.heap}")
    return Setup(build, choice, words, threads_on(choice.emulated, threads), seed, heap=heap), program


def fast_memory(text: str | None, setup: Setup) -> FastMemory | None:
    """--fast, if it is given. Raises Refusal on real machines."""
    _refuse_on_the_host(text, setup)
    return _there_is(parse_fast(text), setup) if text is not None else None


def fast_memories(text: str | None, setup: Setup) -> list[FastMemory | None]:
    """--fast of a comparison, one or several; without it the default, which is none on real machines."""
    _refuse_on_the_host(text, setup)
    if text is not None:
        return [_there_is(fast, setup) for fast in parse_capacities(text)]
    return [parse_fast(DEFAULT_SHARE) if setup.machine.emulated else None]


def _there_is(fast: FastMemory, setup: Setup) -> FastMemory:
    """Raises Refusal for bytes that the machine does not have, before anything runs."""
    if fast.bytes is None:
        return fast
    fast.capacity(fast.bytes)
    tiers = read_machine(file_of(setup.machine.value)).get("tiers") or []
    has = tiers[0].get("capacity_bytes") if tiers and isinstance(tiers[0], dict) else None
    has = has.get("value") if isinstance(has, dict) else has
    if isinstance(has, int) and fast.bytes > has:
        raise Refusal(
            f"--fast {fast.text}: machine {setup.machine.value} has {format_bytes(has)} of fast memory; name no more"
        )
    return fast


def _refuse_on_the_host(text: str | None, setup: Setup) -> None:
    if text is not None and not setup.machine.emulated:
        raise Refusal(
            f"--fast {text}: is of emulated machines; leave it out with --machine {HOST}, and set LBHM_FAST_CAPACITY "
            "where it has several memories"
        )


def check_settings(setup: Setup, policy: str, capacity: int | None) -> None:
    """Raises Refusal for settings of the environment that the runtime refuses, with its sentence, for the program would
    run without LB-HM; files that settings name are looked at, too."""
    environment = environment_of(setup, policy, capacity, Path(os.devnull))
    if complaint := start_complaint(setup.build.need_library(setup.machine.emulated), environment):
        ours = f"LBHM_PLACEMENT={dict(setup.settings).get('LBHM_PLACEMENT')}"  # a file that nobody else knows
        raise Refusal(complaint.replace(ours, "the placement"))


def check_given(setup: Setup, policies: Iterable[str]) -> None:
    """The same, of variables that somebody set, for commands that run a program several times. LBHM_WITHOUT is of one
    policy; whether others go without is said beside their runs."""
    others = (*OF_THE_COMMAND, "LBHM_WITHOUT")
    given = tuple(name for name in os.environ if name.startswith("LBHM_") and name not in others)
    library = setup.build.need_library(setup.machine.emulated)
    for policy in policies if given else ():
        environment = environment_of(setup, policy, None, Path(os.devnull)) | {"LBHM_WITHOUT": ""}
        complaint = start_complaint(library, environment)
        if complaint.startswith(given):
            raise Refusal(complaint)
