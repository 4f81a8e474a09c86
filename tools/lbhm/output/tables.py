"""The one look of all tables that a person reads with pleasure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich import box
from rich.console import Console, ConsoleOptions, RenderResult
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

from lbhm.base.text import printable, shortened

NOTHING = "–"
_LEAST = 16  # characters that tell names apart: a column with room for fewer breaks lines


def plain_table(*columns: str, right: Sequence[str] = (), whole: Sequence[str] = ()) -> Table:
    """The one look of all tables: a rule under the headings, no frame. right: of numbers. whole: of texts that no line
    break divides."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1))
    for column in columns:
        table.add_column(column, justify="right" if column in right else "left", no_wrap=column in (*right, *whole))
    return table


def or_nothing(value: float | None, show: Any) -> str:
    return NOTHING if value is None else show(value)


def _is_whole(console: Console) -> bool:
    """A table in a file or a pipe is as wide as it needs to be (output.OneLineConsole)."""
    return getattr(console, "wide", False)


class CutName:
    """A long name in a column: cut once, in its middle, to what the column has room for. widest: characters that it
    takes where there is room."""

    def __init__(self, name: str, widest: int) -> None:
        self._name, self._widest = printable(name), widest

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        if _is_whole(console):
            return Measurement(len(self._name), len(self._name))
        length = min(len(self._name), self._widest)
        return Measurement(min(length, _LEAST), length)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        if _is_whole(console):
            yield Text(self._name, no_wrap=True, overflow="ignore")
            return
        room = max(options.max_width, _LEAST)
        yield Text(shortened(self._name, min(self._widest, room)), overflow="fold")
