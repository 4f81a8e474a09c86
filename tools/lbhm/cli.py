"""The command line: which module has which command. Only that of the command that was named is imported."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from typing import Annotated

import typer
from typer.completion import completion_init

from lbhm.base.errors import Refusal, refuse
from lbhm.base.signals import Stopped, stop_as_exception
from lbhm.options.command_line import Command, UsageError, usage_refusal
from lbhm.output import streams
from lbhm.packages import COMPLETING

# Where each command is, in the order of --help. Importing all of them takes longer than most commands.
MODULES = {
    "run": "run.cli_run",
    "compare": "compare.cli_compare",
    "report": "report.cli_report",
    "objects": "objects.cli_objects",
    "profile": "profile.cli_profile",
    "optimize": "optimize.cli_optimize",
    "regions": "regions.cli_regions",
    "train": "train.cli_train",
    "doctor": "doctor.cli_doctor",
    **dict.fromkeys(("policies", "settings", "cflags", "cc", "c++", "fc", "version", "--version"), "library.cli_info"),
    "machine": "measure.cli_machine",
    "patterns": "regions.cli_patterns",
}


def application(words: Sequence[str] = ()) -> typer.Typer:
    """lbhm with the command that `words` begin with; with all of them if they begin with none."""
    app = typer.Typer(
        help="Load-balance-aware data placement for OpenMP on machines with several memories.",
        no_args_is_help=True,
        add_completion=False,
        context_settings={"help_option_names": ["-h", "--help"]},
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
    )
    app.callback()(_options)
    named = MODULES.get(words[0]) if words else None
    for module in [named] if named else dict.fromkeys(MODULES.values()):
        app.add_typer(import_module(f"lbhm.{module}").app)
    _hold_to_rules(app)
    return app


def _hold_to_rules(app: typer.Typer) -> None:
    """command_line.py holds for all commands, those of groups too."""
    for command in app.registered_commands:
        command.cls = Command
    for group in app.registered_groups:
        _hold_to_rules(group.typer_instance)


def _say_version(wanted: bool) -> None:
    if wanted:
        from lbhm.library.cli_info import version_command

        version_command()
        raise typer.Exit


def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_say_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    pass


def main() -> None:
    """The entry of the command: every expected failure is one sentence on stderr and an exit status."""
    stop_as_exception()
    completing = COMPLETING in os.environ  # then the words are there, too
    if completing:
        completion_init()
    words = [] if completing else sys.argv[1:] or ["--help"]
    named = {"args": None if completing else words, "prog_name": "lbhm", "standalone_mode": False}
    sys.exit(streams.written(lambda: _end_of(lambda: application(words)(**named))))


def _is_here() -> bool:
    try:
        return Path.cwd().is_dir()
    except OSError:
        return False


def _end_of(command: Callable[[], int | None]) -> int | str | None:
    """Its exit status; expected failures are said."""
    try:
        return command() or 0
    except SystemExit as end:
        return end.code
    except Refusal as refusal:
        return refuse(refusal)
    except UsageError as error:
        return refuse(usage_refusal(error))
    except OSError as error:  # such as tempfile's, where no file can be written
        if not _is_here():
            return refuse(Refusal("the folder that this command was started in is gone; go to another one: cd"))
        what = f"{error.filename}: {error.strerror}" if error.filename else error.strerror or error
        sys.stderr.write(
            f"lbhm: {what}; make room, lift the limit of files' sizes, or set TMPDIR to a writable folder\n"
        )
        return streams.UNWRITTEN
    except RecursionError:
        sys.stderr.write("lbhm: a file that was named is nested too deep; name one that LB-HM wrote\n")
        return 2
    except Stopped as stopped:
        sys.stderr.write("lbhm: stopped; the program was ended, and nothing was written\n")
        return stopped.status
