"""The commands about machines: which there are, what is in their files, whether a file is right, what this one is."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape

from lbhm import machine
from lbhm.base.errors import Refusal
from lbhm.library.library import checked_machine
from lbhm.measure.cli_measure import measure_command
from lbhm.measure.curves import without_curves
from lbhm.measure.stencils import by_shape, measure_stencils
from lbhm.options.options import Json
from lbhm.output import output, tables

NO_CURVES = "latency under load by a formula, without measured curves"

app = typer.Typer()
machines = typer.Typer(help="The machines to run on.", no_args_is_help=True, rich_markup_mode=None)
app.add_typer(machines, name="machine")


@machines.command("list")
def list_command(json_file: Json = None) -> None:
    """List the machines that there are."""
    rows: list[tuple[str, str, str | None, list[str]]] = [(machine.HOST, "this machine, as it is", None, [])]
    unreadable: list[str] = []
    for path in machine.machine_files():
        try:
            content = machine.read_machine(path)
        except Refusal as refusal:  # it hides no other machine
            unreadable.append(refusal.sentence)
            continue
        rows.append((path.stem, str(content.get("description", "")), str(path), without_curves(content)))
    table = tables.plain_table("machine", "what it is", "without curves")
    for name, description, _, tiers in rows:
        table.add_row(escape(name), escape(description), escape(", ".join(tiers)))
    keys = ("name", "description", "file", "without_curves")
    output.write_json(json_file, {"machines": [dict(zip(keys, row, strict=True)) for row in rows]})
    output.console().print(table)
    for sentence in unreadable:
        output.say(sentence)


@machines.command("show")
def show_command(
    name: Annotated[str, typer.Argument(help="A name of lbhm machine list, or a machine file.")],
    json_file: Json = None,
) -> None:
    """Show a machine's numbers and where they come from."""
    content = machine.read_machine(machine.file_of(name))
    output.write_json(json_file, content)
    table = tables.plain_table("key", "value", "source")
    for row in machine.entries(content):
        table.add_row(*map(escape, row))
    console = output.console()
    console.print(table)
    if tiers := without_curves(content):
        console.print(f"{NO_CURVES}: {', '.join(tiers)}", markup=False, soft_wrap=True)


@machines.command("check")
def check_command(file: Annotated[Path, typer.Argument(help="A machine file (docs/machine-files.md).")]) -> None:
    """Check a machine file of your own, as the emulated machine would."""
    checked_machine(file)
    output.console().print(f"{file}: the emulated machine can be this machine", markup=False, soft_wrap=True)


machines.command("measure")(measure_command)


@machines.command("alpha")
def alpha_command(
    file: Annotated[Path, typer.Option("--output", metavar="FILE", help="The file, for LBHM_ALPHA.")],
    name: Annotated[str, typer.Option("--machine", help="A name of lbhm machine list, or a machine file.")] = "optane",
) -> None:
    """Measure the main-memory accesses of stencils, by size (up to a minute)."""
    with output.steps() as begins:
        begins(f"stencils on {name}")
        content = measure_stencils(name)
    output.write_json(file, content)
    table = tables.plain_table("stencil", "element", "per element, smallest", "largest")
    for shape, rows in by_shape(content["stencils"]).items():
        least, most = rows[0]["accesses_per_element"], rows[-1]["accesses_per_element"]
        table.add_row(f"{shape[0]}D, {shape[1]} points", f"{shape[2]} bytes", f"{least:.4f}", f"{most:.4f}")
    console = output.console()
    console.print(table)
    console.print(f"written to {file}; use it with LBHM_ALPHA={file}", markup=False, soft_wrap=True)
