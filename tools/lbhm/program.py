"""The program that the user wants to run: found, and checked before it is started."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from lbhm.build_tree import find_build
from lbhm.elf import Program, inspect
from lbhm.errors import Refusal
from lbhm.output import STDOUT
from lbhm.plugin_version import check_versions, version_of_runtime

_LIBOMP = ("libomp.so", "libomp-", "libomp5.so", "libiomp5.so")
_SCRIPT_HINT = "if it loads it later by itself, start it through a shell script"


def find_program(name: str) -> Path:
    """The file behind the first word of a command. Raises Refusal when it cannot be run."""
    found = shutil.which(name)
    if found:
        return Path(found).absolute()
    path = Path(name)
    if path.is_dir():
        raise Refusal(f"{name}: this is a directory; name the program to run")
    if path.is_file() and "/" in name:
        raise Refusal(f"{name}: the file is not executable; is it the program? If so: chmod +x {name}")
    where = "there is no such file" if "/" in name else "there is no such program in PATH"
    hint = f"; did you mean ./{name}?" if "/" not in name and path.is_file() else "; check the name"
    raise Refusal(f"{name}: {where}{hint}")


def check_program(name: str, emulated: bool, need_openmp: bool = True) -> Program:
    """Finds and inspects the program. Raises Refusal when LB-HM could do nothing for it on that machine."""
    program = inspect(find_program(name))
    if not program.elf:
        return program
    if not program.dynamic:
        raise Refusal(f"{name}: it is linked statically, so LB-HM cannot be loaded into it; link it without -static")
    if program.missing:
        raise Refusal(f"{name}: the library {program.missing[0]} is not found; install it or set LD_LIBRARY_PATH")
    if need_openmp:
        _check_openmp(name, program)
    if emulated and not program.instrumented:
        raise Refusal(
            f"{name}: it was not built with LB-HM's plugin, so the emulated machine cannot see its accesses; build it "
            "with clang++-19 and $(lbhm cflags --emulate), or run it on this machine with --machine host"
        )
    if emulated:
        check_versions(program.plugin_versions, version_of_runtime(find_build().need_library()))
    return program


def code_files(name: str) -> list[Path]:
    """The program and its libraries: where its regions may stand."""
    path = find_program(name)
    return [path, *inspect(path).libraries.values()]


def _check_openmp(name: str, program: Program) -> None:
    if program.needs(*_LIBOMP):
        return
    if program.needs("libgomp.so"):
        raise Refusal(
            f"{name}: it runs on GNU's OpenMP runtime, which has no OMPT interface; build it with clang++-19 -fopenmp, "
            "or run it on LLVM's: LD_PRELOAD=/usr/lib/llvm-19/lib/libomp.so.5 lbhm ..."
        )
    raise Refusal(
        f"{name}: neither it nor its libraries use an OpenMP runtime, and LB-HM places data by OpenMP tasks; "
        f"build it with -fopenmp ({_SCRIPT_HINT})"
    )


def check_json_target(path: Path | None, option: str = "--json") -> None:
    """Raises Refusal when a result could not be written to `path`; better now than after the runs."""
    if path is None or str(path) in STDOUT:
        return
    folder = (path.resolve() if path.is_symlink() else path).parent
    if not folder.is_dir():
        raise Refusal(f"{option} {path}: the folder {folder} does not exist; create it: mkdir -p {folder}")
    if path.is_dir() or not os.access(path if path.exists() else folder, os.W_OK):
        raise Refusal(f"{option} {path}: it cannot be written; name a file in a folder of yours")
