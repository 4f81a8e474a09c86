"""The command `lbhm profile`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer
from rich.markup import escape
from rich.table import Table

from lbhm import output, tables
from lbhm.options import WORDS, Machine, Seed, Threads, Words
from lbhm.prepare import make_setup
from lbhm.symbols import readable
from lbhm.units import format_count, format_factor, format_share, format_time

SHOWN = 12  # blocks in the table: those that take most of the time in slow memory
app = typer.Typer()


@app.command("profile", context_settings=WORDS)
def profile_command(
    words: Words = None,
    file: Annotated[Path, typer.Option("--output", metavar="FILE", help="Where the profile is written.")] = Path(
        "profile.json"
    ),
    machine: Machine = "optane",
    threads: Threads = 12,
    seed: Seed = 1,
) -> None:
    """Measure what a program's basic blocks take in slow and in fast memory."""
    from lbhm.profile import profile  # here: scipy takes longer to import than other commands take to run

    setup, _ = make_setup(words, machine, threads, seed, file)
    with output.RunProgress(2) as progress:
        found = profile(setup, progress)
    output.write_json(file, found)
    console = output.console()
    console.print(profile_table(found))
    residual = found["residual"]
    console.print(
        escape(
            f" {found['machine']}: {found['tasks']} tasks; left unexplained: {format_share(residual['slow'])} of the "
            f"time in slow memory, {format_share(residual['fast'])} in fast memory; written to {file}"
        ),
        style="dim",
        soft_wrap=True,
    )


def profile_table(found: dict[str, Any]) -> Table:
    """The blocks that take the most time."""
    numbers = ("executions", "slow", "fast", "ratio", "share")
    table = tables.plain_table("function", "lines", *numbers, right=numbers)
    blocks = [counter for module in found["modules"] for counter in module["counters"] if counter["executions"]]
    total = sum(block["executions"] * block["slow_ns"] for block in blocks) or 1
    blocks.sort(key=lambda block: -block["executions"] * block["slow_ns"])
    for block in blocks[:SHOWN]:
        lines = block["lines"]
        table.add_row(
            escape(readable(block["function"])),
            f"{lines[0]}-{lines[1]}" if lines else tables.NOTHING,
            format_count(block["executions"]),
            format_time(block["slow_ns"]),
            format_time(block["fast_ns"]),
            format_factor(block["slow_ns"] / block["fast_ns"]) if block["fast_ns"] else tables.NOTHING,
            format_share(block["executions"] * block["slow_ns"] / total),
        )
    return table
