"""lbhm machine measure --emulate: runs lbhm-measure and makes a machine file of what it finds."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

from lbhm.base.errors import Refusal
from lbhm.files.json_reader import read_json
from lbhm.measure.cache_geometry import Cache, read_caches
from lbhm.measure.figures import Figures, combined
from lbhm.measure.host_machine import NEEDED, host_machine
from lbhm.measure.native import memory, processor, run_native

_MIB = 1 << 20
_LEAST, _MOST = 256 * _MIB, 2048 * _MIB  # of memory to measure in


def measure(slow: float | None, earlier: list[Path], say: Callable[[str], None]) -> tuple[dict[str, Any], Figures]:
    """The machine file and the figures behind it; `say` hears what is being measured. `earlier`: nothing is measured,
    the medians of what these files hold are taken. Raises Refusal."""
    if sys.platform != "linux":
        raise Refusal(f"machines are measured on Linux only; this is {sys.platform}")
    if slow is not None and not 1 <= slow <= 1000:
        raise Refusal(f"--slow {slow:g}: a second tier is 1 to 1000 times slower than memory")
    caches = read_caches()
    where = f"{processor()}, {date.today().isoformat()}"
    if earlier:
        figures = Figures(
            combined([_read(file) for file in earlier]), f"{where}, median of {len(earlier)} measurements"
        )
    else:
        sizes = [*(cache.bytes for cache in caches), _working_set(caches[2])]
        figures = Figures(run_native("lbhm-measure", list(map(str, sizes)), say), where)
    missing = [name for name in NEEDED if name not in figures]
    if missing:
        raise Refusal(f"{', '.join(missing)} cannot be measured on {processor()}; write a machine file by hand", 1)
    threads = len(os.sched_getaffinity(0))
    return host_machine(caches, figures, threads, memory("MemTotal"), slow), figures


def _read(file: Path) -> dict[str, Any]:
    """The figures that an earlier measurement wrote."""
    remedy = "name a file that `lbhm machine measure --emulate --json FILE` wrote"
    try:
        figures = read_json(file)["figures"]
        right = all(figure is None or figure["value"] > 0 <= figure["spread"] for figure in figures.values())
    except OSError as error:
        raise Refusal(f"--figures {file}: {error.strerror}; {remedy}") from None
    except (ValueError, KeyError, TypeError, AttributeError):
        right = False
    if not right:
        raise Refusal(f"--figures {file}: holds no figures of a measurement; {remedy}")
    return figures


def _working_set(last_level: Cache) -> int:
    """Bytes that are surely beyond the caches; twice as many are in use at one time."""
    wanted = min(_MOST, max(_LEAST, 8 * last_level.bytes))
    available = memory("MemAvailable")
    if available < 3 * wanted:
        raise Refusal(
            f"{available // _MIB} MiB of memory are free, but measuring takes {3 * wanted // _MIB}; close programs"
        )
    return wanted
