"""Numbers of the command line, each between a least and a most."""

from __future__ import annotations

from collections.abc import Callable

from lbhm.base.errors import Refusal


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
