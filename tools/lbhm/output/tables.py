"""The one look of all tables that a person reads with pleasure."""

from __future__ import annotations

from typing import Any

from rich import box
from rich.table import Table

NOTHING = "–"


def plain_table(*columns: str, right: tuple[str, ...] = ()) -> Table:
    """The one look of all tables: a rule under the headings, no frame."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1))
    for column in columns:
        table.add_column(column, justify="right" if column in right else "left", no_wrap=column in right)
    return table


def or_nothing(value: float | None, show: Any) -> str:
    return NOTHING if value is None else show(value)
