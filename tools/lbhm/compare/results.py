"""What of a program's output is its result, and whether all policies gave the same."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Sequence
from typing import Any

from lbhm.base.errors import Refusal
from lbhm.compare.printed import LEFT_OUT, Printed
from lbhm.compare.repeatable import Repeatable
from lbhm.files.report import checksum_lines

SHOWN = 5  # of the lines that were left out, and of what a pattern did not match


class Results:
    """What policies printed, of each one output a run; the first policy is what the others are held against."""

    def __init__(self, outputs: dict[str, list[bytes]], pattern: re.Pattern[str] | None) -> None:
        every = [stdout for own in outputs.values() for stdout in own]
        self._compared, self._printed = _what_is_compared(every, pattern)
        self._runs = {policy: [self._printed(stdout) for stdout in own] for policy, own in outputs.items()}
        self._hold()

    def _hold(self) -> None:
        self.reference, *others = self._runs
        self._held = {policy: Repeatable(self._runs[self.reference], self._runs[policy]) for policy in others}

    def ask_again(self, run: Callable[[list[str], int], dict[str, bytes]], times: int) -> None:
        """While results differ, the reference and who differs run again. run: what policies print the n-th time, with
        another clock each; without those that cannot be run alone."""
        for number in range(times):
            differing = [policy for policy, held in self._held.items() if held.differences]
            if not differing:
                return
            for policy, stdout in run([self.reference, *differing], number).items():
                self._runs[policy].append(self._printed(stdout))
            self._hold()

    def checksum(self, policy: str) -> str:
        """The program's own where that is the result, else a short hash of what was compared."""
        lines = self._runs[policy][0].lines
        if self._compared == "checksum" and len(lines) == 1:
            return lines[0].text
        others = self._held[policy].differences if policy in self._held else []
        whole = "\n".join([*self._kept(), *(f"{other.line} {other.found}" for other in others)])
        return hashlib.sha256(whole.encode(errors="surrogateescape")).hexdigest()[:16]

    def differences(self) -> list[dict[str, Any]]:
        """By policy, the first place that is not as under the first policy; null where one has no more."""
        return [
            {
                "policy": policy,
                "part": held.differences[0].line or 1,
                **vars(held.differences[0]),
                "repeated": True if len(self._runs[policy]) > 1 else None,
            }
            for policy, held in self._held.items()
            if held.differences
        ]

    def left_out(self) -> list[tuple[int, str]]:
        """Lines of the reference (from 1) that are not compared as they are, and what is compared of them."""
        lines = self._runs[self.reference][0].lines
        places: dict[int, set[int] | None] = {}
        for held in self._held.values():
            for at, words in held.left_out.items():
                known = places.get(at, set())
                places[at] = None if words is None or known is None else words | known
        return [
            (at + 1, LEFT_OUT if words is None else lines[at].masked(words)) for at, words in sorted(places.items())
        ]

    def _kept(self) -> list[str]:
        lines = {at: line.text for at, line in enumerate(self._runs[self.reference][0].lines, 1)}
        return list((lines | dict(self.left_out())).values())

    def left(self) -> str | None:
        """What is left to compare of whole outputs where that is little: "nothing printed", "nothing" or "words"; or
        "rounded": numbers but for their last digits."""
        kept = "".join(self._kept())
        if self._compared != "output":
            return None
        if not self.left_out():
            return None if kept.strip() else "nothing printed"
        if any(held.rounded for held in self._held.values()):
            return "rounded"
        if any(sign.isdigit() for sign in kept):
            return None
        return "words" if any(sign.isalpha() for sign in kept) else "nothing"

    def json(self) -> dict[str, Any]:
        left_out = self.left_out()
        without = " without clock" if left_out and self._compared == "output" else ""
        return {
            "compared": f"{self._compared}{without}",
            "left": self.left(),
            "left_out": [{"line": line, "text": text} for line, text in left_out],
            "reference": self.reference,
            "reference_runs": len(self._runs[self.reference]),
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


def _what_is_compared(
    outputs: Sequence[bytes], pattern: re.Pattern[str] | None
) -> tuple[str, Callable[[bytes], Printed]]:
    """Its name, and what takes it from an output."""
    if pattern:
        return "matches", lambda stdout: Printed(_matches(pattern, _text(stdout)))
    if all(checksum_lines(stdout) for stdout in outputs):
        return "checksum", lambda stdout: Printed(checksum_lines(stdout))
    return "output", lambda stdout: Printed.of(_text(stdout))


def _text(stdout: bytes) -> str:
    return stdout.decode(errors="surrogateescape")


def _matches(pattern: re.Pattern[str], text: str) -> list[str]:
    """All matches; of each its groups, if there are any."""
    return [" ".join(part or "" for part in match.groups() or [match[0]]) for match in pattern.finditer(text)]
