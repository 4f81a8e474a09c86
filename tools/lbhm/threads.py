"""How many OpenMP threads a program has: on a host that is its own matter unless --threads says it."""

from __future__ import annotations

import os

from lbhm.errors import Refusal

VARIABLE = "OMP_NUM_THREADS"
_EMULATED = 12  # the cores of a socket of the machine in the paper


def number_of_threads(text: object, what: str = "--threads") -> int:
    """Raises Refusal for what is no number of threads. One number a level of nesting: the first is meant."""
    try:
        number = int(str(text).split(",")[0])
    except ValueError:
        number = 0
    if number < 1:
        raise Refusal(f"{what}: '{text}' is no number of threads; give 1 or more")
    return number


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
    return int(first) if first.isdecimal() and int(first) > 0 else len(os.sched_getaffinity(0))
