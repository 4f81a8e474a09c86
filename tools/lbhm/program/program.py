"""The program that the user wants to run: found, and checked before it is started."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Any

from lbhm.base.build_tree import find_build
from lbhm.base.errors import Refusal
from lbhm.program.elf import Program, inspect
from lbhm.program.plugin_version import check_versions, version_of_runtime
from lbhm.program.start import check_start, has_privileges

_LIBOMP = ("libomp.so", "libomp-", "libomp5.so", "libiomp5.so")
_LIBGOMP = "libgomp.so"
_SCRIPT_HINT = "if it loads it later by itself, start it through a shell script"


def find_program(name: str) -> Path:
    """The file behind the first word of a command. Raises Refusal when it cannot be run."""
    if not name:
        raise Refusal("the program's name is empty; write it after the options: -- ./app arguments")
    found = shutil.which(name)
    if found:
        return Path(found).absolute()
    path = Path(name)
    if path.is_dir():
        raise Refusal(f"{name}: this is a directory; name the program to run")
    if path.is_file() and "/" in name:
        raise Refusal(f"{name}: the file is not executable; is it the program? If so: chmod +x {name}")
    if path.exists() and not path.is_file():
        raise Refusal(f"{name}: this is a device or a pipe; name a file")
    where = "there is no such file" if "/" in name else "there is no such program in PATH"
    hint = f"; did you mean ./{name}?" if "/" not in name and os.access(path, os.X_OK) else "; check the name"
    raise Refusal(f"{name}: {where}{hint}")


def startable(name: str) -> Program:
    """Finds and inspects the program. Raises Refusal when it would not run without LB-HM either."""
    path = find_program(name)
    if not os.access(path, os.R_OK):
        raise Refusal(
            f"{name}: it may be run but not read, so LB-HM cannot look at it; make it readable, or a copy of it"
        )
    program = inspect(path)
    check_start(name, program)
    return program


def check_program(name: str, emulated: bool, need_openmp: bool = True) -> Program:
    """Finds and inspects the program. Raises Refusal when LB-HM could do nothing for it on that machine."""
    program = startable(name)
    if (program.elf or program.foreign) and (spot := blind_spot(name, program, emulated, need_openmp)):
        raise Refusal(spot)
    _check_plugin_versions(program, emulated)
    return program


def check_runnable(name: str, emulated: bool) -> Program:
    """As check_program, for who runs anything. Raises Refusal for what would run nowhere, or would be seen in part."""
    program = startable(name)
    _check_plugin_versions(program, emulated)
    return program


def blind_spot(name: str, program: Program, emulated: bool, need_openmp: bool = True) -> str | None:
    """Why LB-HM could do nothing for an ELF file on that machine, and the remedy; what it starts is another matter. Of
    scripts it knows those alone whose interpreter is foreign."""
    if program.foreign:
        return (
            f"{name}: its loader {program.foreign} is of another root, libc or word size, so LB-HM cannot be loaded "
            "into it; use an LB-HM that was built there"
        )
    if not program.dynamic:
        return f"{name}: it is linked statically, so LB-HM cannot be loaded into it; link it without -static"
    if has_privileges(program.path):
        return (
            f"{name}: it has privileges of its own (set-uid, set-gid or file capabilities), so the loader leaves LB-HM "
            "out; run a copy of it without them, or run it as a user who has them already"
        )
    if need_openmp and not program.needs(*_LIBOMP):
        return _no_openmp(name, program)
    if emulated and not program.instrumented:
        return (
            f"{name}: it was {program.how_built}, so the emulated machine cannot see its accesses; build it "
            "with lbhm c++ --emulate (lbhm cc, lbhm fc), or run it on this machine with --machine host"
        )
    return None


def nobody_manages(program: Program) -> bool:
    """Whether an OpenMP program has memory of malloc, new and ALLOCATE alone, so that nobody said what to place."""
    return program.elf and program.needs(*_LIBOMP) and not program.asks_openmp


def starts_others(program: Program) -> bool:
    """Whether a program in a blind spot is more likely there to start others: a shell, make, Python."""
    if program.foreign:
        return False
    if not program.elf:
        return True
    return program.dynamic and not has_privileges(program.path) and not program.needs(*_LIBOMP, _LIBGOMP)


def is_instrumented(name: str) -> bool:
    """Whether the program in this file, or a library of it, was built for emulated machines."""
    try:
        return inspect(Path(name)).instrumented
    except (OSError, Refusal):
        return False


def uses_openmp(name: str) -> bool:
    """Whether the program in this file, or a library of it, needs an OpenMP runtime that has an interface for LB-HM."""
    try:
        return inspect(Path(name)).needs(*_LIBOMP)
    except (OSError, Refusal):
        return False


def _check_plugin_versions(program: Program, emulated: bool) -> None:
    """Raises Refusal when the emulated machine does not understand the program."""
    if emulated and program.elf:
        check_versions(program.plugin_versions, version_of_runtime(find_build().need_library()))


def reporter(report: dict[str, Any], command: str) -> str:
    """The program that a report is of: what was started, or one that it started, in whatever folder."""
    found = program_of(report) or command
    return found if shutil.which(found) else command


def program_of(report: dict[str, Any]) -> str | None:
    """The program that a report names: its file if that is still here, or else what it was started as."""
    file = report.get("program_file")
    return file if file and Path(file).is_file() else report.get("program")


def code_files(name: str) -> list[Path]:
    """The program and its libraries: where its regions may stand."""
    path = find_program(name)
    return [path, *inspect(path).libraries.values()]


def code_files_here(name: str | None) -> list[Path]:
    """The same; none if the program is not here any more."""
    try:
        return code_files(name) if name else []
    except Refusal:
        return []


def _no_openmp(name: str, program: Program) -> str:
    if program.needs(_LIBGOMP):
        return (
            f"{name}: it runs on GNU's OpenMP runtime, which has no OMPT interface; build it with clang++-19 -fopenmp, "
            "or run it on LLVM's: LD_PRELOAD=/usr/lib/llvm-19/lib/libomp.so.5 lbhm ..."
        )
    return (
        f"{name}: neither it nor its libraries use an OpenMP runtime, and LB-HM places data by OpenMP tasks; "
        f"build it with -fopenmp ({_SCRIPT_HINT})"
    )
