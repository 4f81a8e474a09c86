"""The table words.txt: what LB-HM says when the operating system refuses."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Expected:
    """A line of the table. No words: such calls are never made."""

    rules: tuple[str, ...]
    settings: dict[str, str]
    words: tuple[str, ...]

    def __str__(self) -> str:
        return " ".join([*self.rules, *(f"{name}={value}" for name, value in self.settings.items())])


def expected_words(where: str) -> list[Expected]:
    """The lines for `where`: host or guest."""
    table = []
    for line in Path(__file__).with_name("words.txt").read_text().splitlines():
        if not line or line.startswith("#"):
            continue
        place, rules, settings, words = (column.strip() for column in line.split("|"))
        if place not in (where, "both"):
            continue
        wanted = () if words in ("never called", "nothing is off") else tuple(word.strip() for word in words.split(";"))
        pairs = dict(setting.split("=", 1) for setting in settings.split())
        table.append(Expected(tuple(rules.split()), pairs, wanted))
    return table
