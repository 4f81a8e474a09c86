"""lbhm cc, lbhm c++, lbhm fc: compilers with LB-HM's flags in front of the arguments. CC="lbhm cc" is a compiler.

A build starts them thousands of times, so this comes before everything that takes long to import.
"""

from __future__ import annotations

import os
from typing import NoReturn

from lbhm.base.build_tree import absent, find_build
from lbhm.base.errors import Refusal

# By command: the compiler as Debian calls it, the package that has it, and what names another one in the environment.
COMPILERS = {
    "cc": ("clang-19", "clang-19", "LBHM_CC"),
    "c++": ("clang++-19", "clang-19", "LBHM_CXX"),
    "fc": ("flang-new-19", "flang-19", "LBHM_FC"),
}
NOT_FOUND = 127  # of shells
EMULATE = "--emulate"  # ours where it comes first; anywhere else it is the compiler's


def flags(emulate: bool) -> list[str]:
    """What a program is built and linked with. Raises Refusal when the plugin is not built.

    Frame pointers tell where a block of the heap was asked for (lbhm run --heap).
    """
    build = find_build()
    plugin = build.plugin if emulate else build.patterns
    if not plugin.is_file():
        raise absent(f"{plugin}: the plugin")
    return ["-fopenmp", "-fno-omit-frame-pointer", f"-I{build.include}", f"-fpass-plugin={plugin}"]


def compiler_of(command: str) -> str:
    name, _, variable = COMPILERS[command]
    return os.environ.get(variable) or name


def compile_as(command: str, words: list[str]) -> NoReturn:
    """Becomes the compiler. words: what follows the command. Raises Refusal when there is none."""
    _, package, variable = COMPILERS[command]
    compiler = compiler_of(command)
    emulate = words[:1] == [EMULATE]
    ours = flags(emulate)
    if command != "fc":  # it warns of some of them where it only assembles or links; flang knows no such thing
        ours = ["--start-no-unused-arguments", *ours, "--end-no-unused-arguments"]
    try:
        os.execvp(compiler, [compiler, *ours, *words[emulate:]])
    except FileNotFoundError:
        raise Refusal(
            f"lbhm {command}: {compiler} is not in PATH; install it: apt-get install {package}, or name version 19 in "
            f"{variable}",
            NOT_FOUND,
        ) from None
