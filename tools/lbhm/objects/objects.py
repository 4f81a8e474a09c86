"""The objects of a run by where the program got them: from its run report, or from exact counts."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lbhm import __version__
from lbhm.objects.variables import counted_variables
from lbhm.program.place_names import call_of, construct_names, frames_of, path_of, place_names, variable_names
from lbhm.program.site_ids import SiteIds

if TYPE_CHECKING:
    from lbhm.files.page_counts import PageCounts

Row = dict[str, Any]
Sites = dict[str, dict[str, Any]]  # of a run report, by hash


def objects_json(
    report: dict[str, Any],
    counts: PageCounts | None,
    by_phase: bool,
    files: Iterable[Path] = (),
    by_site: bool = False,
) -> dict[str, Any]:
    """schema lbhm.objects/1. counts: of programs that never name their objects (LB_HM_config), if there are any.
    by_phase: a row a phase, too: a call of LB_HM_config or, of exact counts, a parallel region. files: the program and
    its libraries, as far as they are here. by_site: exact counts in a row a site, not a place.
    """
    files = list(files)
    sites = {site["site"]: site for site in report.get("sites", [])}
    rows = planned_objects(report.get("plans", []), by_phase)
    exact = not rows and counts is not None
    if exact:
        by_phase = by_phase and bool(counts.regions)
        rows = counted_objects(counts, sites, by_phase)
    else:
        _add_sites(rows, sites)
    _name(rows, sites, files)
    if exact:
        rows = (rows if by_site else _merged(rows)) + counted_variables(counts, files, by_phase)
    _name_phases(rows, files, counts.regions if exact and by_phase else [])
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
        by_name = defaultdict(list)
        for of in plan.get("objects", []):
            by_name[of["name"]].append(of)
        for name, objects in by_name.items():
            row = rows.setdefault((name, *phase.values()), _empty(name) | phase)
            row["objects"] = max(row["objects"], len(objects))
            row["bytes"] = max(row["bytes"], sum(of["bytes"] for of in objects))
            row["planned_bytes"] = sum(of["bytes"] for of in objects)
            row["planned_fast_bytes"] = sum(of["planned_fast_bytes"] for of in objects)
            row["patterns"] = sorted({*row["patterns"], *(of["kind"] for of in objects if of.get("kind"))})
            for of in objects:
                _add(row, of)
    return list(rows.values())


def _empty(name: str) -> Row:
    return {"name": name, "objects": 0, "bytes": 0, "patterns": [], "accesses": None, "by_lane": {}, "sites": []}


def _add(row: Row, of: dict[str, Any]) -> None:
    if of["counted_accesses"] is not None:
        row["accesses"] = (row["accesses"] or 0) + of["counted_accesses"]
    for lane, accesses in of["counted_by_lane"].items():
        row["by_lane"][lane] = row["by_lane"].get(lane, 0) + accesses


def counted_objects(counts: PageCounts, sites: Sites, by_phase: bool = False) -> list[Row]:
    """A row a site: all objects of the run, and all that tasks accessed, exactly. Or a row a site and parallel region:
    the objects that its tasks accessed."""
    rows: dict[tuple[str, int | None], Row] = {}
    accesses = counts.accesses_by_object(by_phase)
    for (site, _), pages, by_region in zip(counts.sites, counts.sizes(), accesses[:-1], strict=True):
        name = sites.get(site, {}).get("name") or f"site {site}"
        for region, by_lane in by_region.items():
            row = rows.setdefault((site, region), _empty(name) | {"sites": [site]} | counts.phase_of(region))
            row["objects"] += 1
            row["bytes"] += int(pages) * counts.header["page_bytes"]
            of = {str(lane): found for lane, found in by_lane.items() if found}
            _add(row, {"counted_accesses": sum(of.values()), "counted_by_lane": of})
    return list(rows.values())


def shown_names(reports: Iterable[dict[str, Any]], files: Iterable[Path] = ()) -> dict[str, str]:
    """Of the objects of timelines, by name ("site ..." where they have none): the name, or the calls that asked."""
    rows: dict[str, Row] = {}
    sites: Sites = {}
    for report in reports:
        sites |= {site["site"]: site for site in report.get("sites", [])}
        for of in (report.get("timeline") or {}).get("objects", []):
            known = sites.get(of["site"], {}).get("name") or f"site {of['site']}"
            rows[of["name"] or f"site {of['site']}"] = {"name": of["name"] or known, "sites": [of["site"]]}
    _name(list(rows.values()), sites, list(files), portable=False)
    return dict(zip(rows, _told_apart(list(rows.values())), strict=True))


def _told_apart(rows: list[Row]) -> list[str]:
    """Objects that one call asked for go by the calls that led there, as far as they differ."""
    shown = [row["shown"] for row in rows]
    calls = [row["sites"][0]["calls"] for row in rows]
    for depth in range(1, 6):
        for same in {name for name in shown if shown.count(name) > 1}:
            alike = [at for at, name in enumerate(shown) if name == same]
            callers = {at: calls[at][depth] if depth < len(calls[at]) else "" for at in alike}
            if len(set(callers.values())) > 1:
                for at in alike:
                    shown[at] = f"{same} < {callers[at]}" if callers[at] else same
    return shown


def _add_sites(rows: list[Row], sites: Sites) -> None:
    """Plans tell names: several sites have one where the same place is reached by several calls."""
    by_name: dict[str, list[str]] = {}
    for site in sites.values():
        by_name.setdefault(site["name"], []).append(site["site"])
    for row in rows:
        row["sites"] = by_name.get(row["name"], [])


def _name(rows: list[Row], sites: Sites, files: list[Path], portable: bool = True) -> None:
    """Adds "shown" and what is known of the sites to each row. portable: their ids, too."""
    ids = SiteIds(files)
    used = [sites[site] for row in rows for site in row["sites"] if site in sites]
    frames = frames_of({call for site in used for call in site["calls"]}, files)
    variables = variable_names({site["name"] for site in used if site["kind"] == "variable"}, files)
    places = place_names({row["name"] for row in rows}, files)
    described = {
        site["site"]: {
            "site": site["site"],
            "portable": ids.of(site) if portable else None,
            "calls": path_of(site["calls"], frames),
        }
        for site in used
    }
    calls = {site["site"]: call_of(site["calls"], frames) for site in used if site["calls"]}
    for row in rows:
        row["calls"] = {calls[site] for site in row["sites"] if site in calls}
        row["sites"] = [described.get(site, {"site": site, "portable": None, "calls": []}) for site in row["sites"]]
        shown = {site["calls"][0] for site in row["sites"] if site["calls"]}
        named = shown.pop() if len(shown) == 1 else places[row["name"]]
        row["shown"] = variables.get(row["name"], named)
    _number(rows)


def _name_phases(rows: list[Row], files: list[Path], regions: Iterable[str]) -> None:
    """Adds "phase_shown" to the rows of phases. regions: of the run, where phases are these."""
    names = place_names({row["phase"] for row in rows if "phase" in row}, files) | construct_names(regions, files)
    for row in rows:
        if "phase" in row:
            row["phase_shown"] = names[row["phase"]] + (f", {row['kind']}" if row["kind"] else "")


def _number(rows: list[Row]) -> None:
    """Several calls in one line, or in a function without lines, are told apart by their order in the code."""
    by_shown: dict[str, set[str]] = {}
    for row in rows:
        by_shown.setdefault(row["shown"], set()).update(row["calls"])
    for row in rows:
        calls = sorted(by_shown[row["shown"]], key=lambda place: (len(place), place))
        own = row.pop("calls")
        if len(own) == 1 < len(calls):
            row["shown"] += f", call {calls.index(own.pop()) + 1}"


def _merged(rows: list[Row]) -> list[Row]:
    """A row a place, or a place and phase: what came there by several calls is one."""
    found: dict[tuple[str, str | None], Row] = {}
    for row in rows:
        first = found.setdefault((row["shown"], row.get("phase")), row)
        if first is not row:
            first["objects"] += row["objects"]
            first["bytes"] += row["bytes"]
            first["sites"] += row["sites"]
            _add(first, {"counted_accesses": row["accesses"], "counted_by_lane": row["by_lane"]})
    return list(found.values())
