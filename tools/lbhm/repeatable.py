"""What of a program's output depends neither on time nor on the order of threads: told by runs of the reference that
only these tell apart.

Lines of one form (their text, with # in place of numbers) are looked at together, for a number that changes in one of
them is a time in all: a table of a hundred intervals, of which two were longer than a tick, is a table of times."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cached_property

# A number, with its unit if there is one: the next run may print 980 us in place of 1.2 ms. Dots may lead to it
# (elapsed.....0.25), and thousands may be grouped.
_NUMBER = re.compile(
    r"((?:(?<![A-Za-z_.\d])|(?<=\.\.))[-+]?"
    r"(?:0x[0-9a-f]+|\d{1,3}(?:,\d{3})+(?:\.\d*)?(?![\d])|(?:\d+(?::\d\d)*(?:\.(?!\.)\d*)?|\.\d+)(?:[eE][-+]?\d+)?"
    r"|(?:nan|inf)\b)"
    r"(?:\s?(?:[numµkKMGT]?(?:s|i?B|flops?|FLOPS?|Flops?|TEPS|Hz)|sec|secs|seconds?|bytes|min|minutes?|hours?)\b"
    r"(?:/s(?:ec)?\b)?)?)"
)
LEFT_OUT = "#"


class Column(Enum):
    """How a number of lines of one form behaves from run to run of the reference."""

    SAME = "it is the same in each"
    ANY_ORDER = "the same numbers come, in another order"
    CHANGES = "other numbers come"


@dataclass(frozen=True)
class Part:
    """What is compared, a line or several together. line: from 1, where it stands in the output; None: in several."""

    text: str
    line: int | None = None


@dataclass(frozen=True)
class Printed:
    """An output by lines; progress that overwrites itself is as many lines."""

    lines: list[str]

    @classmethod
    def of(cls, output: str) -> Printed:
        return cls(output.replace("\r\n", "\n").replace("\r", "\n").split("\n"))

    @cached_property
    def pieces(self) -> list[list[str]]:
        """Of each line text and numbers in turn, text first; however far columns are apart."""
        return [_NUMBER.split(" ".join(line.split())) for line in self.lines]

    @cached_property
    def forms(self) -> list[str]:
        """Rows of numbers alone have nothing by which to tell two tables apart: each is of a form of its own."""
        forms, rows = [], Counter[str]()
        for pieces in self.pieces:
            form = LEFT_OUT.join(pieces[::2])
            if len(pieces) > 1 and not any(sign.isalpha() for sign in form):
                rows[form] += 1
                form = f"{form} (row {rows[form]})"
            forms.append(form)
        return forms

    @cached_property
    def numbers(self) -> dict[str, list[list[str]]]:
        """Of each form the numbers of its lines."""
        found: dict[str, list[list[str]]] = {}
        for form, pieces in zip(self.forms, self.pieces, strict=True):
            found.setdefault(form, []).append(pieces[1::2])
        return found


class Repeatable:
    """What stays the same in all of these runs of one program under one policy."""

    def __init__(self, reference: Printed, others: Sequence[Printed]) -> None:
        runs = [reference, *others]
        counts = [Counter(run.forms) for run in runs]
        self._known = frozenset().union(*counts)
        self._counted = {form for form in self._known if all(count[form] == counts[0][form] for count in counts)}
        # Racing threads that write into each other's lines make forms that no other run has.
        self._makes_forms = self._counted != self._known
        orders = [[form for form in run.forms if form in self._counted] for run in runs]
        self._in_order = all(order == orders[0] for order in orders)
        self._columns = {form: _columns([run.numbers[form] for run in runs]) for form in self._counted}

    def of(self, printed: Printed) -> list[Part]:
        """What of an output is compared, in an order that does not depend on that of threads."""
        kept = [
            Part(text, at)
            for at, (form, text) in enumerate(zip(printed.forms, self._texts(printed), strict=True), 1)
            if form in self._counted or not (form in self._known or self._makes_forms)
        ]
        if not self._in_order:
            kept.sort(key=lambda part: part.text)
        return kept + self._sorted_numbers(printed)

    def left_out(self, printed: Printed) -> list[tuple[int, str]]:
        """Lines (from 1) that are not compared as they are, and what is compared of them."""
        texts = enumerate(zip(printed.forms, printed.lines, self._texts(printed), strict=True), 1)
        shown = [(at, text if form in self._counted else LEFT_OUT, line) for at, (form, line, text) in texts]
        return [(at, text) for at, text, line in shown if text != line]

    def _texts(self, printed: Printed) -> list[str]:
        """The lines, with # in place of what is left out."""
        return [
            line if all(column is Column.SAME for column in self._of(form)) else _masked(pieces, self._of(form))
            for form, line, pieces in zip(printed.forms, printed.lines, printed.pieces, strict=True)
        ]

    def _of(self, form: str) -> list[Column]:
        return self._columns.get(form, [])

    def _sorted_numbers(self, printed: Printed) -> list[Part]:
        return [
            Part(f"{form}: " + " ".join(sorted(numbers[at] for numbers in lines)))
            for form, lines in sorted(printed.numbers.items())
            for at, column in enumerate(self._of(form))
            if column is Column.ANY_ORDER
        ]


def _columns(runs: list[list[list[str]]]) -> list[Column]:
    """runs: of each the numbers of its lines of one form."""
    return [_column([[numbers[at] for numbers in lines] for lines in runs]) for at in range(len(runs[0][0]))]


def _column(runs: list[list[str]]) -> Column:
    if all(run == runs[0] for run in runs):
        return Column.SAME
    return Column.ANY_ORDER if all(sorted(run) == sorted(runs[0]) for run in runs) else Column.CHANGES


def _masked(pieces: list[str], columns: list[Column]) -> str:
    numbers = [
        number if column is Column.SAME else LEFT_OUT for number, column in zip(pieces[1::2], columns, strict=True)
    ]
    return "".join(text + number for text, number in zip(pieces[::2], [*numbers, ""], strict=True))
