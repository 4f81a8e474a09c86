"""--machine auto: programs that were built with the plugin run on the emulated machine, all others on this host."""

from __future__ import annotations

import re
import shlex
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

from lbhm.elf import Program, inspect
from lbhm.errors import Refusal
from lbhm.machine import HOST

AUTO = "auto"
EMULATED = "optane"
_SCRIPT = 1 << 16  # bytes of a script that are looked at: it names its programs early or not at all
_WORD = re.compile(r"[^\s;&|()<>'\"`]+")


def machine_for(words: list[str], program: Program, fast: str | None, say: Callable[[str], None]) -> str:
    """The machine for a command whose first word is that program; says which and why. fast: --fast, if it is given."""
    if program.foreign:
        return HOST  # where it runs as without lbhm, which is said
    if named := _with_plugin(words, program):
        say(
            f"{named} was built with LB-HM's plugin, so the machine is {EMULATED}, emulated; --machine {HOST} is this "
            "computer, lbhm machine list shows others"
        )
        return EMULATED
    if fast is not None:
        say(f"--fast {fast} is of emulated machines, so the machine is {EMULATED}; others: lbhm machine list")
        return EMULATED
    say(
        f"{words[0]} was not built with LB-HM's plugin, so the machine is this computer; for an emulated one build it "
        "with lbhm cc, c++ or fc --emulate"
    )
    return HOST


def _with_plugin(words: list[str], program: Program) -> str | None:
    """The program if it was built with the plugin, else one that it is told to start (mpirun, sh -c, a script)."""
    if program.instrumented:
        return words[0]
    candidates = _named(words[1:], program.path if not program.elf else None)
    return next((name for name in candidates if _is_instrumented(name)), None)


def _named(words: list[str], script: Path | None) -> Iterator[str]:
    for word in words:
        yield word
        yield from _split(word)
    if script:
        with script.open("rb") as file:
            yield from dict.fromkeys(_WORD.findall(file.read(_SCRIPT).decode(errors="replace")))


def _split(word: str) -> list[str]:
    """A command in one word, as for sh -c."""
    try:
        return shlex.split(word) if " " in word else []
    except ValueError:
        return []


def _is_instrumented(name: str) -> bool:
    found = shutil.which(name) if "/" in name or Path(name).is_file() else None
    if not found or Path(found).is_dir():
        return False
    try:
        return inspect(Path(found)).instrumented
    except (OSError, Refusal):
        return False
