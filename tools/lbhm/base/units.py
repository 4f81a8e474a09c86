"""Numbers as people write and read them: bytes, shares, times, factors."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

from lbhm.base.errors import Refusal

PAGE = 4096
DEFAULT_SHARE = "25%"  # --fast, where it is not given
_SUFFIXES = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30}
_AMOUNT = re.compile(r"(\d+(?:\.\d+)?)\s*(?:(%)|([KMG]?)(?:i?B)?)", re.IGNORECASE)
# What nobody instrumented is not seen: a library that was built without --emulate.
_SEEN = ", as far as code that was built with --emulate touches it"
_HOW = "give a share of the program's peak footprint (--fast 25%) or bytes (--fast 64M; suffixes K, M and G)"


@dataclass(frozen=True)
class FastMemory:
    """What --fast asks for: a share of the footprint (0 to 1) or a number of bytes; exactly one is set."""

    text: str
    share: float | None = None
    bytes: int | None = None

    def capacity(self, footprint: int) -> int:
        """Bytes in whole pages, given the peak footprint in bytes.

        Raises Refusal when it is less than a page or more than the footprint.
        """
        wanted = self.bytes if self.bytes is not None else int(self.share * footprint)
        capacity = wanted // PAGE * PAGE
        if wanted > footprint:
            raise Refusal(
                f"--fast {self.text}: all of the program fits into that, so there is nothing to choose: its peak "
                f"footprint is {format_bytes(footprint)} ({footprint} bytes{_SEEN}); {_HOW}, at most the footprint"
            )
        if capacity == 0:
            of = f", of a peak footprint of {footprint} bytes{_SEEN}" if self.bytes is None else ""
            raise Refusal(f"--fast {self.text}: that is less than one page of {PAGE} bytes{of}; {_HOW}")
        return capacity


def parse_fast(text: str) -> FastMemory:
    """Reads --fast. Raises Refusal for anything but a share over 0 % and up to 100 %, or bytes over 0."""
    text = text.strip()
    if not (match := _AMOUNT.fullmatch(text)):
        what = "this is neither a share nor a number of bytes"
        if "," in text:
            what = "one amount is taken here (lbhm compare takes several)"
        raise Refusal(f"--fast {text}: {what}; {_HOW}")
    number, percent, suffix = match.groups()
    amount = float(number) / 100 if percent else int(float(number) * _SUFFIXES[suffix.upper()])
    if amount == 0:
        raise Refusal(f"--fast {text}: a fast memory of 0 bytes holds nothing; {_HOW}")
    if percent and amount > 1:
        raise Refusal(f"--fast {text}: that is more than the program's peak footprint (100%); {_HOW}")
    return FastMemory(text, share=amount) if percent else FastMemory(text, bytes=amount)


def parse_capacities(text: str) -> list[FastMemory]:
    """Reads --fast of a comparison: one or several, with commas. Raises Refusal as parse_fast, and for one twice."""
    parts = [parse_fast(part) for part in text.split(",")]
    for place, part in enumerate(parts):
        if any((part.share, part.bytes) == (other.share, other.bytes) for other in parts[:place]):
            raise Refusal(f"--fast {text}: {part.text} is named twice; name each amount once")
    return parts


def _three_digits(value: float) -> str:
    """Three significant digits, never in exponent form."""
    if value == 0:
        return "0"
    digits = max(0, 2 - math.floor(math.log10(abs(value))))
    return f"{value:.{digits}f}"


def _scaled(value: float, steps: list[tuple[float, str]]) -> str:
    """The value in the largest unit of `steps` (size, name; ascending) that it reaches, as rounded to three digits."""
    in_unit = [(float(f"{value / size:.3g}"), name) for size, name in steps]
    number, name = next((found for found in reversed(in_unit) if abs(found[0]) >= 1), in_unit[0])
    return f"{_three_digits(number)} {name}"


def format_bytes(value: float) -> str:
    """1536 -> '1.50 KiB'"""
    if value < 1 << 10:
        return f"{int(value)} B"
    return _scaled(value, [(1 << 10, "KiB"), (1 << 20, "MiB"), (1 << 30, "GiB"), (1 << 40, "TiB")])


def format_time(nanoseconds: float) -> str:
    """8.1e6 -> '8.10 ms'"""
    if nanoseconds == 0:
        return "0"
    return _scaled(nanoseconds, [(1, "ns"), (1e3, "µs"), (1e6, "ms"), (1e9, "s")])


def format_count(value: float) -> str:
    """1234567 -> '1.23 M'"""
    if value < 1000:
        return f"{value:.0f}"
    return _scaled(value, [(1e3, "k"), (1e6, "M"), (1e9, "G"), (1e12, "T")])


def format_factor(value: float) -> str:
    """1.4249 -> '1.42×'"""
    return f"{value:.2f}×"


def format_excess(value: float) -> str:
    """0.0249 -> '+2.5 %'"""
    return f"{100 * value:+.1f} %"


def format_share(value: float) -> str:
    """0.4249 -> '42.5 %'"""
    return f"{100 * value:.1f} %"
