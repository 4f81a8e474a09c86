"""What lbhm doctor finds of LB-HM itself: compiler, plugin, runtime. Each gives one finding; none raises."""

from __future__ import annotations

import ctypes
import importlib.metadata
import operator
import re
import shutil
import subprocess
import sys
from pathlib import Path

from lbhm.base.build_tree import INSTALLED, find_build
from lbhm.base.errors import Refusal
from lbhm.doctor.doctor import Finding, State
from lbhm.library.library import policies
from lbhm.machine import preset_files
from lbhm.program.compiler_wrapper import compiler_of

_INSTALL = "apt-get install clang-19 libomp-19-dev" if INSTALLED else "scripts/install-packages"
_BUILD = "install LB-HM again" if INSTALLED else "./quickstart"
_WANTED = re.compile(r"^([\w.-]+)((?:==|>=).*)$", re.MULTILINE)
_BOUND = re.compile(r"(==|>=|<)([\w.]+)")


def examine_build() -> list[Finding]:
    return [compiler(), plugin(), runtime(), openmp_runtime(), presets(), python_packages(), thread_timers()]


def compiler() -> Finding:
    name = compiler_of("c++")
    remedy = f"builds LB-HM and programs for the emulated machine: {_INSTALL}, or name it in LBHM_CC and LBHM_CXX"
    path = shutil.which(name)
    if not path:
        return Finding("clang-19", State.broken, f"{name} is not in PATH", remedy)
    version = subprocess.run([path, "--version"], capture_output=True, text=True).stdout.partition("\n")[0]
    if "version 19." not in version:
        return Finding("clang-19", State.broken, f"{name} is {version}, which cannot load the plugin", remedy)
    return Finding("clang-19", State.works, version)


def plugin() -> Finding:
    path = find_build().plugin
    if not path.is_file():
        return Finding("plugin", State.broken, f"{path} is not there", _BUILD)
    return Finding("plugin", State.works, str(path))


def runtime() -> Finding:
    try:
        names = ", ".join(policy["name"] for policy in policies())
    except Refusal as refusal:
        return Finding("runtime", State.broken, refusal.sentence)
    return Finding("runtime", State.works, f"{find_build().library}; policies: {names}")


def openmp_runtime() -> Finding:
    """LLVM's runtime: ompt_libomp_connect is in it if it was built with OMPT, the interface of tools."""
    path = _libomp()
    if not path.is_file():
        return Finding("libomp", State.broken, f"{path} is not there", _INSTALL)
    version = _said("dpkg-query", "-W", "-f", "${Version}", "libomp5-19") or "of unknown version"
    if b"\0ompt_libomp_connect\0" not in path.read_bytes():  # a name in its table of symbols
        return Finding("libomp", State.broken, f"{path} {version} has no OMPT", f"install Debian's: {_INSTALL}")
    return Finding("libomp", State.works, f"{path} {version}, with OMPT")


def _libomp() -> Path:
    """That of the compiler, where it is for building, too; else Debian's."""
    found = Path(_said(compiler_of("c++"), "-print-file-name=libomp.so"))
    return found.resolve() if found.is_absolute() else Path("/usr/lib/llvm-19/lib/libomp.so.5")


def _said(*words: str) -> str:
    try:
        return subprocess.run(words, capture_output=True, text=True).stdout.strip()
    except OSError:
        return ""


def presets() -> Finding:
    names = [path.stem for path in preset_files()]
    if not names:
        return Finding("presets", State.broken, f"no machine file in {find_build().presets}", _BUILD)
    return Finding("presets", State.works, ", ".join(names))


def python_packages() -> Finding:
    """What this Python has against the versions that are wanted: bounds, or pins in the source."""
    file = find_build().requirements
    wanted = _WANTED.findall(file.read_text())
    absent = [name for name, _ in wanted if _installed(name) is None]
    wrong = [name for name, bounds in wanted if name not in absent and not _fits(_installed(name), bounds)]
    if absent or wrong:
        remedy = f"{sys.executable} -m pip install -r {file}" if INSTALLED else "scripts/make-venv"
        told = (f"not installed: {', '.join(absent)}", f"other versions than wanted: {', '.join(wrong)}")
        found = "; ".join(sentence for sentence, names in zip(told, (absent, wrong), strict=True) if names)
        return Finding("Python packages", State.absent, found, remedy)
    return Finding("Python packages", State.works, f"all {len(wanted)} as in {file.name}")


def _fits(version: str | None, bounds: str) -> bool:
    """bounds: "==2.0", or ">=1.0,<2"."""
    if version is None:
        return False
    tests = {"==": operator.eq, ">=": operator.ge, "<": operator.lt}
    return all(tests[sign](_numbers(version), _numbers(bound)) for sign, bound in _BOUND.findall(bounds))


def _numbers(version: str) -> list[int]:
    return [int(digits) for digits in re.match(r"[\d.]*", version)[0].split(".") if digits]


def _installed(name: str) -> str | None:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return None


def thread_timers() -> Finding:
    """Timers of processor time: the emulated machine samples by them which code it cannot see."""
    what, clock_thread_cputime = "thread timers", 3
    libc = ctypes.CDLL(None)
    timer = ctypes.c_void_p()
    if libc.timer_create(clock_thread_cputime, None, ctypes.byref(timer)) != 0:
        remedy = "run reports cannot tell how much of a program was built without the plugin"
        return Finding(what, State.absent, "this kernel has no timers of processor time", remedy)
    libc.timer_delete(timer)
    return Finding(what, State.works, "code without the plugin is found by sampling")
