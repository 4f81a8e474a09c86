"""The command `lbhm profile`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer
from rich.markup import escape
from rich.table import Table

from lbhm.base.units import format_count, format_factor, format_share, format_time
from lbhm.execute.auto_machine import AUTO
from lbhm.execute.ending import failure
from lbhm.execute.execute import REFERENCE
from lbhm.execute.prepare import check_given, make_setup
from lbhm.files.use_rows import rows, uses_of
from lbhm.options.options import WORDS, Heap, Machine, Seed, Threads, Words
from lbhm.output import output, tables
from lbhm.program.symbols import readable

SHOWN = 12  # blocks in the table: those that take most of the time in slow memory
app = typer.Typer()


@app.command("profile", context_settings=WORDS)
def profile_command(
    words: Words = None,
    file: Annotated[Path, typer.Option("--output", metavar="FILE", help="Where the profile is written.")] = Path(
        "profile.json"
    ),
    machine: Machine = AUTO,
    heap: Heap = None,
    threads: Threads = None,
    seed: Seed = 1,
) -> None:
    """Measure what a program uses its objects for, and what its basic blocks take in slow and in fast memory."""
    # Here: scipy takes longer to import than other commands take to run.
    from lbhm.profile.profile import profile, runs_of

    setup, _ = make_setup(words, machine, threads, seed, heap)
    check_given(setup, [REFERENCE])
    with output.RunProgress(runs_of(setup.machine)) as progress:
        found, outcome = profile(setup, progress)
    output.write_json(file, found)
    for why in found["why"]:
        output.say(why)
    if found["objects"]:
        output.notes([objects_line(found)])
    if found["blocks"]:
        output.console().print(profile_table(found["blocks"]))
        output.notes([blocks_line(found)])
    output.notes([f"written to {file}"])
    if outcome.status:
        raise failure(setup.command[0], [REFERENCE], outcome.status, outcome.words)


def objects_line(found: dict[str, Any]) -> str:
    objects = found["objects"]
    seen = sum(use.touches for item in objects["objects"] for use in uses_of(item))
    other = sum(use.touches for use in rows(objects["elsewhere"]))
    lost = f", {objects['lost_samples']} were lost" if objects["lost_samples"] else ""
    return (
        f"{len(objects['objects'])} objects of {len({item['site'] for item in objects['objects']})} sites, "
        f"{len(objects['phases'])} phases; {sampled(objects)}: {seen} samples of objects, "
        f"{other} elsewhere{lost}"
    )


def blocks_line(found: dict[str, Any]) -> str:
    tasks, residual = found["blocks"]["tasks"], found["blocks"]["residual"]
    return (
        f"{found['machine']}: {tasks} tasks; left unexplained: {format_share(residual['slow'])} of the time in slow "
        f"memory, {format_share(residual['fast'])} in fast memory"
    )


def sampled(objects: dict[str, Any]) -> str:
    what = {"misses": "access to main memory", "pages": "page fault"}.get(objects.get("source", ""), "touched line")
    return f"one {what} in {objects['period']:g} was sampled"


def profile_table(found: dict[str, Any]) -> Table:
    """The blocks that take the most time. found: the section `blocks`."""
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
