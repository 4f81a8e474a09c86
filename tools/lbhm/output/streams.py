"""The standard output and error of the command: what cannot be written to them is an end of its own kind. A result
that cannot be written ends the command; a sentence beside it that cannot be said does not, but nothing is well then.

Status 1 means that results differ, and Python's own answers to a full disk or a pipe without a reader are 1 and 120."""

from __future__ import annotations

import codecs
import errno
import fcntl
import os
import select
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TextIO

UNWRITTEN = 74  # EX_IOERR of the BSDs
NOBODY_READS = 128 + signal.SIGPIPE
# What tables and progress are drawn with, where the terminal has ASCII alone.
_ASCII = str.maketrans(
    {"─": "-", "━": "-", "│": "|", "×": "x", "µ": "u", "…": "...", "→": "->", "•": "*", "²": "2", "–": "-", "·": "."}
    | dict(zip("▁▂▃▄▅▆▇█▏░", "__..--##|.", strict=True))
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


class _Stream:
    """A stream whose failures are told to `fails`."""

    def __init__(self, stream: TextIO, fails: Callable[[OSError], None]) -> None:
        self._stream = stream
        self._fails = fails

    def write(self, text: str) -> int:
        try:
            return self._stream.write(text)
        except OSError as error:
            self._fails(error)
            return len(text)

    def writelines(self, lines: Any) -> None:
        for line in lines:
            self.write(line)

    def flush(self) -> None:
        try:
            self._stream.flush()
        except OSError as error:
            self._fails(error)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def _is_unwritable(error: OSError) -> None:
    raise Unwritable(error) from None


def _in_ascii(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    text = error.object[error.start : error.end].translate(_ASCII)
    return text.encode("ascii", "backslashreplace").decode(), error.end


def written(command: Callable[[], int | str | None]) -> int | str | None:
    """The command's exit status, or that of an output which cannot be written."""
    unsaid: list[OSError] = []
    try:
        _prepare(unsaid)
        status = command()
        if sys.stdout is not None:
            sys.stdout.flush()  # Python would say what is wrong in its own way, with status 120
    except Unwritable as unwritable:
        status = _give_up(unwritable)
    sys.stderr.flush()
    if unsaid:
        _write_nowhere(2)
        return status or Unwritable(unsaid[0]).status
    return status


def _prepare(unsaid: list[OSError]) -> None:
    """Before anything is written. Raises Unwritable when there is no standard output. unsaid: why what should stand on
    the standard error does not."""
    codecs.register_error("lbhm-ascii", _in_ascii)
    if sys.stderr is None or _is_read(2):  # closed: sentences go nowhere
        sys.stderr = Path(os.devnull).open("w")  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            # Names of files with bytes that are no text stay as they are.
            stream.reconfigure(errors="surrogateescape" if stream.encoding.lower().startswith("utf") else "lbhm-ascii")
    sys.stderr = _Stream(sys.stderr, unsaid.append)
    if sys.stdout is None:
        raise Unwritable(OSError(errno.EBADF, "it is closed"))
    sys.stdout = _Stream(sys.stdout, _is_unwritable)


def check_reader(status: int) -> None:
    """Raises Unwritable where a program or a build ended because nobody reads the standard output that we share."""
    if status == NOBODY_READS and sys.stdout is not None and _is_left(sys.stdout.fileno()):
        raise Unwritable(OSError(errno.EPIPE, os.strerror(errno.EPIPE)))


def _is_left(descriptor: int) -> bool:
    waiting = select.poll()
    waiting.register(descriptor, 0)
    return any(events & select.POLLERR for _, events in waiting.poll(0))


def _is_read(descriptor: int) -> bool:
    """Shells open the script that they read in place of what was closed."""
    return fcntl.fcntl(descriptor, fcntl.F_GETFL) & os.O_ACCMODE == os.O_RDONLY


def _give_up(unwritable: Unwritable) -> int:
    """Says why unless nobody reads, and lets nothing more be tried. Returns the exit status."""
    if unwritable.status != NOBODY_READS:
        sys.stderr.write(f"lbhm: {unwritable.sentence}\n")
    sys.stdout = None
    try:
        _write_nowhere(1)
    except OSError:
        os._exit(unwritable.status)  # what waits in the stream cannot be written anywhere
    return unwritable.status


def _write_nowhere(descriptor: int) -> None:
    """What waits in the stream can be written at the end of Python then."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), descriptor)
