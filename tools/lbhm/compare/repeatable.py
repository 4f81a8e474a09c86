"""Whether two groups of runs of one program, one of each policy, differ in more than each differs in itself.

A difference is what all runs of the reference have in common, where all runs of the policy have something else in
common: a word in its place, how often a line comes, the order of lines. What changes between runs of one group depends
on time, on the order of threads or on chance. Numbers that change in their last digits alone were rounded in another
order: of these, the first digits are compared."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cached_property

from lbhm.compare.printed import Aligned, Line, Printed, Row

_ROUNDED = 1e-6  # numbers as near to each other as this part of them differ by rounding
_FAR = 1000  # times as far as numbers of one group are apart


class Place(Enum):
    SAME = "all runs agree"
    ROUNDED = "numbers differ by rounding"
    FREE = "runs of one group differ"
    DIFFERS = "the groups differ, and agree in themselves"


@dataclass(frozen=True)
class Difference:
    """line: from 1, where it stands in the output of the reference, or of the policy if only that has it; None: in
    several. expected, found: null where there is none."""

    line: int | None
    expected: str | None
    found: str | None


class Repeatable:
    """What is the same in all runs of a group, of two groups."""

    def __init__(self, reference: Sequence[Printed], policy: Sequence[Printed]) -> None:
        self._runs = [*reference, *policy]
        self._own = len(reference)
        self._aligned = Aligned(self._runs)
        self._places = [(row, self._judged(row)) for row in self._aligned.rows]
        self._forgive_tables()

    @cached_property
    def differences(self) -> list[Difference]:
        found = [*self._words(), *self._any_order(), *self._order(), *self._how_often()]
        return sorted(found, key=lambda one: math.inf if one.line is None else one.line)

    @property
    def rounded(self) -> bool:
        """Whether numbers are compared but for their last digits."""
        return any(Place.ROUNDED in places for _, places in self._places)

    @cached_property
    def left_out(self) -> dict[int, set[int] | None]:
        """Words of lines of the first run that are not compared, both from 0; None: the line."""
        words = {row.at[0]: _left_out(places) for row, places in self._places}
        return {at: own for at, own in words.items() if own} | dict.fromkeys(self._aligned.loose[0])

    def _judge(self, values: Sequence[Hashable]) -> Place:
        return _judge(values[: self._own], values[self._own :])

    def _lines_of(self, row: Row) -> list[Line]:
        return [run.lines[at] for run, at in zip(self._runs, row.at, strict=True)]

    def _judged(self, row: Row) -> list[Place]:
        """By word of the first run's line, and what stands behind it."""
        first, *others = self._lines_of(row)
        if all(line.text == first.text for line in others):
            return [Place.SAME] * (len(first.words) + 1)
        beside = [first.beside(line) for line in (first, *others)]
        return [self._judge(values) for values in zip(*beside, strict=True)]

    def _tables(self) -> Iterator[list[tuple[Row, list[Place]]]]:
        tables = defaultdict(list)
        for row, places in self._places:
            tables[row.kind].append((row, places))
        yield from tables.values()

    def _forgive_tables(self) -> None:
        """A column that mostly changes is one of times, though some of them may look alike in each group."""
        for table in self._tables():
            for column in range(len(table[0][1])):
                free = sum(places[column] is Place.FREE for _, places in table)
                for _, places in table:
                    if places[column] is Place.DIFFERS and 2 * free >= len(table):
                        places[column] = Place.FREE

    def _words(self) -> Iterator[Difference]:
        for row, places in self._places:
            if Place.DIFFERS in places:
                lines = self._lines_of(row)
                one, other, left_out = lines[0], lines[self._own], _left_out(places)
                found = other.masked(left_out) if one.form == other.form else other.text
                yield Difference(row.at[0] + 1, one.masked(left_out), found)

    def _any_order(self) -> Iterator[Difference]:
        """Lines of one form come in any order, but with the same numbers in all."""
        for table in self._tables():
            for column, places in enumerate(zip(*(places for _, places in table), strict=True)):
                if Place.FREE in places and len(table) > 1:
                    yield from self._sorted_differ([self._lines_of(row) for row, _ in table], column)

    def _sorted_differ(self, rows: list[list[Line]], column: int) -> Iterator[Difference]:
        columns = [[line.beside(line)[column] for line in lines] for lines in zip(*rows, strict=True)]
        in_any_order = any(one != columns[0] for one in columns[1 : self._own])
        values = [" ".join(sorted(one)) for one in columns]
        if in_any_order and self._judge(values) is Place.DIFFERS:
            form = rows[0][0].form
            yield Difference(None, f"{form}: {values[0]}", f"{form}: {values[self._own]}")

    def _order(self) -> Iterator[Difference]:
        orders = [self._aligned.order(run) for run in range(len(self._runs))]
        forms = [tuple(keys[at] for at in order) for keys, order in zip(self._aligned.keys, orders, strict=True)]
        if self._judge(forms) is Place.DIFFERS:
            first, other = forms[0], forms[self._own]
            at = next(at for at in range(len(first)) if first[at] != other[at])
            line, found = orders[0][at], orders[self._own][at]
            yield Difference(line + 1, self._runs[0].lines[line].text, self._runs[self._own].lines[found].text)

    def _how_often(self) -> Iterator[Difference]:
        """Lines that come oftener under one policy. Where threads write into each other's lines, new ones may come."""
        loose = [
            Counter(keys[at] for at in lines)
            for keys, lines in zip(self._aligned.keys, self._aligned.loose, strict=True)
        ]
        judged = {key: self._judge([count[key] for count in loose]) for key in frozenset().union(*loose)}
        for key, place in judged.items():
            if place is Place.DIFFERS and (loose[0][key] or Place.FREE not in judged.values()):
                more = 0 if loose[0][key] > loose[self._own][key] else self._own
                line = [at for at in self._aligned.loose[more] if self._aligned.keys[more][at] == key][-1]
                text = self._runs[more].lines[line].text
                yield Difference(line + 1, None if more else text, text if more else None)


def _left_out(places: Sequence[Place]) -> set[int]:
    return {at for at, place in enumerate(places) if place in (Place.FREE, Place.ROUNDED)}


def _judge(reference: Sequence[Hashable], policy: Sequence[Hashable]) -> Place:
    one, other = set(reference), set(policy)
    if one == other and len(one) == 1:
        return Place.SAME
    if len(one) == len(other) == 1:
        return Place.DIFFERS
    if all(map(_is_nan, other)) and not any(map(_is_nan, one)):
        return Place.DIFFERS
    numbers = [_numbers(one), _numbers(other)]
    if not all(numbers):
        return Place.FREE
    (low, high), (lower, higher) = ((min(own), max(own)) for own in numbers)
    apart = max(high - low, higher - lower)
    if apart > _ROUNDED * max(map(abs, (low, high, lower, higher))):
        return Place.FREE
    return Place.DIFFERS if max(low - higher, lower - high) > _FAR * apart else Place.ROUNDED


def _is_nan(word: Hashable) -> bool:
    return str(word).lstrip("+-").lower() == "nan"


def _numbers(words: set[Hashable]) -> list[float]:
    """Empty when one of them is none."""
    try:
        numbers = [float(str(word).replace(",", "")) for word in words]
    except ValueError:
        return []
    return numbers if all(map(math.isfinite, numbers)) else []
