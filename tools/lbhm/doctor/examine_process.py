"""What lbhm doctor finds of the limits of a process, and of the libraries that are opened where they are installed."""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys

from lbhm.base.build_tree import AGAIN, INSTALLED, find_build
from lbhm.doctor.doctor import Finding, State
from lbhm.system.system import System

_FILES_A_THREAD = 20  # the 16 events of counter_events.h and their leaders; 2 for a sampler
# What, its library, what for, its package, the module of LB-HM that links it ("": it is opened by name).
_LIBRARIES = [
    ("libnuma", "libnuma.so.1", "placing and moving on real machines", "libnuma1", ""),
    ("PAPI", "libpapi.so.7.0", "hardware events", "libpapi7.0", "liblbhm-papi.so"),
    ("hwloc", "libhwloc.so.15", "finding the tiers of real machines", "libhwloc15", "liblbhm-hwloc.so"),
    (
        "mimalloc",
        "libmimalloc.so.2",
        "small objects in the tiers of real machines",
        "libmimalloc2.0",
        "liblbhm-mimalloc.so",
    ),
    ("memkind", "libmemkind.so.0", "small objects where mimalloc is not", "libmemkind0", "liblbhm-memkind.so"),
]
_EVENTS = ["TOT_INS", "TOT_CYC", "L3_TCM", "PRF_DM", "MEM_SCY", "L2_LDM", "BR_CN", "BR_MSP", "VEC_INS", "L3_LDM"]
_PRESETS = [f"PAPI_{event}" for event in _EVENTS]
# PAPI prints and starts what it likes, so it is asked in a process of its own.
_ASK_PAPI = """
import ctypes, sys
papi, code = ctypes.CDLL(sys.argv[1]), ctypes.c_int()
version = papi.PAPI_library_init(0x07000000)
for name in sys.argv[2:] if version == 0x07000000 else []:
    if papi.PAPI_event_name_to_code(name.encode(), ctypes.byref(code)) == 0 and papi.PAPI_query_event(code) == 0:
        print(name)
"""


def examine_process(system: System) -> list[Finding]:
    return [limits(system), *(library(*row) for row in _LIBRARIES), papi_events()]


def limits(system: System, threads: int | None = None) -> Finding:
    """Of memory, files and threads, against what LB-HM needs with as many threads as there are processors."""
    threads = threads or os.cpu_count() or 1
    table = _limits(system)
    wanted = {
        "Max address space": (None, "ulimit -v unlimited: objects have mappings of their own"),
        "Max open files": (64 + _FILES_A_THREAD * threads, "ulimit -n {}: counters and samplers are files"),
        "Max processes": (4 * threads, "ulimit -u {}: threads that move pages count, too"),
    }
    low, remedies = [], []
    for name, (least, remedy) in wanted.items():
        limit = table.get(name)
        if limit is not None and (least is None or limit < least):
            low.append(f"{name.removeprefix('Max ')} {limit}")
            remedies.append(remedy.format(least))
    if low:
        return Finding("limits", State.absent, f"too low: {', '.join(low)}", "; ".join(remedies))
    return Finding("limits", State.works, f"enough for {threads} threads")


def _limits(system: System) -> dict[str, int | None]:
    """The soft limits of this process: numbers, None for none."""
    found: dict[str, int | None] = {}
    for line in (system.text("/proc/self/limits") or "").splitlines()[1:]:
        name, soft = line[:26].strip(), line[26:].split()
        if soft and (soft[0].isdigit() or soft[0] == "unlimited"):
            found[name] = int(soft[0]) if soft[0].isdigit() else None
    return found


def library(name: str, soname: str, use: str, package: str, module: str) -> Finding:
    """A library, and the module of LB-HM that links it, if one does."""
    try:
        ctypes.CDLL(soname)
    except OSError:
        return Finding(name, State.absent, f"{soname} is not there", f"for {use}: apt-get install {package}")
    if module and not (find_build().libraries / module).is_file():
        remedy = f"for {use}: {AGAIN if INSTALLED else 'scripts/install-packages, then ./quickstart'}"
        return Finding(name, State.absent, f"{soname} is there, but {module} was not built", remedy)
    return Finding(name, State.works, f"{soname}, for {use}")


def papi_events() -> Finding:
    command = [sys.executable, "-I", "-c", _ASK_PAPI, "libpapi.so.7.0", *_PRESETS]
    there = subprocess.run(command, capture_output=True, text=True).stdout.split()
    missing = [name for name in _PRESETS if name not in there]
    if not there:
        remedy = "see hardware counters and perf_event; the model is given the events as missing"
        return Finding("PAPI events", State.absent, "PAPI can count none of the model's events here", remedy)
    if missing:
        remedy = "LB-HM tries other events in their place, and reports what remains missing"
        return Finding("PAPI events", State.absent, f"PAPI has no {', '.join(missing)}", remedy)
    return Finding("PAPI events", State.works, f"all {len(there)} of the model")
