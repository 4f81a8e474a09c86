"""Placements for the policy oracle (schema lbhm.placement/2, docs/files.md)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from lbhm.files.page_counts import PageCounts
from lbhm.oracle.plan import Moves, Plan
from lbhm.output import output

FAST = 0


def placement_json(plan: Plan, counts: PageCounts, portable: dict[str, str] | None = None) -> dict[str, Any]:
    """The plan in words of allocations. Calls of LB_HM_config are numbered from 0: epoch k begins with call k - 1.

    portable: ids of sites that survive a rebuild of the program, as far as they have one.
    """
    slow = counts.header["slow_tier"]
    known = portable or {}
    managed = plan.births[:-1]
    pages = np.arange(len(managed))
    births = runs_of(pages[managed], FAST, counts)

    def runs(moves: Moves) -> list[list[int]]:
        down, up = moves
        return runs_of(down, slow, counts) + runs_of(up, FAST, counts)

    return {
        "schema": "lbhm.placement/2",
        "page_bytes": counts.header["page_bytes"],
        "unmanaged_tier": FAST if plan.births[-1] else slow,
        "objects": [
            {"site": site, "nth": nth, "pages": int(pages)} | ({"portable": known[site]} if site in known else {})
            for (site, nth), pages in zip(counts.sites, counts.object_pages, strict=True)
        ],
        "births": sorted(births),
        "moves": [{"call": epoch - 1, "runs": runs(moves)} for epoch, moves in sorted(plan.moves.items())]
        + [
            {"call": epoch - 1, "region": region, "barrier": barrier, "runs": runs(moves)}
            for (epoch, region, barrier), moves in sorted(plan.inner_moves.items())
        ],
    }


def runs_of(pages: np.ndarray, tier: int, counts: PageCounts) -> list[list[int]]:
    """[object, first page, pages, tier] of neighbouring pages (ascending) of one object."""
    if not len(pages):
        return []
    offsets = counts.offsets
    owner = np.searchsorted(offsets, pages, side="right") - 1
    breaks = np.flatnonzero((np.diff(pages) != 1) | (np.diff(owner) != 0)) + 1
    begins = np.concatenate([[0], breaks])
    lengths = np.diff(np.concatenate([begins, [len(pages)]]))
    first = pages[begins] - offsets[owner[begins]]
    return [[int(o), int(f), int(n), tier] for o, f, n in zip(owner[begins], first, lengths, strict=True)]


def write_placement(path: Path, plan: Plan, counts: PageCounts, portable: dict[str, str] | None = None) -> None:
    output.write_json(path, placement_json(plan, counts, portable), compact=True)
