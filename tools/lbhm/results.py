"""What of a program's output is its result, and whether all policies gave the same."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import Any

from lbhm.errors import Refusal
from lbhm.repeatable import Part, Printed, Repeatable
from lbhm.report import checksum_lines

SHOWN = 5  # of the lines that were left out, and of what a pattern did not match


@dataclass(frozen=True)
class Results:
    """compared: what stands for the result. parts: by policy, the first one is what the others are held against.
    of: what is compared of an output. left_out: (line, what was compared of it), lines from 1. runs: of the reference,
    whose results are the same. repeated: by policy that differs, whether a second run of it printed the same again."""

    compared: str
    parts: dict[str, list[Part]]
    of: Callable[[bytes], list[Part]]
    left_out: list[tuple[int, str]] = field(default_factory=list)
    runs: int = 1
    repeated: dict[str, bool] = field(default_factory=dict)

    def texts(self, policy: str) -> list[str]:
        return [part.text for part in self.parts[policy]]

    def checksum(self, policy: str) -> str:
        """The program's own where that is the result, else a short hash of what was compared."""
        if self.compared == "checksum" and len(self.parts[policy]) == 1:
            return self.parts[policy][0].text
        whole = "\n".join(self.texts(policy)).encode(errors="surrogateescape")
        return hashlib.sha256(whole).hexdigest()[:16]

    def differences(self) -> list[dict[str, Any]]:
        """By policy, the first part (from 1) that is not as under the first policy; null where one has no more."""
        reference, *others = self.parts
        return [
            {
                "policy": policy,
                **_first_difference(self.parts[reference], self.parts[policy]),
                "repeated": self.repeated.get(policy),
            }
            for policy in others
            if self.texts(policy) != self.texts(reference)
        ]

    def ask_twice(self, run: Callable[[str], bytes | None]) -> None:
        """run: what a policy that differs prints in a second run; None where it cannot be run alone."""
        for policy in [difference["policy"] for difference in self.differences()]:
            if (stdout := run(policy)) is not None:
                self.repeated[policy] = [part.text for part in self.of(stdout)] == self.texts(policy)

    def left(self) -> str | None:
        """What is left to compare of whole outputs where that is little: "nothing printed", "nothing" or "words"."""
        kept = "".join(part.text for parts in self.parts.values() for part in parts)
        if self.compared == "output":
            return None if kept.strip() else "nothing printed"
        if self.compared != "output without clock" or any(sign.isdigit() for sign in kept):
            return None
        return "words" if any(sign.isalpha() for sign in kept) else "nothing"

    def json(self) -> dict[str, Any]:
        return {
            "compared": self.compared,
            "left": self.left(),
            "left_out": [{"line": line, "text": text} for line, text in self.left_out],
            "reference": next(iter(self.parts)),
            "reference_runs": self.runs,
            "differences": self.differences(),
        }


def pattern_of(text: str | None) -> re.Pattern[str] | None:
    """--result. Raises Refusal when it is no regular expression."""
    try:
        return re.compile(text, re.MULTILINE) if text is not None else None
    except re.error as error:
        raise Refusal(
            f"--result '{text}': it is no regular expression of Python ({error}); a sign that means itself "
            "has \\ before it"
        ) from None


def check_matches(pattern: re.Pattern[str], stdout: bytes, program: str, policy: str) -> None:
    """Raises Refusal when nothing of the output is the result."""
    if not _matches(pattern, _text(stdout)):
        lines = _text(stdout).splitlines()
        printed = "what it printed begins:" if lines else "it printed nothing"
        raise Refusal(
            f"--result '{pattern.pattern}': nothing that {program} printed on its standard output under {policy} "
            f"matches; correct it, or leave it out; {printed}",
            words=lines[:SHOWN],
        )


def results(
    outputs: dict[str, bytes], pattern: re.Pattern[str] | None, again: Sequence[Callable[[], bytes]]
) -> Results:
    """outputs: by policy. again: each runs the first policy with another clock; called in turn while results differ."""
    compared, printed = _what_is_compared(outputs, pattern)
    reference = printed(next(iter(outputs.values())))
    found = _results(compared, outputs, lambda stdout: _plain(printed(stdout)))
    others: list[Printed] = []
    for run in again:
        if not found.differences():
            break
        others.append(printed(run()))
        same = Repeatable(reference, others)
        left_out = same.left_out(reference)
        kind = f"{compared} without clock" if left_out and compared == "output" else compared
        found = _results(kind, outputs, lambda stdout, same=same: same.of(printed(stdout)), left_out, 1 + len(others))
    return found


def _results(
    compared: str,
    outputs: dict[str, bytes],
    of: Callable[[bytes], list[Part]],
    left_out: Sequence[tuple[int, str]] = (),
    runs: int = 1,
) -> Results:
    return Results(compared, {policy: of(stdout) for policy, stdout in outputs.items()}, of, list(left_out), runs)


def _what_is_compared(
    outputs: dict[str, bytes], pattern: re.Pattern[str] | None
) -> tuple[str, Callable[[bytes], Printed]]:
    """Its name, and what takes it from an output."""
    if pattern:
        return "matches", lambda stdout: Printed(_matches(pattern, _text(stdout)))
    if all(checksum_lines(stdout) for stdout in outputs.values()):
        return "checksum", lambda stdout: Printed(checksum_lines(stdout))
    return "output", lambda stdout: Printed.of(_text(stdout))


def _plain(printed: Printed) -> list[Part]:
    return [Part(line, at) for at, line in enumerate(printed.lines, 1)]


def _text(stdout: bytes) -> str:
    return stdout.decode(errors="surrogateescape")


def _matches(pattern: re.Pattern[str], text: str) -> list[str]:
    """All matches; of each its groups, if there are any."""
    return [" ".join(part or "" for part in match.groups() or [match[0]]) for match in pattern.finditer(text)]


def _first_difference(expected: list[Part], found: list[Part]) -> dict[str, Any]:
    pairs = zip_longest(expected, found)
    at, (one, other) = next(
        (at, (one, other)) for at, (one, other) in enumerate(pairs, 1) if not one or not other or one.text != other.text
    )
    shown = one or other
    return {
        "part": at,
        "line": shown.line,
        "expected": one.text if one else None,
        "found": other.text if other else None,
    }
