"""lbhm machine measure: the memory nodes of this machine, the tiers of another one, or a machine file of this one."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from lbhm import machine
from lbhm.base.errors import Refusal
from lbhm.measure import node_figures
from lbhm.measure.host_machine import NAME
from lbhm.measure.measure import measure
from lbhm.measure.measure_curves import measure_curves
from lbhm.measure.measure_emulated import measure_emulated
from lbhm.measure.measure_nodes import doubtful, measure_nodes
from lbhm.options.options import Json, NamedMachine, number
from lbhm.output import output, tables

_QUIET = "measure again when nothing else runs here"
File = Annotated[
    Path | None, typer.Option("--output", metavar="FILE", help=f"The file. [default: host.json; {NAME} with --emulate]")
]
Classes = Annotated[int | None, number("--classes", 1, 64, "There are so many speed classes. [default: found out]")]
Emulate = Annotated[bool, typer.Option("--emulate", help="Write a machine file for the emulated machine.")]
Curves = Annotated[
    bool, typer.Option("--curves", help="Measure latency under load, by share of reads, for a machine file.")
]
Slow = Annotated[
    float | None, typer.Option(metavar="TIMES", help="With --emulate: add a second tier that is so many times slower.")
]
Figures = Annotated[
    list[Path] | None,
    typer.Option(
        "--figures",
        metavar="FILE",
        help="With --emulate: take the medians of earlier measurements (their --json); may be repeated.",
    ),
]


def measure_command(
    name: NamedMachine = machine.HOST,
    file: File = None,
    classes: Classes = None,
    emulate: Emulate = False,
    curves: Curves = False,
    slow: Slow = None,
    figures_files: Figures = None,
    json_file: Json = None,
) -> None:
    """Measure the memory of a machine: latency, bandwidth, migration (leave this one alone meanwhile)."""
    if curves:
        if emulate or classes is not None or slow is not None or figures_files:
            raise Refusal("--curves: goes with --machine, --output and --json alone")
        _curves(name, file, json_file)
        return
    if emulate:
        if name != machine.HOST or classes is not None:
            raise Refusal("--emulate: writes a machine file of this machine; leave --machine and --classes out")
        _emulate(slow, figures_files or [], file, json_file)
        return
    if slow is not None or figures_files:
        raise Refusal("--slow and --figures: are for machine files to emulate; add --emulate")
    emulated = machine.choose_machine(name).emulated
    with output.steps() as begins:
        content = measure_emulated(name, begins, classes) if emulated else measure_nodes(begins, classes)
    target = file or (None if emulated else machine.host_figures())
    if target is not None and file is None:
        target.parent.mkdir(parents=True, exist_ok=True)
    output.write_json(target, content)
    output.write_json(json_file, content)
    _show(content, target)


def _show(content: dict[str, Any], target: Path | None) -> None:
    console = output.console()
    for table in (node_figures.tier_table, node_figures.measurement_table, node_figures.migration_table):
        if shown := table(content):
            console.print(shown)
    if line := node_figures.unimem_line(content):
        console.print(line, markup=False, soft_wrap=True)
    for sentence in doubtful(content):
        output.say(sentence)
    if names := node_figures.loud(content):
        output.say(f"repetitions lay far apart: {', '.join(names)}; {_QUIET}")
    if target is not None:
        console.print(f"written to {target}", markup=False, soft_wrap=True)
    if target is not None and content["kind"] == "host" and len(content["tiers"]) > 1:
        setting = f"LBHM_TIERS={target.absolute()}"
        console.print(f"programs have these tiers with {setting}", markup=False, soft_wrap=True)


def _curves(name: str, file: Path | None, json_file: Path | None) -> None:
    emulated = machine.choose_machine(name).emulated
    with output.steps() as begins:
        content = measure_curves(name, emulated, begins)
    output.write_json(file, content)
    output.write_json(json_file, content)
    console = output.console()
    for tier in content["tiers"]:
        console.print(node_figures.curves_table(tier))
    for remark in filter(None, (tier["remark"] for tier in content["tiers"])):
        output.say(remark)
    if file is not None:
        sentence = f'written to {file}; each "curves" can stand in a tier of a machine file (docs/machine-files.md)'
        console.print(sentence, markup=False, soft_wrap=True)


def _emulate(slow: float | None, earlier: list[Path], file: Path | None, json_file: Path | None) -> None:
    target = file or machine.user_folder() / f"{NAME}.json"
    with output.steps() as begins:
        content, figures = measure(slow, earlier, begins)
    if file is None:
        target.parent.mkdir(parents=True, exist_ok=True)
    output.write_json(target, content | {"name": target.stem})
    output.write_json(json_file, {"file": str(target), "figures": figures.found})
    console = output.console()
    table = tables.plain_table("figure", "value", "spread")
    for name, figure in figures.found.items():
        cells = (f"{figure['value']:.4g}", f"{figure['spread']:.0%}") if figure else ("not measurable here", "")
        table.add_row(name, *cells)
    console.print(table)
    if loud := figures.doubtful():
        output.say(f"repetitions lay far apart: {', '.join(loud)}; {_QUIET}")
    named = target.stem if file is None else target if "/" in str(target) else f"./{target}"
    console.print(f"written to {target}; use it with --machine {named}", markup=False, soft_wrap=True)
