"""The small commands, which tell something and run nothing."""

from __future__ import annotations

import sys
from typing import Annotated

import typer
from rich.markup import escape

from lbhm import __version__
from lbhm.library.library import policies, settings
from lbhm.output import output
from lbhm.output.tables import plain_table
from lbhm.program import compiler_wrapper

app = typer.Typer()
_HEAD = """# Settings

The runtime reads these environment variables once, when the program starts. `lbhm run` and `lbhm compare` set most of
them from their options. This page is generated: `lbhm settings --markdown`.

| variable | default | unit | what it does |
|---|---|---|---|
"""


@app.command("policies")
def policies_command() -> None:
    """List the policies that there are."""
    table = plain_table("policy", "what it does")
    for policy in policies():
        table.add_row(escape(policy["name"]), escape(policy["sentence"]))
    output.console().print(table)


@app.command("settings")
def settings_command(
    markdown: Annotated[bool, typer.Option("--markdown", help="As docs/settings.md.")] = False,
) -> None:
    """List the settings of the runtime: environment variables with default and unit."""
    if markdown:
        sys.stdout.write(settings_page())
        return
    table = plain_table("variable", "default", "unit", "what it does", whole=["variable"])
    for setting in settings():
        table.add_row(*(escape(setting[key]) for key in ("environment", "default", "unit", "sentence")))
    output.console().print(table)


def settings_page() -> str:
    """docs/settings.md"""
    rows = []
    for setting in settings():
        default = f"`{setting['default']}`" if setting["default"] else "(none)"
        rows.append(f"| `{setting['environment']}` | {default} | {setting['unit']} | {setting['sentence']} |\n")
    return _HEAD + "".join(rows)


@app.command("cflags")
def cflags_command(
    emulate: Annotated[bool, typer.Option("--emulate", help="For the emulated machine: instrumented.")] = False,
) -> None:
    """Print the flags with which clang-19 builds a program for LB-HM."""
    sys.stdout.write(" ".join(compiler_wrapper.flags(emulate)) + "\n")


def _compiler_command(name: str) -> None:
    """For the list of commands; __main__ is quicker, and takes these before they come here."""
    compiler, *_ = compiler_wrapper.COMPILERS[name]

    def command(context: typer.Context) -> None:
        compiler_wrapper.compile_as(name, context.args)

    summary = f'Be {compiler} with LB-HM\'s flags: "lbhm {name}", "lbhm {name} --emulate" for the emulated machine.'
    anything = {"ignore_unknown_options": True, "allow_extra_args": True}
    app.command(name, help=summary, context_settings=anything, add_help_option=False)(command)


for _name in compiler_wrapper.COMPILERS:
    _compiler_command(_name)


@app.command("version")
def version_command() -> None:
    """Print the version."""
    sys.stdout.write(f"lbhm {__version__}\n")
