"""Whether a file can be started at all, as the kernel and the loader see it."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from lbhm.base.errors import Refusal
from lbhm.program.elf import Program


def check_start(name: str, program: Program) -> None:
    """Raises Refusal when what would run the program is missing."""
    if program.elf:
        _check_libraries(name, program)
    else:
        _check_script(name, program.path)


def _check_libraries(name: str, program: Program) -> None:
    if program.loader and not Path(program.loader).exists():
        raise Refusal(
            f"{name}: its loader {program.loader} is not here, so it does not start without lbhm either; it was built "
            "for another system: install that system's libc, or build it here"
        )
    if program.missing:
        raise Refusal(f"{name}: the library {program.missing[0]} is not found; install it or set LD_LIBRARY_PATH")


def _check_script(name: str, path: Path) -> None:
    with path.open("rb") as file:
        first = file.readline(256)
    if not first.startswith(b"#!"):
        raise Refusal(
            f"{name}: it is neither a program nor a script, as its first line does not begin with #!; "
            f"name its interpreter: lbhm run -- sh {name}"
        )
    words = os.fsdecode(first[2:].rstrip(b"\n")).split(" ")
    words = [word for word in words if word] or [""]
    missing = _missing_interpreter(words)
    if missing is not None:
        ending = "; the line ends in a carriage return, which must go" if first.rstrip(b"\n").endswith(b"\r") else ""
        raise Refusal(
            f"{name}: its interpreter '{missing}' is not here{ending}; install it, or correct the script's first line"
        )


def _missing_interpreter(words: list[str]) -> str | None:
    """words: of the first line, behind #!. Of `env NAME` it is NAME."""
    if not os.access(words[0], os.X_OK) or Path(words[0]).is_dir():
        return words[0]
    by_env = Path(words[0]).name == "env" and len(words) > 1 and words[1][:1] not in ("-", "") and "=" not in words[1]
    return words[1] if by_env and shutil.which(words[1]) is None else None


def has_privileges(path: Path) -> bool:
    """Whether the loader would ignore LD_PRELOAD, because the program may do more than who starts it."""
    status = path.stat()
    if os.statvfs(path).f_flag & os.ST_NOSUID:
        return False
    set_user = bool(status.st_mode & 0o4000) and status.st_uid != os.getuid()
    set_group = bool(status.st_mode & 0o2000) and status.st_gid != os.getgid()
    return set_user or set_group or (os.getuid() != 0 and _has_capabilities(path))


def _has_capabilities(path: Path) -> bool:
    try:
        return bool(os.getxattr(path, "security.capability"))
    except OSError:
        return False
