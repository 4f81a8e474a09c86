"""The objects of a run by where the program got them: from its run report, or from exact counts."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from lbhm import __version__

if TYPE_CHECKING:
    from lbhm.page_counts import PageCounts

Row = dict[str, Any]


def objects_json(report: dict[str, Any], counts: PageCounts | None, by_phase: bool) -> dict[str, Any]:
    """schema lbhm.objects/1. counts: of programs that never name their objects (LB_HM_config), if there are any."""
    rows = planned_objects(report.get("plans", []), by_phase)
    exact = not rows and counts is not None
    if exact:
        rows = counted_objects(counts)
    rows.sort(key=lambda row: (-(row["accesses"] or 0), -row["bytes"]))
    return {
        "schema": "lbhm.objects/1",
        "lbhm_version": __version__,
        "program": report.get("program"),
        "machine": report["machine"],
        "policy": report["policy"],
        "source": "exact counts" if exact else "plans",
        "objects": rows,
    }


def planned_objects(plans: list[dict[str, Any]], by_phase: bool) -> list[Row]:
    """A row a name, or a name and phase. What a plan tells is of one instance of a phase: the largest number and size
    of objects, the sum of the accesses that were counted, and what the last plan had in fast memory."""
    rows: dict[tuple[str, ...], Row] = {}
    for plan in plans:
        phase = {"phase": str(plan.get("scope", "")), "kind": plan.get("kind", "")} if by_phase else {}
        for name, objects in _by_name(plan.get("objects", [])).items():
            row = rows.setdefault((name, *phase.values()), _empty(name) | phase)
            row["objects"] = max(row["objects"], len(objects))
            row["bytes"] = max(row["bytes"], sum(of["bytes"] for of in objects))
            row["planned_bytes"] = sum(of["bytes"] for of in objects)
            row["planned_fast_bytes"] = sum(of["planned_fast_bytes"] for of in objects)
            row["patterns"] = sorted({*row["patterns"], *(of["kind"] for of in objects if of.get("kind"))})
            for of in objects:
                _add(row, of)
    return list(rows.values())


def _by_name(objects: Iterable[dict[str, Any]]) -> dict[str, list[dict[str, Any]]]:
    found: dict[str, list[dict[str, Any]]] = {}
    for of in objects:
        found.setdefault(of["name"], []).append(of)
    return found


def _empty(name: str) -> Row:
    return {"name": name, "objects": 0, "bytes": 0, "patterns": [], "accesses": None, "by_lane": {}}


def _add(row: Row, of: dict[str, Any]) -> None:
    if of["counted_accesses"] is not None:
        row["accesses"] = (row["accesses"] or 0) + of["counted_accesses"]
    for lane, accesses in of["counted_by_lane"].items():
        row["by_lane"][lane] = row["by_lane"].get(lane, 0) + accesses


def counted_objects(counts: PageCounts) -> list[Row]:
    """A row a site: all objects of the run, and all that tasks accessed, exactly."""
    accesses = counts.accesses_by_object()
    rows: dict[str, Row] = {}
    for number, pages in enumerate(counts.object_pages):
        name = counts.names[number]
        row = rows.setdefault(name, _empty(name))
        row["objects"] += 1
        row["bytes"] += int(pages) * counts.header["page_bytes"]
        of = {str(lane): found for lane, found in accesses[number].items() if found}
        _add(row, {"counted_accesses": sum(of.values()), "counted_by_lane": of})
    return list(rows.values())
