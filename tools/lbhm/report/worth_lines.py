"""Why pages lay where they lay, in a sentence: by what the policy expected them to be worth."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from lbhm.base.units import format_time
from lbhm.objects.objects import shown_names

_TOLD = 3  # sites
_LITTLE = 0.01  # of all pages, or of those in fast memory: sites with less are not told of
_MILLISECOND = 1e6  # ns


def worth_lines(runs: list[dict[str, Any]], files: Iterable[Path] = ()) -> list[str]:
    """A sentence for each run (of a comparison, or run reports) whose policy weighed pages."""
    weighed = [run for run in runs if run.get("worths") and run.get("timeline")]
    shown = shown_names(weighed, files) if weighed else {}
    return [f"{run['policy']}: {line}" for run in weighed if (line := _line(run, shown))]


def _line(run: dict[str, Any], shown: dict[str, str]) -> str:
    names = {row["site"]: shown[row["name"] or f"site {row['site']}"] for row in run["timeline"]["objects"]}
    sites = [site for site in run["worths"] if site["site"] in names]
    pages, fast = (max(sum(site[key] for site in sites), 1) for key in ("pages", "fast_pages"))
    told = [site for site in sites if site["pages"] > _LITTLE * pages or site["fast_pages"] > _LITTLE * fast]
    told.sort(key=lambda site: (-site["worth"], site["site"]))
    parts = [f"{_share(site)} of {names[site['site']]}, {_worth(site)}" for site in told[:_TOLD]]
    return "in fast memory lay " + "; ".join(parts) if parts else ""


def _share(site: dict[str, Any]) -> str:
    return f"{100 * site['fast_pages'] / site['pages']:.0f} %" if site["pages"] else "0 %"


def _worth(site: dict[str, Any]) -> str:
    saved = site["worth"] * _MILLISECOND
    return f"where a page saves {format_time(saved)} of each ms" if saved >= 1 else "where a page saves nothing"
