"""JSON that others wrote: from regular files only, up to a size, and never by an exception of Python's own."""

from __future__ import annotations

import errno
import json
import os
import stat
from pathlib import Path
from typing import Any

_LARGEST = 1 << 29
_KINDS = {stat.S_IFDIR: "a folder", stat.S_IFIFO: "a pipe", stat.S_IFSOCK: "a socket"}


def parse_json(text: str | bytes) -> Any:
    """Raises ValueError for what is no JSON (a text that is no UTF-8 among it), or nested too deep."""
    try:
        if isinstance(text, bytes):
            text = text.decode("utf-8-sig")
        return json.loads(text, parse_constant=_no_number)
    except UnicodeDecodeError:
        raise ValueError("it is no text") from None
    except RecursionError:
        raise ValueError("it is nested too deep") from None


def _no_number(word: str) -> None:
    raise ValueError(f"{word} is no number")


def read_bytes(path: Path) -> bytes:
    """Raises OSError, also for what is no regular file: a pipe would be waited for, a device may have no end."""
    _must_be_file(path.stat().st_mode, path)  # before it is opened: to open a device can already do something
    with os.fdopen(os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY), "rb") as file:
        _must_be_file(os.fstat(file.fileno()).st_mode, path)
        content = file.read(_LARGEST + 1)
    if len(content) > _LARGEST:
        raise OSError(errno.EFBIG, f"it is larger than {_LARGEST >> 20} MiB", str(path))
    return content


def read_json(path: Path) -> Any:
    """Raises OSError and ValueError, as the two above."""
    return parse_json(read_bytes(path))


def _must_be_file(mode: int, path: Path) -> None:
    if not stat.S_ISREG(mode):
        kind = _KINDS.get(stat.S_IFMT(mode), "a device")
        raise OSError(errno.EINVAL, f"it is {kind}, not a file", str(path))
