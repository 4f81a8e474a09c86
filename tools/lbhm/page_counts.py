"""Exact counts of a run, every page and every task (schema lbhm.page-counts/2, docs/files.md), as arrays."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from lbhm.errors import Refusal
from lbhm.json_reader import parse_json, read_bytes

SCHEMA = "lbhm.page-counts/2"
UNMANAGED = 2**32 - 1  # the object of all pages that belong to none
NO_REGION = 2**32 - 1
RECORD = np.dtype(
    [("object", "<u4"), ("page", "<u4"), ("accesses", "<u8"), ("stall", "<u8"), ("read", "<u8"), ("written", "<u8")]
)

Label = tuple[int, int, int, int]  # epoch, region, phase, lane
Pages = dict[int, list[tuple[int, int]]]  # by lane: page of the file, accesses


@dataclass(frozen=True)
class Cell:
    """What one lane did in one phase of a region, all instances of one epoch together. Times in picoseconds."""

    time: float
    pages: np.ndarray  # numbers of pages in the run
    accesses: np.ndarray  # misses of the last-level cache
    stall: np.ndarray  # waited for the page's lines
    read: np.ndarray  # how long the tier was busy
    written: np.ndarray
    instances: int = 1  # of the region in this epoch


@dataclass(frozen=True)
class PageCounts:
    """The pages of a run are numbered through, object by object; the last number stands for all unmanaged ones."""

    header: dict[str, Any]
    object_pages: np.ndarray  # by number of allocation
    died: np.ndarray  # epoch in which the object was freed, by number; a large number if it never was
    sites: list[tuple[str, int]]  # where the program got each object from, and which of those from there it is
    unmanaged_pages: int
    epochs: int
    cells: dict[Label, Cell]
    names: list[str] = field(default_factory=list)  # of each object: its own if the file has it, else that of its site
    variables: dict[str, Pages] = field(default_factory=dict)  # what tasks accessed of files in the process
    _by_epoch: dict[int, list[Label]] = field(default_factory=dict, repr=False)

    @property
    def offsets(self) -> np.ndarray:
        """Number of the first page of each object; one more entry at the end: the unmanaged ones."""
        return np.concatenate([[0], np.cumsum(self.object_pages)]).astype(np.int64)

    def of_epoch(self, epoch: int) -> list[Label]:
        """Ascending."""
        if not self._by_epoch:
            for label in sorted(self.cells):
                self._by_epoch.setdefault(label[0], []).append(label)
        return self._by_epoch.get(epoch, [])

    def phases_ps(self) -> float:
        """The sum of the longest lane of every phase."""
        longest: dict[tuple[int, ...], float] = {}
        for label, cell in self.cells.items():
            longest[label[:3]] = max(longest.get(label[:3], 0.0), cell.time)
        return sum(longest.values())

    def accesses(self) -> int:
        """Of all tasks, as the run report counts them: without the initial thread outside of teams."""
        return sum(int(cell.accesses.sum()) for label, cell in self.cells.items() if label[1] != NO_REGION)

    def accesses_by_object(self) -> list[dict[int, int]]:
        """By number of allocation and lane, what tasks accessed."""
        found: list[dict[int, int]] = [{} for _ in self.object_pages]
        for label, cell in self.cells.items():
            if label[1] == NO_REGION:
                continue
            owner = np.searchsorted(self.offsets, cell.pages, side="right") - 1
            sums = np.bincount(owner, cell.accesses, minlength=len(found) + 1)
            for number in np.flatnonzero(sums[: len(found)]):
                found[number][label[3]] = found[number].get(label[3], 0) + int(sums[number])
        return found

    def unmanaged_by_lane(self) -> dict[int, int]:
        """What tasks accessed of pages that no object holds."""
        found: dict[int, int] = {}
        first = self.offsets[-1]
        for label, cell in self.cells.items():
            accesses = int(cell.accesses[cell.pages >= first].sum())
            if label[1] != NO_REGION and accesses:
                found[label[3]] = found.get(label[3], 0) + accesses
        return found


def read_page_counts(path: Path) -> PageCounts:
    """Reads the file. Raises Refusal when it is none, or was cut short."""
    try:
        return _parse(read_bytes(path))
    except OSError as error:
        raise Refusal(f"{path}: {error.strerror}; write it with LBHM_PAGE_COUNTS={path}") from None
    except (ValueError, KeyError, IndexError, TypeError) as error:
        raise Refusal(f"{path}: it is no file of exact counts, or was cut short ({error}); write it again") from None


def _parse(data: bytes) -> PageCounts:
    header, at = _line(data, 0)
    if header["schema"] != SCHEMA:
        raise ValueError(f"its schema is {header['schema']!r}")
    raw: dict[Label, tuple[float, np.ndarray, int]] = {}
    objects: list[tuple[int, int]] = []
    sites: list[tuple[str, int]] = []
    names: list[str] = []
    variables: dict[str, Pages] = {}
    while True:
        entry, at = _line(data, at)
        if "epochs" in entry:
            break
        if "object_pages" in entry:
            objects.append((entry["object_pages"], entry["died"]))
            sites.append((entry["site"], entry["nth"]))
            names.append(entry.get("name") or f"site {entry['site']}")
            continue
        if "variables_of" in entry:
            by_lane = variables.setdefault(entry["variables_of"], {})
            by_lane.setdefault(entry["lane"], []).extend((page, accesses) for page, accesses in entry["accesses"])
            continue
        records = np.frombuffer(data, RECORD, entry["pages"], at)
        at += records.nbytes
        raw[entry["epoch"], entry["region"], entry["phase"], entry["lane"]] = (
            entry["time_ps"],
            records,
            entry["instances"],
        )
    table = np.array(objects, dtype=np.int64).reshape(-1, 2)
    total = (entry["unmanaged_pages"], entry["epochs"])
    counts = PageCounts(header, table[:, 0], table[:, 1], sites, *total, {}, names, variables)
    offsets = counts.offsets
    counts.cells.update({label: _cell(*cell, offsets) for label, cell in raw.items()})
    return counts


def _line(data: bytes, at: int) -> tuple[dict[str, Any], int]:
    end = data.index(b"\n", at)
    return parse_json(data[at:end]), end + 1


def _cell(time: float, records: np.ndarray, instances: int, offsets: np.ndarray) -> Cell:
    owner = np.minimum(records["object"], len(offsets) - 1)  # unmanaged: behind the last object
    pages = offsets[owner] + records["page"]
    columns = (records[name].astype(np.float64) for name in ("accesses", "stall", "read", "written"))
    return Cell(time, pages, *columns, instances)
