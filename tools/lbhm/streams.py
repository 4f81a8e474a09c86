"""The standard output and error of the command: what cannot be written to them is an end of its own kind.

Status 1 means that results differ, and Python's own answers to a full disk or a pipe without a reader are 1 and 120."""

from __future__ import annotations

import codecs
import errno
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TextIO

UNWRITTEN = 74  # EX_IOERR of the BSDs
NOBODY_READS = 128 + signal.SIGPIPE
# What tables and progress are drawn with, where the terminal has ASCII alone.
_ASCII = str.maketrans(
    {"─": "-", "━": "-", "│": "|", "×": "x", "µ": "u", "…": "...", "→": "->", "█": "#", "▏": "|", "•": "*", "²": "2"}
)


class Unwritable(Exception):
    """The standard output could not be written to. Not an OSError, which typer would turn into status 1."""

    def __init__(self, error: OSError) -> None:
        super().__init__(error)
        self.status = NOBODY_READS if error.errno == errno.EPIPE else UNWRITTEN
        self.sentence = (
            f"the standard output cannot be written to ({error.strerror}), so the result is incomplete; make room, or "
            "name a file with --json"
        )


class _Output:
    """A stream whose failures are Unwritable."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        try:
            return self._stream.write(text)
        except OSError as error:
            raise Unwritable(error) from None

    def writelines(self, lines: Any) -> None:
        for line in lines:
            self.write(line)

    def flush(self) -> None:
        try:
            self._stream.flush()
        except OSError as error:
            raise Unwritable(error) from None

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def _in_ascii(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    text = error.object[error.start : error.end].translate(_ASCII)
    return text.encode("ascii", "backslashreplace").decode(), error.end


def written(command: Callable[[], int | str | None]) -> int | str | None:
    """The command's exit status, or that of an output which cannot be written."""
    try:
        _prepare()
        status = command()
        if sys.stdout is not None:
            sys.stdout.flush()  # Python would say what is wrong in its own way, with status 120
    except Unwritable as unwritable:
        return _give_up(unwritable)
    return status


def _prepare() -> None:
    """Before anything is written. Raises Unwritable when there is no standard output."""
    codecs.register_error("lbhm-ascii", _in_ascii)
    if sys.stderr is None:  # closed: sentences go nowhere
        sys.stderr = Path(os.devnull).open("w")  # noqa: SIM115
    if sys.stdout is None:
        raise Unwritable(OSError(errno.EBADF, "it is closed"))
    for stream in (sys.stdout, sys.stderr):
        # Names of files with bytes that are no text stay as they are.
        stream.reconfigure(errors="surrogateescape" if stream.encoding.lower().startswith("utf") else "lbhm-ascii")
    sys.stdout = _Output(sys.stdout)


def _give_up(unwritable: Unwritable) -> int:
    """Says why unless nobody reads, and lets nothing more be tried. Returns the exit status."""
    if unwritable.status != NOBODY_READS:
        sys.stderr.write(f"lbhm: {unwritable.sentence}\n")
    sys.stdout = None
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    except OSError:
        os._exit(unwritable.status)  # what waits in the stream cannot be written anywhere
    return unwritable.status
