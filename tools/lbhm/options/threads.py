"""How many OpenMP threads a program has: on a host that is its own matter unless --threads says it."""

from __future__ import annotations

import os

from lbhm.base.errors import Refusal
from lbhm.options.numbers_given import shown, whole

VARIABLE = "OMP_NUM_THREADS"
MOST = 4096  # more are no mistake of a digit: no machine here or emulated has as many
_EMULATED = 12  # the cores of a socket of the machine in the paper


def number_of_threads(text: object, what: str = "--threads") -> int:
    """Raises Refusal for what is no number of threads. One number a level of nesting: the first is meant."""
    try:
        first, *_ = [whole(what, 1, MOST)(level) for level in str(text).split(",")]
        return first
    except Refusal:
        raise Refusal(f"{what}: '{shown(text)}' is no number of threads; give 1 or more, up to {MOST}") from None


def threads_on(emulated: bool, given: int | None) -> int | None:
    """What OMP_NUM_THREADS is set to; None: it is left as it is. Raises Refusal."""
    if given is not None or not emulated:
        return given
    variable = os.environ.get(VARIABLE)
    return number_of_threads(variable, VARIABLE) if variable else _EMULATED


def expected(threads: int | None) -> int:
    """The lanes of a region, as far as anybody knows before it runs."""
    if threads is not None:
        return threads
    first = os.environ.get(VARIABLE, "").split(",")[0].strip()
    return max(1, int(first)) if first.isdecimal() else len(os.sched_getaffinity(0))  # LLVM's takes 0 for 1
