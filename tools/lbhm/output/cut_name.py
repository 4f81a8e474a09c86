"""A long name in a column of a table: cut once, in its middle, to what the column has room for."""

from __future__ import annotations

from rich.console import Console, ConsoleOptions, RenderResult
from rich.measure import Measurement
from rich.text import Text

from lbhm.base.text import printable, shortened

_LEAST = 16  # characters that tell names apart: a column with room for fewer breaks lines


def _is_whole(console: Console) -> bool:
    """A table in a file or a pipe is as wide as it needs to be (output.OneLineConsole)."""
    return getattr(console, "wide", False)


class CutName:
    """widest: characters that it takes where there is room."""

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
