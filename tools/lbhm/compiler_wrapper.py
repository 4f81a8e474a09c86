"""lbhm cc, lbhm c++, lbhm fc: compilers with LB-HM's flags in front of the arguments. CC="lbhm cc" is a compiler.

A build starts them thousands of times, so this comes before everything that takes long to import.
"""

from __future__ import annotations

import os
from typing import NoReturn

from lbhm.build_tree import absent, find_build
from lbhm.errors import Refusal

# By command: the compiler, and the Debian package that has it.
COMPILERS = {
    "cc": ("clang-19", "clang-19"),
    "c++": ("clang++-19", "clang-19"),
    "fc": ("flang-new-19", "flang-19"),
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


def compile_as(command: str, words: list[str]) -> NoReturn:
    """Becomes the compiler. words: what follows the command. Raises Refusal when there is none."""
    compiler, package = COMPILERS[command]
    emulate = words[:1] == [EMULATE]
    ours = flags(emulate)
    if "clang" in compiler:  # it warns of some of them where it only assembles or links; flang knows no such thing
        ours = ["--start-no-unused-arguments", *ours, "--end-no-unused-arguments"]
    try:
        os.execvp(compiler, [compiler, *ours, *words[emulate:]])
    except FileNotFoundError:
        raise Refusal(
            f"lbhm {command}: {compiler} is not in PATH; install it: apt-get install {package}", NOT_FOUND
        ) from None
