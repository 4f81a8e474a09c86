"""Where the command writes: results to stdout, everything on the way to stderr, JSON to files (result_file.py)."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.measure import Measurement
from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn
from rich.table import Table
from rich.text import Text

from lbhm.base.text import printable
from lbhm.output.result_file import STDOUT, is_on_stdout, scratch_file, write_json, write_text

PLAIN_WIDTH = 100  # of tables that do not go to a terminal and need no more
_UNLIMITED = 100_000
__all__ = ["STDOUT", "scratch_file", "write_json", "write_text"]


class OneLineConsole(Console):
    """Whatever names and sentences of programs, files and reports are in it, a cell or a line is one line.
    A table gets the room that its numbers need, whatever a terminal has. wide: names are whole, too, for what reads
    the table has no margin."""

    def __init__(self, *, wide: bool, **options: Any) -> None:
        super().__init__(**options)
        self.wide = wide

    def render_str(self, text: str, **options: Any) -> Text:
        return super().render_str(printable(text), **options)

    def print(self, *objects: Any, **options: Any) -> None:
        if not objects or not isinstance(objects[0], Table):
            super().print(*objects, **options)
            return
        usual = self.width
        unlimited = self.options.update(max_width=_UNLIMITED)
        for column in objects[0].columns:
            if column.no_wrap:  # a number and its unit are two words, and one without the other says nothing
                widths = [Measurement.get(self, unlimited, cell).maximum for cell in column.cells]
                column.min_width = max([column.min_width or 0, *widths])
        self.width = max(usual, Measurement.get(self, unlimited, objects[0]).minimum)
        super().print(*objects, **options)
        self.width = usual


def console(stderr: bool = False) -> Console:
    stream = sys.stderr if stderr or is_on_stdout() else sys.stdout
    if os.environ.get("COLUMNS", "").strip("0") == "":  # of who does not know the width: rich would print nothing
        os.environ.pop("COLUMNS", None)
    wide = not stream.isatty() and "COLUMNS" not in os.environ
    return OneLineConsole(wide=wide, file=stream, width=PLAIN_WIDTH if wide else None, highlight=False, emoji=False)


def of_programs() -> int | None:
    """Where the standard output of a program goes that is shown: nowhere else (None), but beside a result of ours."""
    return sys.stderr.fileno() if is_on_stdout() else None


def say(sentence: str) -> None:
    """A sentence on the way."""
    shown = escape(sentence)
    console(stderr=True).print(f"[dim]lbhm:[/] {shown}" if sys.stderr.isatty() else f"lbhm: {shown}", soft_wrap=True)


def notes(lines: Iterable[str], cut: bool = False) -> None:
    """What a reader must know of the table above. cut: a terminal breaks long ones between words."""
    shown = console()
    for line in lines:
        shown.print(escape(f" {line}"), style="dim", soft_wrap=not (cut and shown.is_terminal))


_waiting: list[str] = []


def say_with_first_run(sentence: str) -> None:
    """As say, once the program really runs: who is refused before reads of the refusal alone."""
    _waiting.append(sentence)


def program_runs() -> None:
    """Says what waits for that."""
    while _waiting:
        say(_waiting.pop(0))


class RunProgress:
    """A bar on a terminal, a line a policy elsewhere. Used as a context manager."""

    def __init__(self, total: int) -> None:
        self._console = console(stderr=True)
        self._bar = Progress(
            SpinnerColumn(),
            TextColumn("{task.description:<14}"),
            BarColumn(bar_width=32),
            TextColumn("{task.completed:.0f} of {task.total:.0f} policies"),
            TimeElapsedColumn(),
            console=self._console,
            transient=True,
            disable=not self._console.is_terminal,
        )
        self._task = self._bar.add_task("", total=total)

    def __enter__(self) -> RunProgress:
        self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._bar.stop()

    def start(self, policy: str) -> None:
        self._bar.update(self._task, description=policy)

    def done(self, policy: str) -> None:
        self._bar.advance(self._task)
        if not self._console.is_terminal:
            self._console.print(f"lbhm: {policy} done")


@contextmanager
def steps() -> Iterator[Callable[[str], None]]:
    """Gives what is told each step that begins: a line that is replaced on a terminal, nothing elsewhere."""
    with ExitStack() as shown:
        status = console(stderr=True).status("")
        if sys.stderr.isatty():
            shown.enter_context(status)
        yield lambda step: status.update(escape(printable(step)))
