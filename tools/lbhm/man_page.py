"""python -m lbhm.man_page: lbhm.1 on stdout, from what lbhm --help says of itself and of every command."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import typer

from lbhm import __version__
from lbhm.cli import application

_END = """.SH SEE ALSO
The documentation of LB\\-HM, in
.I share/doc/lbhm
of the tree that LB\\-HM is installed in: command.md says more about every command and about exit statuses, install.md
where files are, settings.md which environment variables the runtime knows.
"""


def escaped(text: str) -> str:
    """As roff shows it: hyphens that can be copied, no line that is a request."""
    plain = " ".join(text.split()).replace("\\", "\\e").replace("-", "\\-")
    return f"\\&{plain}" if plain[:1] in (".", "'") else plain


def page() -> str:
    group = typer.main.get_command(application())
    with typer.Context(group, info_name="lbhm", **group.context_settings) as context:
        lines = [f'.TH LBHM 1 "" "LB\\-HM {__version__}" "User Commands"', ".SH NAME"]
        lines += [f"lbhm \\- {escaped(group.help or '')}", ".SH SYNOPSIS"]
        lines += [f".B lbhm\n{escaped(' '.join(group.collect_usage_pieces(context)))}"]
        lines += [".SH OPTIONS", *_options(group, context), ".SH COMMANDS"]
        for name, command in group.commands.items():
            lines += _command(name, command, context)
    return "\n".join(lines) + f"\n{_END}"


def _command(name: str, command: typer.core.TyperCommand, parent: typer.Context) -> Iterator[str]:
    """A section; of a group, a section for each of its commands."""
    with typer.Context(command, info_name=name, parent=parent) as context:
        inner = getattr(command, "commands", {})
        for inner_name, inner_command in inner.items():
            yield from _command(inner_name, inner_command, context)
        if not inner:
            pieces = " ".join([context.command_path, *command.collect_usage_pieces(context)])
            yield from (f".SS {escaped(pieces)}", escaped(command.help or ""), *_options(command, context))


def _options(command: typer.core.TyperCommand, context: typer.Context) -> Iterator[str]:
    for parameter in command.get_params(context):
        if record := parameter.get_help_record(context):
            yield from (".TP", f".B {escaped(record[0])}", escaped(record[1]))


if __name__ == "__main__":
    sys.stdout.write(page())
