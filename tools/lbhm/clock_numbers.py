"""Numbers in what a program prints that change with the clock: found in two runs that only the clock tells apart."""

from __future__ import annotations

import re
from dataclasses import dataclass

# A number, with its unit if there is one: the next run may print 980 us in place of 1.2 ms.
_NUMBER = re.compile(
    r"((?<![A-Za-z_.\d])[-+]?(?:0x[0-9a-f]+|(?:\d+(?::\d\d)*(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?|(?:nan|inf)\b)"
    r"(?:\s?(?:[numµkKMGT]?(?:s|i?B|flops?|FLOPS?|Flops?|TEPS|Hz)|sec|secs|seconds?|bytes|min|minutes?|hours?)\b"
    r"(?:/s(?:ec)?\b)?)?)"
)
_LEFT_OUT = "#"


def _pieces(line: str) -> list[str]:
    """Text and numbers in turn, text first; however far columns are apart."""
    return _NUMBER.split(" ".join(line.split()))


@dataclass(frozen=True)
class ClockNumbers:
    """lines: of each line (from 0) which of its pieces change; None: the whole line does."""

    lines: dict[int, frozenset[int] | None]

    def without(self, printed: list[str]) -> list[str]:
        """The lines with '#' in place of what changes with the clock."""
        return [self._line(number, line) for number, line in enumerate(printed)]

    def joined(self, other: ClockNumbers | None) -> ClockNumbers:
        """What changes here or there."""
        lines = dict(self.lines)
        for number, pieces in (other.lines if other else {}).items():
            mine = lines.get(number, frozenset())
            lines[number] = None if mine is None or pieces is None else mine | pieces
        return ClockNumbers(lines)

    def _line(self, number: int, line: str) -> str:
        if number not in self.lines:
            return line
        changing = self.lines[number]
        if changing is None:
            return _LEFT_OUT
        return "".join(_LEFT_OUT if at in changing else piece for at, piece in enumerate(_pieces(line)))


def clock_numbers(one: list[str], other: list[str]) -> ClockNumbers | None:
    """What differs between two runs of one program under one policy; None if the number of lines does."""
    if len(one) != len(other):
        return None
    pairs = enumerate(zip(one, other, strict=True))
    return ClockNumbers({at: _changing(*lines) for at, lines in pairs if lines[0] != lines[1]})


def _changing(one: str, other: str) -> frozenset[int] | None:
    """The numbers by which two lines differ; None if they differ otherwise."""
    first, second = _pieces(one), _pieces(other)
    if first[::2] != second[::2]:
        return None
    return frozenset(at for at in range(1, len(first), 2) if first[at] != second[at])
