"""The objects of a run by the calls that led to them, as a tree (schema lbhm.objects/1)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from rich.markup import escape
from rich.table import Table

from lbhm.base.units import format_bytes, format_count, format_share
from lbhm.output import tables

Row = dict[str, Any]


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
