"""lbhm objects PROFILE: what a profile says of the objects: who served their touches, how long loads took, when and by
how many lanes they were used."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from rich.markup import escape
from rich.table import Table

from lbhm.base.units import format_bytes, format_count, format_time
from lbhm.files.use_rows import LEVELS, MEMORY, Use, uses_of
from lbhm.output import tables

SHOWN = 40


@dataclass
class UsedRow:
    """A site, or a site and phase. times_ns: of use, and of life (of the phase). Counts are of samples."""

    name: str
    phase: str = ""
    objects: int = 0
    bytes: int = 0
    touches: int = 0
    known: int = 0  # touches of which somebody tells who served them
    levels: list[int] = field(default_factory=lambda: [0] * len(LEVELS))
    waited_ns: float = 0.0  # in all touches of the memory, by the mean of the loads
    used_ns: float = 0.0
    there_ns: float = 0.0
    timed: bool = True
    most: int = 0

    def add(self, use: Use) -> None:
        self.touches += use.touches
        self.timed = self.timed and use.first_ns is not None
        self.most += use.most or 0
        for level, (touches, latency) in enumerate(use.levels or ()):
            self.known += touches
            self.levels[level] += touches
            self.waited_ns += touches * latency if level == MEMORY else 0

    @property
    def latency_ns(self) -> float:
        return self.waited_ns / self.levels[MEMORY] if self.levels[MEMORY] else 0.0


def used_rows(profile: dict[str, Any], by_phase: bool) -> list[UsedRow]:
    """profile: as read_profile gives it. The site with the most touches first; with `by_phase` in the order of the
    phases."""
    section = profile["objects"]
    names = {site["site"]: site["name"] or f"site {site['site']}" for site in section["sites"]}
    phases = [phase["begin_ns"] for phase in section["phases"]] + [section.get("end_ns", 0.0)]
    rows: dict[tuple[str, int], UsedRow] = {}
    for item in section["objects"]:
        name = names.get(item["site"], f"site {item['site']}")
        all_uses = list(uses_of(item))
        for phase, uses in [(use.phase, [use]) for use in all_uses] if by_phase else [(0, all_uses)]:
            number = f"{phase}: {section['phases'][phase]['name']}" if by_phase else ""
            row = rows.setdefault((item["site"], phase), UsedRow(name, number))
            row.objects += 1
            row.bytes += item["bytes"]
            for use in uses:
                row.add(use)
            begin, end = item["born_ns"], item["dies_ns"]
            if by_phase:
                begin, end = max(begin, phases[phase]), min(end, phases[phase + 1])
            row.there_ns += max(end - begin, 0.0)
            row.used_ns += _window(uses, max(end - begin, 0.0))
    order = (lambda key: (key[1], -rows[key].touches)) if by_phase else (lambda key: -rows[key].touches)
    return [rows[key] for key in sorted(rows, key=order)]


def _window(uses: list[Use], longest: float) -> float:
    """From the first to the last sample."""
    begins = [use.first_ns for use in uses if use.first_ns is not None]
    ends = [use.last_ns for use in uses if use.last_ns is not None]
    return min(longest, max(ends) - min(begins)) if begins and ends else 0.0


def used_table(profile: dict[str, Any], by_phase: bool, shown: Callable[[str], str] = str) -> Table:
    """shown: how a site's name is written for people."""
    rows = used_rows(profile, by_phase)
    period = profile["objects"]["period"]
    levels = ["ahead" if level == "prefetcher" else level for level in LEVELS[1:]]
    numbers = (*([] if by_phase else ["objects"]), "bytes", "touches", *levels, "latency", "used", "lanes")
    table = tables.plain_table("site", *(["phase"] if by_phase else []), *numbers, right=numbers)
    for column in table.columns[: 1 + by_phase]:
        column.overflow = "fold"
    for row in rows[:SHOWN]:
        table.add_row(
            escape(shown(row.name)),
            escape(row.phase) if by_phase else str(row.objects),
            format_bytes(row.bytes),
            format_count(row.touches * period),
            *(_percent(count, row.known) for count in row.levels[1:]),
            format_time(row.latency_ns) if row.latency_ns else tables.NOTHING,
            _percent(row.used_ns, row.there_ns if row.touches and row.timed else 0),
            f"{row.touches / row.most:.1f}" if row.most else tables.NOTHING,
        )
    if len(rows) > SHOWN:
        table.caption = f"the first {SHOWN} of {len(rows)}"
    return table


def _percent(part: float, whole: float) -> str:
    return f"{100 * part / whole:.0f} %" if whole else tables.NOTHING


def used_lines(profile: dict[str, Any], by_phase: bool) -> list[str]:
    """What a reader must know of the table."""
    life = "the phase" if by_phase else "its life"
    lines = [
        f"{profile['command'][0]} on {profile['machine']}, {profile['threads']} threads; one touch in "
        f"{profile['objects']['period']:g} was sampled",
        "l2 to memory: who had the line, else l1; ahead: it was on its way; latency: of loads that waited for memory; "
        f"used: from the first to the last sample, of {life}; lanes: touches over those of the lane with the most",
    ]
    if any(use.first_ns is None for item in profile["objects"]["objects"] for use in uses_of(item)):
        lines.append("the profile is of an older version and does not tell when, or who had the lines: make it again")
    return lines
