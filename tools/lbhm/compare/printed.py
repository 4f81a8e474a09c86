"""An output by lines and words, and which lines of several runs stand for one another."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cached_property
from itertools import pairwise
from typing import Any

# A number with whatever hangs on it is one word, so is its unit: the next run may print 980 us in place of 1.2 ms.
# Thousands may be grouped; dots that lead to a number, and bars of progress, are words of one repeated sign.
_WORD = re.compile(
    r"\x1b\[[0-9;?]*[ -/]*[@-~]"  # a colour
    r"|(?:(?<![\w.)])[-+])?"
    r"(?:(?<![\d,])\d{1,3}(?:,\d{3})+(?:\.\d+)?(?![\d,])|\d+(?::\d\d)+(?:\.\d+)?"
    r"|(?:\d+(?:\.(?!\.)\d*)?|\.\d+)(?:[eE][-+]?\d+)?|(?i:nan|inf(?:inity)?)\b)"
    r"(?:\w+|\s?(?:[numµkKMGT]?(?:s|i?B|flops?|FLOPS?|Flops?|TEPS|Hz)|sec|secs|seconds?|bytes|min|minutes?|hours?)\b"
    r"(?:/s(?:ec)?\b)?)?"
    r"|\w+|([^\w\s])\1*"
)
LEFT_OUT = "#"
Key = tuple[int, str]  # section, form
_MOST = 10**7  # pairs of words; longer lines of different forms are one word


@dataclass(frozen=True)
class Line:
    text: str  # however far columns are apart

    @cached_property
    def spans(self) -> list[tuple[int, int]]:
        return [word.span() for word in _WORD.finditer(self.text)]

    @cached_property
    def words(self) -> list[str]:
        return [self.text[begin:end] for begin, end in self.spans]

    @cached_property
    def classes(self) -> list[str]:
        """The words, but all numbers alike, and bars of any length."""
        return [_class_of(word) for word in self.words]

    @cached_property
    def form(self) -> str:
        return " ".join(self.classes)

    def masked(self, places: set[int]) -> str:
        """With # in place of these words, and of what stands behind the last."""
        shown, end = [], 0
        for at, (first, last) in enumerate(self.spans):
            shown += [self.text[end:first], LEFT_OUT if at in places else self.text[first:last]]
            end = last
        return "".join([*shown, self.text[end:], f" {LEFT_OUT}" if len(self.spans) in places else ""])

    def beside(self, other: Line) -> list[str]:
        """What another line has in the places of this one's words, and behind the last."""
        if other.form == self.form:
            return [*other.words, ""]
        found = [""] * (len(self.words) + 1)
        if len(self.words) * len(other.words) > _MOST:
            return [other.text, *found[1:]]
        match = SequenceMatcher(None, self.classes, other.classes, autojunk=False)
        for _, a, b, c, d in match.get_opcodes():
            if b - a == d - c:
                for at, word in enumerate(other.words[c:d], a):
                    found[at] += word
            else:
                found[a] += " ".join(other.words[c:d])
        return found


def _class_of(word: str) -> str:
    return (
        LEFT_OUT if re.search(r"\d|^[-+]?(?i:nan|inf(?:inity)?)$", word) else word[0] if not word[0].isalnum() else word
    )


@dataclass(frozen=True)
class Row:
    """Lines that stand for one another, one of each run. kind: what rows of one table have in common."""

    kind: Hashable
    at: tuple[int, ...]  # from 0


class Printed:
    """An output. Progress that overwrites itself is as many lines."""

    def __init__(self, lines: Sequence[str]) -> None:
        self.lines = [Line(" ".join(line.split())) for line in lines]

    @classmethod
    def of(cls, output: str) -> Printed:
        return cls(output.replace("\r\n", "\n").replace("\r", "\n").split("\n"))

    @property
    def forms(self) -> list[str]:
        return [line.form for line in self.lines]


class Aligned:
    """Runs side by side. An output is divided at headings, lines whose form comes once in every run; between two of
    them, the n-th lines of one form stand for one another. So do the n-th of all others, where each run has as many."""

    def __init__(self, runs: Sequence[Printed]) -> None:
        self._runs = runs
        headings = _headings([run.forms for run in runs])
        self.keys = [list(_keys(run.forms, headings)) for run in runs]
        counts = [Counter(keys) for keys in self.keys]
        self._counted = {key for key in counts[0] if all(count[key] == counts[0][key] for count in counts)}
        self.rows = list(self._rows())
        paired = [{row.at[run] for row in self.rows} for run in range(len(runs))]
        # Of each run the lines that have no counterpart in all others.
        self.loose = [
            [at for at in range(len(run.lines)) if at not in own] for run, own in zip(runs, paired, strict=True)
        ]

    def _rows(self) -> Iterator[Row]:
        for key, lines in self._in_all(lambda key: key if key in self._counted else None):
            letters = any(sign.isalpha() for sign in key[1])
            for at in lines:
                # Rows of numbers alone have nothing by which to tell two tables apart.
                yield Row(key if letters else (*key, at[0]), at)
        for _, lines in self._in_all(lambda key: None if key in self._counted else key[0]):
            for at in lines:
                yield Row(at, at)

    def _in_all(self, group_of: Callable[[Key], Hashable]) -> Iterator[tuple[Any, list[tuple[int, ...]]]]:
        """Groups that have as many lines in every run, and these lines side by side; None is no group."""
        groups = [defaultdict(list) for _ in self._runs]
        for own, keys in zip(groups, self.keys, strict=True):
            for at, key in enumerate(keys):
                if (group := group_of(key)) is not None:
                    own[group].append(at)
        for group, lines in groups[0].items():
            if all(len(own[group]) == len(lines) for own in groups):
                yield group, list(zip(*(own[group] for own in groups), strict=True))

    def order(self, run: int) -> list[int]:
        """The lines whose forms come as often in every run."""
        return [at for at, key in enumerate(self.keys[run]) if key in self._counted]


def _keys(forms: Sequence[str], headings: set[str]) -> Iterator[Key]:
    section = 0
    for form in forms:
        section += form in headings
        yield section, form


def _headings(forms: Sequence[Sequence[str]]) -> set[str]:
    """Lines of threads that race come before and after such in some order, which is none of a heading's."""
    counts = [Counter(of) for of in forms]
    once = {form for form in counts[0] if all(count[form] == 1 for count in counts)}
    orders = [[form for form in of if form in once] for of in forms]
    rank = {form: at for at, form in enumerate(orders[0])}
    borders = set(range(len(rank) + 1))
    for order in orders:
        last, own = -1, {0}
        for at, form in enumerate(order, 1):
            last = max(last, rank[form])
            if last == at - 1:
                own.add(at)
        borders &= own
    return {orders[0][one] for one, other in pairwise(sorted(borders)) if other == one + 1}
