"""Where results go: to files at one stroke, or as they are to the standard output, devices and pipes."""

from __future__ import annotations

import contextlib
import errno
import json
import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from shlex import quote
from typing import Any

from lbhm.base.errors import Refusal
from lbhm.output.streams import UNWRITTEN

STDOUT = ("-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1")
_on_stdout = False


def is_on_stdout() -> bool:
    """Whether a result is there, or will be, so that what people and programs say goes to the standard error."""
    return _on_stdout


def take_stdout(path: Path) -> None:
    """From now on the standard output is of this result, if it goes there."""
    global _on_stdout
    _on_stdout = _on_stdout or str(path) in STDOUT


def write_json(path: Path | None, value: dict[str, Any], compact: bool = False) -> None:
    """Writes a file whole or not at all; "-" is the standard output, and devices and pipes are written to as they are.

    compact: on one line, for what nobody reads. Raises Refusal when it cannot be written.
    """
    if path is None:
        return
    form = {"separators": (",", ":")} if compact else {"indent": 1}
    write_text(path, json.dumps(value, **form) + "\n")


def write_text(path: Path, text: str) -> None:
    """As write_json, of a text."""
    try:
        if str(path) in STDOUT:
            _write_to_stdout(text)
        elif path.exists() and not path.is_file():
            # Without a reader a pipe is an error at once, with one it is waited for.
            with os.fdopen(os.open(path, os.O_WRONLY | os.O_NONBLOCK | os.O_CLOEXEC), "w") as file:
                os.set_blocking(file.fileno(), True)
                file.write(text)
        else:
            _replace(path.resolve(), text)
    except OSError as error:
        why = "nobody reads this pipe" if error.errno == errno.ENXIO else error.strerror
        raise Refusal(
            f"{path}: the result cannot be written ({why}); make room, or name a file in a folder of yours", UNWRITTEN
        ) from None


@contextlib.contextmanager
def scratch_file(name: str) -> Iterator[Path]:
    """A file of this name that nobody else has; it goes, and whatever is beside it."""
    with tempfile.TemporaryDirectory(prefix="lbhm-") as folder:
        yield Path(folder) / name


def check_target(path: Path, option: str) -> None:
    """Raises Refusal when a result could not be written to `path`; better now than after the runs."""
    if str(path) in STDOUT:
        return
    try:
        folder = (path.resolve() if path.is_symlink() else path).parent
        there, is_folder = path.exists(), path.is_dir()
    except (OSError, RuntimeError, ValueError) as error:  # a name that is too long, links in a circle, a zero byte
        why = getattr(error, "strerror", None) or "no file can have this name"
        raise Refusal(f"{option} {path}: it cannot be written ({why}); name a file in a folder of yours") from None
    if not folder.is_dir():
        raise Refusal(f"{option} {path}: the folder {folder} does not exist; create it: mkdir -p {quote(str(folder))}")
    if is_folder or not os.access(path if there else folder, os.W_OK):
        raise Refusal(f"{option} {path}: it cannot be written; name a file in a folder of yours")


def _write_to_stdout(text: str) -> None:
    take_stdout(Path(STDOUT[0]))
    sys.stdout.write(text)
    sys.stdout.flush()


def _replace(path: Path, text: str) -> None:
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=".lbhm-")
    try:
        with os.fdopen(handle, "w") as file:
            file.write(text)
        umask = os.umask(0)
        os.umask(umask)
        os.chmod(name, 0o666 & ~umask)
        os.replace(name, path)
    except BaseException:
        os.unlink(name)
        raise
