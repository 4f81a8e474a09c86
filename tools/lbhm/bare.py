"""What the command can say with Python's standard library alone, where its packages are missing: --version, --help and
doctor. __main__ comes here when typer is not there."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

from lbhm import __version__

_HELP = ("-h", "--help", "help")
_VERSION = ("--version", "version")


def answers(words: list[str]) -> bool:
    """Whether this module can do what the command line asks for."""
    return not words or words[0] in (*_HELP, *_VERSION) or words == ["doctor"]


def answer(words: list[str], missing: str) -> int:
    """Does it. missing: what to do for the other commands. Returns the exit status."""
    if not words or words[0] in _HELP:
        sys.stdout.write(_help(missing))
        return 0
    if words[0] in _VERSION:
        sys.stdout.write(f"lbhm {__version__}\n")
        return 0
    return _doctor(missing)


def _help(missing: str) -> str:
    rows = "".join(f"  {name:<12}{sentence}\n" for name, sentence in sorted(_commands()))
    return f"Usage: lbhm COMMAND [OPTIONS] [-- PROGRAM [ARGUMENTS]]\n\nCommands:\n{rows}\n{missing}\n"


def _commands() -> Iterator[tuple[str, str]]:
    """(name, first sentence of its docstring) of what has @app.command("name") in front."""
    for file in Path(__file__).parent.glob("cli_*.py"):
        for function in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if not isinstance(function, ast.FunctionDef):
                continue
            for decorator in function.decorator_list:
                if isinstance(decorator, ast.Call) and ast.unparse(decorator.func) == "app.command":
                    yield ast.literal_eval(decorator.args[0]), (ast.get_docstring(function) or "").partition("\n")[0]


def _doctor(missing: str) -> int:
    from lbhm.doctor import MARKS, able
    from lbhm.examine import examine

    findings = examine()
    for finding in findings:
        said = "; ".join(filter(None, (finding.found, finding.remedy)))
        sys.stdout.write(f"{finding.what:<20}{MARKS[finding.state]:<5}{said}\n")
    sys.stdout.write(f"{missing}\n")
    return 0 if able(findings) else 2
