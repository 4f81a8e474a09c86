"""The commands that tell something and run nothing."""

from __future__ import annotations

import sys
from typing import Annotated

import typer
from rich.markup import escape

from lbhm import __version__, cli_machine, output, settings, tables
from lbhm.build_tree import find_build
from lbhm.doctor import able, doctor_json, doctor_table
from lbhm.errors import Refusal
from lbhm.examine import examine
from lbhm.library import policies
from lbhm.options import Json
from lbhm.program import check_json_target

app = typer.Typer()
app.add_typer(cli_machine.app, name="machine")


@app.command("doctor")
def doctor_command(json_file: Json = None) -> None:
    """Show what works here, and what to do about what does not."""
    check_json_target(json_file)
    findings = examine()
    output.write_json(json_file, doctor_json(findings))
    console = output.console()
    console.print(doctor_table(findings))
    if not able(findings):
        console.print("Programs cannot run on the emulated machine here: see what is marked NO.")
        raise typer.Exit(2)
    console.print("Programs can run on the emulated machine here.")


@app.command("policies")
def policies_command() -> None:
    """List the policies that there are."""
    table = tables.plain_table("policy", "what it does")
    for policy in policies():
        table.add_row(escape(policy["name"]), escape(policy["sentence"]))
    output.console().print(table)


@app.command("settings")
def settings_command(
    markdown: Annotated[bool, typer.Option("--markdown", help="As docs/settings.md.")] = False,
) -> None:
    """List the settings of the runtime: environment variables with default and unit."""
    if markdown:
        sys.stdout.write(settings.as_markdown())
    else:
        output.console().print(settings.as_table())


@app.command("cflags")
def cflags_command(
    emulate: Annotated[bool, typer.Option("--emulate", help="For the emulated machine: instrumented.")] = False,
) -> None:
    """Print the flags with which clang++-19 builds a program for LB-HM."""
    build = find_build()
    plugin = build.plugin if emulate else build.patterns
    if not plugin.is_file():
        raise Refusal(f"{plugin}: the plugin is not built here; run ./quickstart, or set LBHM_BUILD")
    flags = ["-fopenmp", f"-I{build.include}", f"-fpass-plugin={plugin}"]
    sys.stdout.write(" ".join(flags) + "\n")


@app.command("version")
def version_command() -> None:
    """Print the version."""
    sys.stdout.write(f"lbhm {__version__}\n")
