"""What of a program's output is its result, and whether all policies gave the same."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from lbhm.clock_numbers import ClockNumbers, clock_numbers
from lbhm.errors import Refusal
from lbhm.report import checksum_lines

SHOWN = 5  # of the lines that were left out, and of what a pattern did not match


@dataclass(frozen=True)
class Results:
    """compared: what stands for the result. parts: by policy, the first one is what the others are held against.
    left_out: (line, what was compared of it), lines from 1."""

    compared: str
    parts: dict[str, list[str]]
    left_out: list[tuple[int, str]] = field(default_factory=list)

    def checksum(self, policy: str) -> str:
        """The program's own where that is the result, else a short hash of what was compared."""
        if self.compared == "checksum" and len(self.parts[policy]) == 1:
            return self.parts[policy][0]
        whole = "\n".join(self.parts[policy]).encode(errors="surrogateescape")
        return hashlib.sha256(whole).hexdigest()[:16]

    def differences(self) -> list[dict[str, Any]]:
        """By policy, the first part (from 1) that is not as under the first policy; null where one has no more."""
        reference, *others = self.parts
        return [
            {"policy": policy, **_first_difference(self.parts[reference], self.parts[policy])}
            for policy in others
            if self.parts[policy] != self.parts[reference]
        ]

    def left(self) -> str | None:
        """What is left to compare of whole outputs where that is little: "nothing printed", "nothing" or "words"."""
        kept = "".join(line for part in self.parts.values() for line in part)
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
    """outputs: by policy. again: each runs the first policy with another clock; called in turn while outputs differ."""
    texts = {policy: _text(stdout) for policy, stdout in outputs.items()}
    if pattern:
        return Results("matches", {policy: _matches(pattern, text) for policy, text in texts.items()})
    checksums = {policy: checksum_lines(stdout) for policy, stdout in outputs.items()}
    if all(checksums.values()):
        return Results("checksum", checksums)
    lines = {policy: text.split("\n") for policy, text in texts.items()}
    reference = next(iter(lines.values()))
    if all(printed == reference for printed in lines.values()):
        return Results("output", lines)
    changing = ClockNumbers({})
    kept = lines
    for run in again:
        changing = changing.joined(clock_numbers(reference, _text(run()).split("\n")))
        kept = {policy: changing.without(printed) for policy, printed in lines.items()}
        shown = changing.without(reference)
        if all(part == shown for part in kept.values()):
            break
    if not changing.lines:
        return Results("output", lines)
    return Results("output without clock", kept, [(at + 1, shown[at]) for at in sorted(changing.lines)])


def _text(stdout: bytes) -> str:
    return stdout.decode(errors="surrogateescape")


def _matches(pattern: re.Pattern[str], text: str) -> list[str]:
    """All matches; of each its groups, if there are any."""
    return [" ".join(part or "" for part in match.groups() or [match[0]]) for match in pattern.finditer(text)]


def _first_difference(expected: list[str], found: list[str]) -> dict[str, Any]:
    longest = max(len(expected), len(found))
    pairs = ((expected[at : at + 1], found[at : at + 1]) for at in range(longest))
    at, (one, other) = next((at, pair) for at, pair in enumerate(pairs) if pair[0] != pair[1])
    return {"part": at + 1, "expected": one[0] if one else None, "found": other[0] if other else None}
