"""The runtime's table of settings, for a terminal and as docs/settings.md."""

from __future__ import annotations

from rich.markup import escape
from rich.table import Table

from lbhm.library.library import settings
from lbhm.output.tables import plain_table

_HEAD = """# Settings

The runtime reads these environment variables once, when the program starts. `lbhm run` and `lbhm compare` set most of
them from their options. This page is generated: `lbhm settings --markdown`.

| variable | default | unit | what it does |
|---|---|---|---|
"""


def as_table() -> Table:
    table = plain_table("variable", "default", "unit", "what it does")
    table.columns[0].no_wrap = True
    for setting in settings():
        table.add_row(*(escape(setting[key]) for key in ("environment", "default", "unit", "sentence")))
    return table


def as_markdown() -> str:
    rows = []
    for setting in settings():
        default = f"`{setting['default']}`" if setting["default"] else "(none)"
        rows.append(f"| `{setting['environment']}` | {default} | {setting['unit']} | {setting['sentence']} |\n")
    return _HEAD + "".join(rows)
