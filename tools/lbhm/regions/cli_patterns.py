"""lbhm patterns: what the compiler found in the program's loops."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape

from lbhm.base.errors import Refusal
from lbhm.options.options import Json
from lbhm.output import output
from lbhm.output.tables import NOTHING
from lbhm.program.elf import inspect
from lbhm.program.program import find_program
from lbhm.regions.patterns import lines_of, modules_in, patterns_file, stale_sources, table_of

app = typer.Typer()


@app.command("patterns")
def patterns_command(
    program: Annotated[str, typer.Argument(help="A program or library that was built with the plugin.")],
    parallel: Annotated[bool, typer.Option("--parallel", help="Only what stands in parallel constructs.")] = False,
    json_file: Json = None,
) -> None:
    """Show with which patterns a program's loops access its data."""
    path = Path(program) if Path(program).is_file() else find_program(program)
    files = [path, *inspect(path).libraries.values()]
    modules = [module for file in files for module in modules_in(file)]
    if not modules:
        raise Refusal(
            f"{program}: it has no access patterns; build it with lbhm c++ (lbhm cc, lbhm fc) and -O1 or more "
            "(code of other compilers is classified while it runs)"
        )
    output.write_json(json_file, patterns_file(path, modules))
    lines = [line for module in modules for line in lines_of(module, parallel)]
    console = output.console()
    console.print(table_of(lines))
    if all(line.line == NOTHING for line in lines):
        console.print(" built without -g: there are neither names of variables nor source lines")
    for source in stale_sources(modules):
        console.print(escape(f" {source} was changed since: build the program again"), soft_wrap=True)
