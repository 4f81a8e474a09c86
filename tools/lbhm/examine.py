"""What lbhm doctor looks at, one function a thing. Each gives one finding and never raises."""

from __future__ import annotations

import ctypes
import importlib.metadata
import shutil
import subprocess
from pathlib import Path

from elftools.elf.elffile import ELFFile

from lbhm.build_tree import SOURCE, find_build
from lbhm.doctor import Finding, State
from lbhm.errors import Refusal
from lbhm.library import policies
from lbhm.machine import preset_files
from lbhm.units import format_bytes

_INSTALL = "scripts/install-packages"
_NODES = Path("/sys/devices/system/node")


def examine() -> list[Finding]:
    return [
        compiler(),
        plugin(),
        runtime(),
        openmp_runtime(),
        presets(),
        python_packages(),
        memory_tiers(),
        perf_permission(),
        hardware_counters(),
        thread_timers(),
        *(library(name, soname, use) for name, soname, use in _LIBRARIES),
    ]


_LIBRARIES = [
    ("memkind", "libmemkind.so.0", "kinds of memory on real machines"),
    ("PAPI", "libpapi.so.7.0", "hardware events"),
    ("hwloc", "libhwloc.so.15", "finding the tiers of real machines"),
    ("libnuma", "libnuma.so.1", "placing pages on real machines"),
]


def compiler() -> Finding:
    path = shutil.which("clang++-19")
    if not path:
        remedy = f"builds LB-HM and programs for the emulated machine: {_INSTALL}"
        return Finding("clang-19", State.broken, "clang++-19 is not in PATH", remedy)
    version = subprocess.run([path, "--version"], capture_output=True, text=True).stdout.partition("\n")[0]
    return Finding("clang-19", State.works, version)


def plugin() -> Finding:
    path = find_build().plugin
    if not path.is_file():
        return Finding("plugin", State.broken, f"{path} is not built", "./quickstart")
    return Finding("plugin", State.works, str(path))


def runtime() -> Finding:
    try:
        names = ", ".join(policy["name"] for policy in policies())
    except Refusal as refusal:
        return Finding("runtime", State.broken, refusal.sentence)
    return Finding("runtime", State.works, f"{find_build().library}; policies: {names}")


def openmp_runtime() -> Finding:
    """LLVM's runtime: ompt_libomp_connect is in it if it was built with OMPT, the interface of tools."""
    path = Path("/usr/lib/llvm-19/lib/libomp.so.5")
    if not path.is_file():
        return Finding("libomp", State.broken, f"{path} is not there", _INSTALL)
    asked = subprocess.run(["dpkg-query", "-W", "-f", "${Version}", "libomp5-19"], capture_output=True, text=True)
    version = asked.stdout or "of unknown version"
    with path.open("rb") as file:
        symbols = ELFFile(file).get_section_by_name(".dynsym")
        ompt = symbols is not None and symbols.get_symbol_by_name("ompt_libomp_connect")
    if not ompt:
        return Finding("libomp", State.broken, f"{path} {version} has no OMPT", f"install Debian's: {_INSTALL}")
    return Finding("libomp", State.works, f"{path} {version}, with OMPT")


def presets() -> Finding:
    names = [path.stem for path in preset_files()]
    if not names:
        return Finding("presets", State.broken, f"no machine file in {find_build().presets}", "./quickstart")
    return Finding("presets", State.works, ", ".join(names))


def python_packages() -> Finding:
    """The pinned packages against what this Python has."""
    wanted = dict(
        line.strip().split("==")
        for line in (SOURCE / "tools/requirements.txt").read_text().splitlines()
        if "==" in line
    )
    wrong = [name for name, version in wanted.items() if _installed(name) != version]
    if wrong:
        return Finding(
            "Python packages", State.absent, f"other versions than pinned: {', '.join(wrong)}", "scripts/make-venv"
        )
    return Finding("Python packages", State.works, f"all {len(wanted)} as pinned in tools/requirements.txt")


def _installed(name: str) -> str | None:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return None


def memory_tiers() -> Finding:
    nodes = sorted(_NODES.glob("node[0-9]*"), key=lambda node: int(node.name[4:]))
    sizes = [f"{node.name} {_node_bytes(node)}" for node in nodes]
    if len(nodes) < 2:
        found = f"one kind of memory ({', '.join(sizes) or 'no NUMA information'})"
        return Finding(
            "memory tiers", State.absent, found, "real placement needs two; use an emulated machine: --machine"
        )
    return Finding("memory tiers", State.works, ", ".join(sizes))


def _node_bytes(node: Path) -> str:
    try:
        total = next(line for line in (node / "meminfo").read_text().splitlines() if "MemTotal" in line)
        return format_bytes(int(total.split()[-2]) * 1024)
    except (OSError, StopIteration, ValueError):
        return "of unknown size"


def perf_permission() -> Finding:
    try:
        level = int(Path("/proc/sys/kernel/perf_event_paranoid").read_text())
    except (OSError, ValueError):
        return Finding("perf_event", State.absent, "this kernel has no perf_event", "emulated machines need none")
    if level > 2:
        remedy = "sysctl kernel.perf_event_paranoid=2 lets programs count their own events"
        return Finding("perf_event", State.absent, f"perf_event_paranoid is {level}", remedy)
    return Finding("perf_event", State.works, f"perf_event_paranoid is {level}")


def hardware_counters() -> Finding:
    """A core's events appear as the device `cpu` (or `cpu_core`, `armv8_pmuv3_0`) where the kernel can count them."""
    devices = Path("/sys/bus/event_source/devices")
    names = (
        [path.name for path in devices.glob("*") if path.name.startswith(("cpu", "armv"))] if devices.is_dir() else []
    )
    if not names:
        return Finding(
            "hardware counters", State.absent, "the processor's events cannot be counted here", "typical of VMs"
        )
    return Finding("hardware counters", State.works, ", ".join(sorted(names)))


def thread_timers() -> Finding:
    """Timers of processor time: the emulated machine samples by them which code it cannot see."""
    what, clock_thread_cputime = "thread timers", 3
    libc = ctypes.CDLL(None)
    timer = ctypes.c_void_p()
    if libc.timer_create(clock_thread_cputime, None, ctypes.byref(timer)) != 0:
        remedy = "run reports cannot tell how much of a program was built without the plugin"
        return Finding(what, State.absent, "this kernel has no timers of processor time", remedy)
    libc.timer_delete(timer)
    return Finding(what, State.works, "code without the plugin is found by sampling, if SIGRTMAX-7 is free")


def library(name: str, soname: str, use: str) -> Finding:
    try:
        ctypes.CDLL(soname)
    except OSError:
        return Finding(name, State.absent, f"{soname} is not there", f"for {use}: {_INSTALL}")
    return Finding(name, State.works, f"{soname}, for {use}")
