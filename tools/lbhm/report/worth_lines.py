"""Why pages lay where they lay, in a sentence: by what the policy expected them to be worth."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from lbhm.base.units import format_time
from lbhm.objects.objects import shown_names

_TOLD = 3  # names
_LITTLE = 0.01  # of all pages, or of those in fast memory: names with less are not told of
_MILLISECOND = 1e6  # ns


def worth_lines(runs: list[dict[str, Any]], files: Iterable[Path] = ()) -> list[str]:
    """A sentence for each run (of a comparison, or run reports) whose policy weighed pages."""
    weighed = [run for run in runs if run.get("worths") and run.get("timeline")]
    shown = shown_names(weighed, files) if weighed else {}
    return [f"{run['policy']}: {line}" for run in weighed if (line := _line(run, shown))]


def _line(run: dict[str, Any], shown: dict[str, str]) -> str:
    names = {row["site"]: shown[row["name"] or f"site {row['site']}"] for row in run["timeline"]["objects"]}
    found = _by_name([site | {"name": names[site["site"]]} for site in run["worths"] if site["site"] in names])
    pages, fast = (max(sum(of[key] for of in found), 1) for key in ("pages", "fast_pages"))
    told = [of for of in found if of["pages"] > _LITTLE * pages or of["fast_pages"] > _LITTLE * fast]
    told.sort(key=lambda of: (-of["worth"], of["name"]))
    parts = [f"{_share(of)} of {of['name']}, {_worth(of)}" for of in told[:_TOLD]]
    return "in fast memory lay " + "; ".join(parts) if parts else ""


def _by_name(sites: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Those together that one function asked for: of the calls that tell sites apart the outermost."""
    found: dict[str, dict[str, Any]] = {}
    for site in sites:
        name = site["name"].split(" < ")[-1]
        of = found.setdefault(name, {"name": name, "pages": 0, "fast_pages": 0, "worth": 0})
        pages = of["pages"] + site["pages"]
        of["worth"] = (of["worth"] * of["pages"] + site["worth"] * site["pages"]) / pages if pages else 0
        of["pages"], of["fast_pages"] = pages, of["fast_pages"] + site["fast_pages"]
    return list(found.values())


def _share(of: dict[str, Any]) -> str:
    return f"{100 * of['fast_pages'] / of['pages']:.0f} %" if of["pages"] else "0 %"


def _worth(of: dict[str, Any]) -> str:
    saved = of["worth"] * _MILLISECOND
    return f"where a page saves {format_time(saved)} of each ms" if saved >= 1 else "where a page saves nothing"
