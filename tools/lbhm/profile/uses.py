"""What a run used its objects for, by phase: the section `objects` of a profile (schema lbhm.profile/2)."""

from __future__ import annotations

import hashlib
from typing import Any

from lbhm.base.errors import Refusal
from lbhm.execute.ending import Outcome
from lbhm.execute.execute import Setup, attempt_first
from lbhm.files.json_reader import read_json
from lbhm.machine import HOST
from lbhm.output.result_file import scratch_file
from lbhm.program.program import code_files_here, reporter
from lbhm.program.site_ids import SiteIds


def object_uses(setup: Setup) -> tuple[dict[str, Any], Outcome]:
    """Runs the program once, all in the slowest memory, with samples that it pays for: of touched lines on an emulated
    machine, else of what the host's sampler has. A run that failed counts, too, if it left a report.

    Raises Refusal: nothing was profiled, or the host has no sampler, or one memory.
    """
    with scratch_file("uses.json") as file:
        outcome = attempt_first(setup, {"LBHM_USES": str(file)}).outcome()
        if not file.is_file():
            raise Refusal(f"{setup.command[0]}: nothing was profiled; it must start a program with parallel regions")
        uses = read_json(file)
    if not setup.machine.emulated:
        check_host(uses, outcome.report["remarks"])
    files = code_files_here(reporter(outcome.report, setup.command[0]))
    sites = outcome.report.get("sites") or []
    portable = SiteIds(files).by_hash(sites)
    met = {item["site"] for item in uses["objects"]}
    del uses["schema"]
    uses["sites"] = [
        {key: site[key] for key in ("site", "name", "kind", "calls")} | {"portable": portable.get(site["site"])}
        for site in sites
        if site["site"] in met
    ]
    uses["heap"] = setup.heap
    asked = {place.rpartition("+")[0] for site in uses["sites"] for place in (site["name"], *site["calls"])}
    uses["modules"] = {
        file.name: hashlib.sha256(file.read_bytes()).hexdigest()
        for file in files
        if file.name in asked and file.is_file()
    }
    return uses, outcome


def check_host(uses: dict[str, Any], remarks: list[str]) -> None:
    """Raises Refusal when the host cannot say what objects are used for."""
    if any(remark.startswith("the host has one memory") for remark in remarks):
        raise Refusal(
            f"--machine {HOST}: it has one memory, so nothing can be placed; profile on an emulated machine (lbhm "
            "machine list) or on a host with two"
        )
    if uses["source"] == "none":
        why = [remark for remark in remarks if "sampler" in remark.lower()]
        raise Refusal(
            f"--machine {HOST}: nothing here samples what objects are used for ({'; '.join(why)}); docs/sampling.md "
            "says what samplers need, and emulated machines need none"
        )


def said_of_source(uses: dict[str, Any]) -> str:
    """What the samples are of, where they are less than touched lines; else empty."""
    return {
        "misses": "samples are of accesses to main memory: what caches served is not among them",
        "pages": "samples are of first accesses to pages, as nothing here counts accesses: they tell which objects are "
        "used, and not how often",
    }.get(uses.get("source", ""), "")


def check_objects(uses: dict[str, Any], program: str, heap: bool) -> None:
    """Raises Refusal when there is no object to place, or no sample of any."""
    if not uses["objects"]:
        how = (
            "its blocks may be too small (docs/using.md)" if heap else "add --heap for programs that use malloc or new"
        )
        raise Refusal(f"{program}: it has no object that can be placed; {how}")
    if not any(item["uses"] for item in uses["objects"]):
        setting = "LBHM_TOUCH_PERIOD" if uses.get("source", "touches") == "touches" else "LBHM_SAMPLE_PERIOD"
        raise Refusal(
            f"{program}: no access to any of its objects was sampled; profile a longer run, or set {setting} to less "
            f"than {uses['period']:g}"
        )
