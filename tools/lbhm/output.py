"""Where the command writes: results to stdout, everything on the way to stderr, JSON to files at one stroke."""

from __future__ import annotations

import json
import os
import sys
import tempfile
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

PLAIN_WIDTH = 100  # of tables that do not go to a terminal


def console(stderr: bool = False) -> Console:
    stream = sys.stderr if stderr else sys.stdout
    width = None if stream.isatty() or "COLUMNS" in os.environ else PLAIN_WIDTH
    return Console(file=stream, width=width, highlight=False)


def say(sentence: str) -> None:
    """A sentence on the way."""
    console(stderr=True).print(f"[dim]lbhm:[/] {sentence}" if sys.stderr.isatty() else f"lbhm: {sentence}")


def write_json(path: Path | None, value: dict[str, Any], compact: bool = False) -> None:
    """Writes a file whole or not at all. compact: on one line, for what nobody reads."""
    if path is None:
        return
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}-")
    try:
        with os.fdopen(handle, "w") as file:
            separators = (",", ":") if compact else None
            json.dump(value, file, indent=None if compact else 1, separators=separators)
            file.write("\n")
        umask = os.umask(0)
        os.umask(umask)
        os.chmod(name, 0o666 & ~umask)
        os.replace(name, path)
    except BaseException:
        os.unlink(name)
        raise


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


class Steps:
    """What is done at the moment: a line that is replaced on a terminal, nothing elsewhere. A context manager."""

    def __init__(self) -> None:
        self._status = console(stderr=True).status("")

    def __enter__(self) -> Steps:
        if sys.stderr.isatty():
            self._status.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._status.stop()

    def next(self, step: str) -> None:
        self._status.update(step)
