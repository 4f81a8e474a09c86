"""Numbers of the command line, each between a least and a most; how many OpenMP threads a program has: on a host that
is its own matter unless --threads says it."""

from __future__ import annotations

import os
from collections.abc import Callable

from lbhm.base.errors import Refusal

VARIABLE = "OMP_NUM_THREADS"
MOST = 4096  # more are no mistake of a digit: no machine here or emulated has as many
_EMULATED = 12  # the cores of a socket of the machine in the paper


def whole(option: str, least: int, most: int) -> Callable[[object], int]:
    """The parser of an option. It raises Refusal."""

    def parse(given: object) -> int:
        try:
            number = int(str(given))
        except ValueError:  # no number, or one of thousands of digits
            number = None
        if number is None or not least <= number <= most:
            raise Refusal(f"{option}: '{shown(given)}' is not in range; give a whole number from {least} to {most}")
        return number

    return parse


def shown(given: object) -> str:
    """As far as a sentence has room for it."""
    text = str(given)
    return text if len(text) <= 40 else f"{text[:37]}..."


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
