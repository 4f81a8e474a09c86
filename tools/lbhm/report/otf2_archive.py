"""A run as an archive of the Open Trace Format 2, which Vampir reads: the slices and counters of the Perfetto
trace, by Python's otf2 (https://www.vi-hps.org/projects/score-p; Debian: python3-otf2)."""

from __future__ import annotations

import contextlib
import gc
import importlib
import os
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

from lbhm.base.errors import Refusal
from lbhm.output.result_file import check_target
from lbhm.output.streams import UNWRITTEN

_SYSTEM = "/usr/lib/python3/dist-packages"  # where Debian's package is, which a venv does not see
_PER_SECOND = 1_000_000_000  # ticks: the trace's microseconds have three places


def _library() -> ModuleType:
    try:
        sys.path.append(_SYSTEM)
        return importlib.import_module("otf2")
    except ImportError as error:
        raise Refusal(f"--otf2: {error}; install the package python3-otf2, or use --trace") from None
    finally:
        sys.path.remove(_SYSTEM)


def write_archive(folder: Path, trace: dict[str, Any]) -> None:
    """`trace` as perfetto.trace_of gives it. Writes it whole or not at all. Raises Refusal if the library is missing or
    `folder` cannot be made."""
    otf2 = _library()
    if folder.exists():
        raise Refusal(f"--otf2: {folder} is there already; name a new folder")
    check_target(folder, "--otf2")
    try:
        with tempfile.TemporaryDirectory(dir=folder.parent, prefix=".lbhm-", ignore_cleanup_errors=True) as partial:
            why = _try(otf2, Path(partial) / "archive", trace)
            if not why:
                os.replace(Path(partial) / "archive", folder)
    except OSError as error:
        why = error.strerror
    if why:
        raise Refusal(f"--otf2: {folder} cannot be written ({why}); make room, or name another folder", UNWRITTEN)


def _try(otf2: ModuleType, folder: Path, trace: dict[str, Any]) -> str | None:
    """Why it could not be written. OTF2 says in several lines of its own what it finds missing after a full disk, and
    once more when its writer is deleted, which is before this ends."""
    why = None
    with _silence():
        try:
            _write_whole(otf2, folder, trace)
        except Exception as error:  # of several classes, which have no base of their own
            why = str(error)
        gc.collect()  # the writer, which its parts refer to
    return why


def _write_whole(otf2: ModuleType, folder: Path, trace: dict[str, Any]) -> None:
    with otf2.writer.open(str(folder), timer_resolution=_PER_SECOND) as archive:
        _write(archive, trace["traceEvents"])


@contextlib.contextmanager
def _silence() -> Iterator[None]:
    """Nothing reaches the standard error, whoever writes there."""
    hook, sys.unraisablehook = sys.unraisablehook, lambda _: None
    sys.stderr.flush()
    with contextlib.ExitStack() as restored:
        restored.callback(setattr, sys, "unraisablehook", hook)
        with contextlib.suppress(OSError):  # it is closed
            kept = os.dup(2)
            restored.callback(os.close, kept)
            restored.callback(os.dup2, kept, 2)
            with Path(os.devnull).open("w") as nowhere:
                os.dup2(nowhere.fileno(), 2)
        yield


def _write(archive: Any, events: list[dict[str, Any]]) -> None:
    """Processes are groups of locations, their threads locations; counters are metrics of their process's first one."""
    names = {
        (event["pid"], event.get("tid")): event["args"]["name"] for event in events if event["name"].endswith("_name")
    }
    node = archive.definitions.system_tree_node("computer")
    groups = {
        process: archive.definitions.location_group(name, system_tree_parent=node)
        for (process, thread), name in names.items()
        if thread is None
    }
    tracks = defaultdict(list)
    for event in events:
        if event["ph"] in "XC":
            tracks[event["pid"], event.get("tid", 0)].append(event)
    for (process, thread), track in tracks.items():
        writer = archive.event_writer(names.get((process, thread), "memory"), group=groups[process])
        for time, _, _, event in sorted(_moments(track), key=lambda moment: moment[:3]):
            _write_event(archive, writer, time, event)


def _ticks(microseconds: float) -> int:
    return round(microseconds * 1000)


def _moments(track: list[dict[str, Any]]) -> Iterator[tuple[int, int, int, dict[str, Any]]]:
    """Time, what comes first of the same time, and the event: slices twice. The inner ones of a track end first."""
    for event in track:
        begin = _ticks(event["ts"])
        end = begin + _ticks(event.get("dur", 0))
        if event["ph"] == "C":
            yield begin, 2, 0, event
        elif end > begin:
            yield begin, 1, -end, event
            yield end, 0, -begin, event | {"ph": "E"}


def _write_event(archive: Any, writer: Any, time: int, event: dict[str, Any]) -> None:
    if event["ph"] == "C":
        ((unit, value),) = event["args"].items()
        writer.metric(time, archive.definitions.metric(event["name"], unit=unit), float(value))
    elif event["ph"] == "X":
        writer.enter(time, archive.definitions.region(event["name"]))
    else:
        writer.leave(time, archive.definitions.region(event["name"]))
