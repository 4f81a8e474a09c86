"""Programs of the build tree that measure, and what they need to know of this machine."""

from __future__ import annotations

import os
import platform
import subprocess
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from lbhm.base.build_tree import AGAIN, find_build
from lbhm.base.errors import Refusal
from lbhm.files.json_reader import parse_json
from lbhm.system.memory_nodes import meminfo_bytes
from lbhm.system.system import System


def run_native(
    name: str,
    words: list[str],
    say: Callable[[str], None],
    settings: dict[str, str] | None = None,
    processors: Iterable[int] | None = None,
) -> dict[str, Any]:
    """The JSON that a program prints; `say` hears its lines on stderr. It runs on these processors, if any are named.

    Raises Refusal when it is not built or fails."""
    program = find_build().need_program(name)
    environment = {key: value for key, value in os.environ.items() if key not in ("LD_PRELOAD", "OMP_NUM_THREADS")}
    command = [str(program), *words]
    pinned = None if processors is None else set(processors)
    with subprocess.Popen(
        command,
        env=environment | (settings or {}),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=None if pinned is None else lambda: os.sched_setaffinity(0, pinned),
    ) as run:
        try:
            # Its JSON is shorter than a pipe holds, so that reading one stream after the other cannot block it.
            last = ""
            for line in run.stderr:
                last = line.strip()
                say(last)
            output = run.stdout.read()
        except BaseException:
            run.kill()
            raise
    try:
        if run.returncode == 0:
            return parse_json(output)
    except ValueError:
        pass
    if last.startswith(f"{name}: "):
        raise Refusal(last.removeprefix(f"{name}: "), 1)
    raise Refusal(f"{program}: measuring ended with status {run.returncode} after '{last}'; {AGAIN}", 1)


def processor() -> str:
    """What the processor calls itself."""
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.machine()


def memory(key: str) -> int:
    """Bytes, by a key of /proc/meminfo."""
    if (found := meminfo_bytes(System(), "/proc/meminfo", key)) is None:
        raise Refusal(f"/proc/meminfo has no {key}; this system cannot be measured")
    return found


def free_memory(system: System, node: int | None) -> int:
    """Bytes that can be used without pushing others out, of a node or of the machine."""
    file, key = "/proc/meminfo", "MemAvailable"
    if node is not None:
        file, key = f"/sys/devices/system/node/node{node}/meminfo", "MemFree"
    if (found := meminfo_bytes(system, file, key)) is None:
        raise Refusal(f"{file} does not tell what is free ({key}); this system cannot be measured")
    return found
