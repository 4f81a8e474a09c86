"""Being told to stop ends the command as an exception, so that whatever is open is closed on the way out."""

from __future__ import annotations

import signal
from types import FrameType
from typing import NoReturn


class Stopped(BaseException):
    """Ctrl-C, SIGTERM or SIGHUP. No subclass of KeyboardInterrupt, which typer and subprocess treat in their ways."""

    status = 130  # of a shell's command after Ctrl-C


def stop_as_exception() -> None:
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, _stop)


def _stop(_number: int, _frame: FrameType | None) -> NoReturn:
    raise Stopped
