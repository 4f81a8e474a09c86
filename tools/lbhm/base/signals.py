"""Being told to stop ends the command as an exception, so that whatever is open is closed on the way out."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import NoReturn


class Stopped(BaseException):
    """Ctrl-C, SIGTERM or SIGHUP. No subclass of KeyboardInterrupt, which typer and subprocess treat in their ways."""

    def __init__(self, number: int = signal.SIGINT) -> None:
        super().__init__(number)
        self.status = 128 + number  # as a shell tells it: 130 after Ctrl-C, 143 after SIGTERM


STOPPING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def stop_as_exception() -> None:
    for number in STOPPING:
        signal.signal(number, _stop)


class HeldBack:
    """What would stop the command waits from here until release(): for as long as a program is started that nobody
    could end yet. Handlers run in the main thread alone; elsewhere this does nothing."""

    def __init__(self) -> None:
        self._came: list[int] = []
        main = threading.current_thread() is threading.main_thread()
        self._before = {number: signal.signal(number, self._note) for number in STOPPING} if main else {}

    def _note(self, number: int, _frame: FrameType | None) -> None:
        self._came.append(number)

    def release(self) -> None:
        """May raise Stopped."""
        for number, handler in self._before.items():
            signal.signal(number, handler)
        for number in self._came:
            signal.raise_signal(number)


@contextmanager
def left_to_the_program() -> Iterator[None]:
    """What a terminal sends to all in front of it is for the program alone, as a shell has it while it waits."""
    before = {number: signal.signal(number, _ignore) for number in (signal.SIGINT, signal.SIGQUIT)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _ignore(_number: int, _frame: FrameType | None) -> None:
    """A handler, for a program would inherit SIG_IGN."""


def _stop(number: int, _frame: FrameType | None) -> NoReturn:
    raise Stopped(number)
