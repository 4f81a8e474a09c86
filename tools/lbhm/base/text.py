"""What others wrote, in one line of a terminal; as runtime/base/printable.h has it."""

from __future__ import annotations

import re

_SHORT = {"\n": "\\n", "\t": "\\t", "\r": "\\r"}
# Control characters, line breaks and turns of direction, and what stands for bytes that are no UTF-8.
_CONTROLS = re.compile("[\x00-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


def _escape(match: re.Match[str]) -> str:
    character = match[0]
    code = ord(character)
    if 0xDC80 <= code <= 0xDCFF:  # a byte of a file's name (PEP 383)
        return f"\\x{code - 0xDC00:02x}"
    return _SHORT.get(character) or (f"\\x{code:02x}" if code <= 0xFF else f"\\u{code:04x}")


def shortened(name: str, width: int) -> str:
    """With its middle left out: names of places differ at both ends."""
    half = (width - 1) // 2
    return name if len(name) <= width else f"{name[: width - 1 - half]}…{name[-half:]}"


def printable(text: str) -> str:
    """Escapes in place of characters that move the cursor, break the line, or turn the direction of what follows."""
    return _CONTROLS.sub(_escape, text)
