"""How the objects of a run look (schema lbhm.objects/1): as a table, and as a tree by the calls that led to them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from rich.markup import escape
from rich.table import Table

from lbhm.base.units import format_bytes, format_count, format_share
from lbhm.output import tables

SHOWN = 40
_NAME = 60  # characters of an object and of a phase at most, where both have a column

Row = dict[str, Any]


def object_table(found: dict[str, Any], by_lane: bool) -> Table:
    """The objects with the most accesses first."""
    rows = found["objects"]
    planned = any("planned_bytes" in row for row in rows)
    by_phase = any("phase" in row for row in rows)
    texts = ["object", *(["phase"] if by_phase else [])]
    numbers = ["objects", "bytes", *(["lane"] if by_lane else []), "accesses", "share"]
    extra = ["fast", "patterns"] if planned and not by_lane else []  # which are of no lane
    table = tables.plain_table(*texts, *numbers, *extra, right=(*numbers, *extra[:1]))
    for column in table.columns[1:]:
        column.overflow = "fold"
    total = sum(row["accesses"] or 0 for row in rows)
    for row in rows[:SHOWN]:
        names = [tables.CutName(row[key], _NAME) for key in ("shown", *(["phase_shown"] if by_phase else []))]
        for cells in _lines(row, total, by_lane):
            table.add_row(*names, *map(escape, cells), *(_planned(row) if extra else []))
    if len(rows) > SHOWN:
        table.caption = f"the {SHOWN} with the most accesses of {len(rows)}; --json FILE has all"
    return table


def _lines(row: Row, total: float, by_lane: bool) -> Iterator[list[str]]:
    """The cells but for names and the plan's; by lane, a line for each with accesses."""
    begin = [str(row["objects"]), format_bytes(row["bytes"])]
    if not by_lane or not row["by_lane"]:
        lane = [tables.NOTHING] if by_lane else []
        yield [*begin, *lane, tables.or_nothing(row["accesses"], format_count), _share(row["accesses"], total)]
        return
    for lane, accesses in sorted(row["by_lane"].items(), key=lambda item: int(item[0])):
        yield [*begin, lane, format_count(accesses), _share(accesses, total)]


def _planned(row: Row) -> list[str]:
    return [_share(row["planned_fast_bytes"], row["planned_bytes"]), escape(" ".join(row["patterns"]))]


def _share(part: float | None, whole: float) -> str:
    return tables.NOTHING if part is None or not whole else format_share(part / whole)


def object_lines(found: dict[str, Any], named: bool, phases: bool = False) -> list[str]:
    """What a reader must know of the table. named: the program is here, so places have names. phases: asked for."""
    lines = [f"{found['program'] or 'a program'} under {found['policy']} on {found['machine']}"]
    if not found["objects"]:
        lines.append(
            "the report has no objects: it knows those that the program names in LB_HM_config (docs/using.md), from "
            "the second time on; lbhm objects -- ./app counts all on an emulated machine, with those of malloc"
        )
    elif found["source"] == "plans":
        lines.append(
            "of the instances that were planned: the most objects and bytes of one, all accesses that were counted; "
            "fast: the share of the bytes that the last plan had in fast memory"
        )
    else:
        lines += _of_counts(found)
    if phases and not any("phase" in row for row in found["objects"]):
        lines.append(f"--phases: nothing can be told by phase, for {_no_phases(found)}")
    if found["objects"] and not named:
        lines.append("the program is not here, so places keep their offsets; show the report where the program is")
    return lines


def _of_counts(found: dict[str, Any]) -> Iterator[str]:
    if any("phase" in row for row in found["objects"]):
        yield (
            "of each parallel region the objects that its tasks accessed in main memory, with all their bytes, and how "
            "often they did, counted exactly; objects that no region accessed are left out"
        )
    else:
        yield (
            "all objects of the run, in pages that were accessed, and all accesses of tasks to main memory, "
            "counted exactly"
        )
    if any(row["name"].startswith("site ") for row in found["objects"]):
        yield "a site is a place in the program and the calls that led there; the report tells 4,096 of them"


def _no_phases(found: dict[str, Any]) -> str:
    if found["source"] == "exact counts":
        return "the counts name no parallel region"
    return "the report has no plans; lbhm objects --phases -- ./app counts by parallel region on an emulated machine"


@dataclass
class Node:
    """A call, and all objects that it led to."""

    name: str
    objects: int = 0
    bytes: int = 0
    accesses: float = 0
    calls: dict[str, Node] = field(default_factory=dict)

    def add(self, row: Row) -> None:
        self.objects += row["objects"]
        self.bytes += row["bytes"]
        self.accesses += row["accesses"] or 0


def tree_of(rows: list[Row]) -> Node:
    """The root stands for the program, and below it are its phases if rows have them. Objects with a name, and those of
    several sites, have no calls above them."""
    root = Node("")
    for row in rows:
        path = row["sites"][0]["calls"] if len(row["sites"]) == 1 else []
        node = root
        node.add(row)
        phase = [row["phase_shown"]] if "phase" in row else []
        for name in [*phase, *reversed(path[1:]), row["shown"]]:
            node = node.calls.setdefault(name, Node(name))
            node.add(row)
    return root


def tree_table(found: dict[str, Any]) -> Table:
    """A line a call, indented below the one that it came from; those with the most accesses first."""
    numbers = ("objects", "bytes", "accesses", "share")
    table = tables.plain_table("calls", *numbers, right=numbers)
    table.columns[0].overflow = "fold"
    root = tree_of(found["objects"])
    for depth, node in _walk(root, 0):
        share = format_share(node.accesses / root.accesses) if root.accesses else tables.NOTHING
        cells = (str(node.objects), format_bytes(node.bytes), format_count(node.accesses), share)
        table.add_row("  " * depth + escape(node.name), *cells)
    return table


def _walk(node: Node, depth: int) -> Iterator[tuple[int, Node]]:
    for call in sorted(node.calls.values(), key=lambda call: (-call.accesses, -call.bytes, call.name)):
        yield depth, call
        yield from _walk(call, depth + 1)
