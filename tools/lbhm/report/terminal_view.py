"""The pictures of a run as tables and bars of a terminal, within 80 columns."""

from __future__ import annotations

from itertools import zip_longest
from typing import Any

from rich.markup import escape
from rich.table import Table

from lbhm.base.units import format_bytes, format_count, format_share, format_time
from lbhm.output.output import console
from lbhm.output.tables import NOTHING, CutName, or_nothing, plain_table
from lbhm.report.picture import Picture

WIDTH = 80
_BAR = 22
_NAME = 24
_TASKS = 16  # with a bar each
_ROWS = 12
_SPARKS = " ▁▂▃▄▅▆▇█"


def show(picture: Picture) -> None:
    """Regions, objects, tiers. Of a comparison the tasks under the first and the last policy, and the objects under the
    latter."""
    out = console()
    wide = {"width": min(WIDTH, out.width)}
    for line in picture["lines"]:
        out.print(escape(line), style="bold", **wide)
    for table in (
        _ranks(picture),
        _regions(picture),
        *_bars(picture),
        _objects(picture),
        _lanes(picture),
        _tiers(picture),
    ):
        if table is not None:
            out.print(table, **wide)
    for run in picture["runs"][-1:]:
        for row in run["objects"][:_ROWS]:
            out.print(escape(f"{row['shown']}: {row['why']}"), **wide)
    for remark in picture["remarks"]:
        out.print(escape(f"remark: {remark}"), style="dim", **wide)


def _ranks(picture: Picture) -> Table | None:
    if picture["runs_are"] != "rank":
        return None
    numbers = ("time", "A.C.V.", "in fast", "migrated", "deciding")
    table = plain_table("rank", *numbers, right=numbers)
    for run in picture["runs"]:
        acv, share = or_nothing(run["acv"], "{:.3f}".format), or_nothing(run["fast_access_share"], format_share)
        times = format_time(run["makespan_ns"]), acv, share
        moved = format_bytes(run["migrated_bytes"]), format_time(run["decision_ns"])
        table.add_row(run["policy"].removeprefix("rank "), *times, *moved)
    return table


def _under(picture: Picture) -> str:
    """The run that is shown: under lbhm, of rank 3."""
    last = picture["runs"][-1]["policy"]
    return f"of {last}" if picture["runs_are"] == "rank" else f"under {last}"


def _title(text: str, table: Table) -> Table:
    table.title, table.title_justify, table.title_style = escape(text), "left", "bold"
    return table


def _regions(picture: Picture) -> Table:
    numbers = ("runs", "tasks", "time", "waiting", "last", "in fast")
    table = plain_table("region", *numbers, right=numbers)
    for region in picture["regions"][:_ROWS]:
        run = region["runs"][-1]
        last = f"{run['last']} ({run['times_last']}x)" if run["tasks"] > 1 else NOTHING
        table.add_row(
            CutName(region["name"], _NAME),
            str(run["instances"]),
            str(run["tasks"]),
            format_time(run["time"]),
            or_nothing(run["waiting"], format_share),
            last,
            or_nothing(run["fast"], format_share),
        )
    if len(picture["regions"]) > _ROWS:
        table.caption = f"the {_ROWS} longest of {len(picture['regions'])} regions; --html has more"
    under = f" {_under(picture)}" if len(picture["runs"]) > 1 else ""
    return _title(f"Regions{under}: how much of their time tasks wait for the last one", table)


def _bars(picture: Picture) -> list[Table]:
    """Of the region that takes longest: one instance before and after, or under two policies."""
    region = next((region for region in picture["regions"] if region["kept"]), None)
    if region is None:
        return []
    runs = picture["runs"]
    pairs = [(0, 0), (len(runs) - 1, 0)]
    if len(runs) == 1:  # the first instance, on which counts are taken, and the longest later one
        pairs = [(0, region["kept"].index(min(region["kept"]))), (0, 0)]
    sides = [
        (f"{runs[run]['policy']}, instance {region['kept'][place]}", region["runs"][run]["bars"][place])
        for run, place in dict.fromkeys(pairs)
        if region["runs"][run]["bars"][place]
    ]
    if not sides:
        return []
    return [_bar_table(region["name"], sides)]


def _bar_table(name: str, sides: list[tuple[str, dict[str, Any]]]) -> Table:
    table = plain_table("task", *(part for title, _ in sides for part in (title, "time")), right=("time",))
    longest = max(max((task[1] for task in side["tasks"]), default=0) for _, side in sides) or 1
    columns = [_bar_cells(side, longest) for _, side in sides]
    for number, cells in enumerate(zip_longest(*columns, fillvalue=("", ("", "")))):
        if number == _TASKS:
            table.caption = f"the first {_TASKS} tasks"
            break
        table.add_row(cells[0][0] or cells[-1][0], *(part for _, pair in cells for part in pair))
    return _title(f"{name}: █ at work, ░ waits for the last task", table)


def _bar_cells(side: dict[str, Any], longest: float) -> list[tuple[str, tuple[str, str]]]:
    end = max((task[1] for task in side["tasks"]), default=0)
    found = []
    for label, time, _ in side["tasks"]:
        work, all_of = round(_BAR * time / longest), round(_BAR * end / longest)
        last = "[bold]" if time == end else ""
        bar = f"{last}{'█' * work}{'[/]' if last else ''}[dim]{'░' * (all_of - work)}[/]"
        found.append((escape(label), (bar, format_time(time))))
    return found


def _objects(picture: Picture) -> Table | None:
    rows = picture["runs"][-1]["objects"]
    if not rows:
        return None
    numbers = ("bytes", "accesses", "in fast")
    table = plain_table("object", *numbers, "from begin to end", right=numbers)
    time = picture["runs"][-1]["time"]
    for place, row in enumerate(rows[:_ROWS]):
        table.add_row(
            CutName(row["shown"], _NAME),
            format_bytes(row["bytes"]),
            or_nothing(row["accesses"], format_count),
            or_nothing(row["fast"], format_share),
            _sparks(time["lies"][place][0], 18),
        )
    if len(rows) > _ROWS:
        table.caption = f"{_ROWS} of {len(rows)} objects; --html has all"
    return _title(f"Objects {_under(picture)}: the share of each in fast memory", table)


def _lanes(picture: Picture) -> Table | None:
    time = picture["runs"][-1]["time"]
    if time is None or not time["lanes"]:
        return None
    table = plain_table("lane", "from begin to end", right=("lane",))
    for lane in time["lanes"][:_ROWS]:
        table.add_row(str(lane["lane"]), _sparks(lane["served"][0], 48))
    if len(time["lanes"]) > _ROWS:
        table.caption = f"{_ROWS} of {len(time['lanes'])} lanes; --html has all"
    return _title(f"Lanes {_under(picture)}: the share of each one's accesses that fast memory serves", table)


def _tiers(picture: Picture) -> Table | None:
    time = picture["runs"][-1]["time"]
    if time is None or not (time["busy"] or time["used"]):
        return None
    table = plain_table(
        "tier", "size", "used", "bandwidth in use", "mean", "most", right=("size", "used", "mean", "most")
    )
    widths = [after - before for before, after in zip([0, *time["times"]], time["times"], strict=False)]
    for number, tier in enumerate(picture["tiers"]):
        busy = time["busy"][number] if time["busy"] else []
        mean = sum(width * part for width, part in zip(widths, busy, strict=False)) / (sum(widths) or 1)
        table.add_row(
            escape(tier["name"]),
            format_bytes(picture["runs"][-1]["capacity"] if number == 0 else tier["capacity_bytes"]),
            format_bytes(max(time["used"][number])) if time["used"] else NOTHING,
            _sparks(busy, _BAR),
            f"{mean:.0f} %",
            f"{max(busy, default=0):.0f} %",
        )
    return _title("Tiers, from begin to end", table)


def _sparks(line: list[float | None], width: int) -> str:
    """Means of equally many values; 100 is the highest, a dot is nothing to show."""
    width = min(width, len(line))
    parts = [line[at * len(line) // width : (at + 1) * len(line) // width] for at in range(width)]
    means = [[value for value in part if value is not None] for part in parts]
    return "".join(_SPARKS[round(sum(part) / len(part) / 100 * 8)] if part else "·" for part in means)
