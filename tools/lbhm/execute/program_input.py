"""The standard input of a program that runs several times: every run reads the same."""

from __future__ import annotations

import contextlib
import errno
import os
import select
import stat
import threading
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import BinaryIO

from lbhm.base.errors import Refusal

_STDIN = 0
_CHUNK = 1 << 16
_JOIN_SECONDS = 1  # what a program leaves behind may hold the pipe open
_LOOK_SECONDS = 0.05  # another run's feeder may have read what this one waits for


def is_terminal() -> bool:
    return os.isatty(_STDIN)


class _Pipe:
    """What came out of our standard input so far, for every other run, and for those side by side; the rest is read
    when a run asks for it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept = bytearray()
        self._ended = False
        self.used = False

    @contextlib.contextmanager
    def again(self) -> Iterator[BinaryIO]:
        """A pipe that gives everything from the beginning."""
        self.used = True
        reading, writing = os.pipe()
        stopped, stop = os.pipe()
        feeder = threading.Thread(target=self._feed, args=(writing, stopped), daemon=True)
        feeder.start()
        try:
            with os.fdopen(reading, "rb") as stdin:
                yield stdin
        finally:
            os.close(stop)
            feeder.join(_JOIN_SECONDS)

    def _feed(self, writing: int, stopped: int) -> None:
        at = 0
        with os.fdopen(writing, "wb", buffering=0) as sink, os.fdopen(stopped, "rb"), contextlib.suppress(OSError):
            while (data := self._behind(at, stopped)) is not None:
                _write(sink, data)
                at += len(data)
                if not data:
                    select.select([_STDIN, stopped], [], [], _LOOK_SECONDS)

    def _behind(self, at: int, stopped: int) -> bytes | None:
        """What follows this place, as far as it is there; None at the end, or once the run needs no more."""
        with self._lock:
            if at == len(self._kept):
                ready = [] if self._ended else select.select([_STDIN, stopped], [], [], 0)[0]
                if self._ended or stopped in ready:
                    return None
                if ready:
                    data = os.read(_STDIN, _CHUNK)
                    self._ended = not data
                    self._kept += data
            return bytes(self._kept[at:])


def _write(sink: BinaryIO, data: bytes) -> None:
    left = memoryview(bytes(data))
    while left:
        left = left[sink.write(left) :]


class ProgramInput:
    """Files are read from where they stood at the beginning; terminals are left alone."""

    def __init__(self) -> None:
        self._place: int | None = None
        self._pipe: _Pipe | None = None
        self._one_reader = threading.Lock()
        with contextlib.suppress(OSError):
            mode = os.fstat(_STDIN).st_mode
            if stat.S_ISREG(mode):
                self._place = os.lseek(_STDIN, 0, os.SEEK_CUR)
            elif stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode):
                self._pipe = _Pipe()

    @contextlib.contextmanager
    def again(self, last: bool) -> Iterator[BinaryIO | None]:
        """The standard input of the next run; None: ours. last: no run follows that would have to read the same."""
        if self._place is not None:
            with self._file(last) as stdin:
                yield stdin
        elif self._pipe is None or (last and not self._pipe.used):
            yield None
        else:
            with self._pipe.again() as stdin:
                yield stdin

    @contextlib.contextmanager
    def _file(self, last: bool) -> Iterator[BinaryIO | None]:
        """Runs side by side, which have threads of their own, read from places of their own: the file is opened once
        more. Otherwise it is ours: whoever reads it behind us goes on where the program stopped."""
        own = None
        if not last and threading.current_thread() is not threading.main_thread():
            with contextlib.suppress(OSError):
                own = Path("/proc/self/fd/0").open("rb", buffering=0)  # noqa: SIM115
        if own:
            with own:
                own.seek(self._place)
                yield own
            return
        with self._one_reader:
            os.lseek(_STDIN, self._place, os.SEEK_SET)
            yield None


def read_from(path: Path | None) -> None:
    """This file is the standard input of this command, before anybody asks for it. Raises Refusal."""
    if path is None:
        return
    try:
        if path.is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        handle = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except OSError as error:
        raise Refusal(f"--input {path}: it cannot be read ({error.strerror}); name a file that you may read") from None
    os.dup2(handle, _STDIN)
    os.close(handle)


@cache
def program_input() -> ProgramInput:
    """That of this command."""
    return ProgramInput()
