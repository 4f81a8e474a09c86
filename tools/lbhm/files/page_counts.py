"""Exact counts of a run, every page and every task (schema lbhm.page-counts/2, docs/files.md), as arrays."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from lbhm.base.errors import Refusal
from lbhm.files.json_reader import parse_json, read_bytes

SCHEMA = "lbhm.page-counts/2"
UNMANAGED = 2**32 - 1  # the object of all pages that belong to none
NO_REGION = 2**32 - 1
RECORD = np.dtype(
    [("object", "<u4"), ("page", "<u4"), ("accesses", "<u8"), ("stall", "<u8"), ("read", "<u8"), ("written", "<u8")]
)

Label = tuple[int, int, int, int]  # epoch, region, stretch, lane
Pages = dict[tuple[int, int], list[tuple[int, int]]]  # by region and lane: page of the file, accesses
ByRegion = dict[int | None, dict[int, int]]  # None: all regions together; accesses by lane


@dataclass(frozen=True)
class Cell:
    """What one lane did in one stretch of a region, all instances of one epoch together. Times in picoseconds."""

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
    regions: list[str] = field(default_factory=list)  # file+offset of each parallel region; none in older files
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

    def stretches_ps(self) -> float:
        """The sum of the longest lane of every stretch."""
        longest: dict[tuple[int, ...], float] = {}
        for label, cell in self.cells.items():
            longest[label[:3]] = max(longest.get(label[:3], 0.0), cell.time)
        return sum(longest.values())

    def accesses(self) -> int:
        """Of all tasks, as the run report counts them: without the initial thread outside of teams."""
        return sum(int(cell.accesses.sum()) for label, cell in self.cells.items() if label[1] != NO_REGION)

    def accesses_by_object(self, by_region: bool = False) -> list[ByRegion]:
        """By number of allocation, what tasks accessed; one more entry at the end: of pages that no object holds.

        by_region: only the regions that accessed it; else all as one, also where there is no access.
        """
        found: list[ByRegion] = [{} if by_region else {None: {}} for _ in range(len(self.object_pages) + 1)]
        for (_, region, _, lane), cell in self.cells.items():
            if region == NO_REGION:
                continue
            owner = np.searchsorted(self.offsets, cell.pages, side="right") - 1
            sums = np.bincount(owner, cell.accesses, minlength=len(found))
            for number in np.flatnonzero(sums):
                by_lane = found[number].setdefault(region if by_region else None, {})
                by_lane[lane] = by_lane.get(lane, 0) + int(sums[number])
        return found

    def sizes(self) -> np.ndarray:
        """In pages that anybody accessed, by number of allocation: most of an arena may be room for more."""
        used = np.unique(np.concatenate([np.empty(0, np.int64), *(cell.pages for cell in self.cells.values())]))
        owner = np.searchsorted(self.offsets, used, side="right") - 1
        return np.bincount(owner, minlength=len(self.object_pages) + 1)[:-1]

    def phase_of(self, region: int | None) -> dict[str, str]:
        """What a row of lbhm objects says of the region: nothing if it is of all."""
        return {} if region is None else {"phase": self.regions[region], "kind": ""}


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
            users = variables.setdefault(entry["variables_of"], {})
            user = entry.get("region", NO_REGION), entry["lane"]
            users.setdefault(user, []).extend((page, accesses) for page, accesses in entry["accesses"])
            continue
        records = np.frombuffer(data, RECORD, entry["pages"], at)
        at += records.nbytes
        label = (entry["epoch"], entry["region"], entry["phase"], entry["lane"])
        raw[label] = (entry["time_ps"], records, entry["instances"])
    table = np.array(objects, dtype=np.int64).reshape(-1, 2)
    total = (entry["unmanaged_pages"], entry["epochs"])
    regions = entry.get("regions", [])
    counts = PageCounts(header, table[:, 0], table[:, 1], sites, *total, {}, names, variables, regions)
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
