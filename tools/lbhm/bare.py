"""What the command can say with Python's standard library alone, where its packages are missing: --version, --help and
doctor. __main__ comes here when typer is not there."""

from __future__ import annotations

import sys
from pathlib import Path

from lbhm import __version__
from lbhm.bare_help import commands, help_of, sentence_of

_HELP = ("-h", "--help", "help")
_VERSION = ("--version", "version")


def answers(words: list[str]) -> bool:
    """Whether this module can do what the command line asks for."""
    doctor = words[:1] == ["doctor"] and (len(words) == 1 or _json_of(words) is not None)
    return not words or words[0] in (*_HELP, *_VERSION) or doctor or _asks_help(words)


def answer(words: list[str], missing: str) -> int:
    """Does it. missing: what to do for the other commands. Returns the exit status. Raises Refusal."""
    if words and words[0] in _VERSION:
        sys.stdout.write(f"lbhm {__version__}\n")
    elif _asks_help(words) and (named := _command(words)):
        sys.stdout.write(help_of(named))
    elif words[:1] == ["doctor"]:
        return _doctor(_json_of(words), missing)
    else:
        sys.stdout.write(_help(missing))
    return 0


def _asks_help(words: list[str]) -> bool:
    """Of a command, or of the group `machine`."""
    named = _command(words) or "machine"
    count = len(named.split())
    return words[:count] == named.split() and words[count : count + 1] in (["-h"], ["--help"])


def _command(words: list[str]) -> str | None:
    known = commands()
    return next((name for name in (" ".join(words[:2]), " ".join(words[:1])) if name in known), None)


def _json_of(words: list[str]) -> Path | None:
    """The file of `doctor --json FILE`."""
    option, _, value = " ".join(words[1:2]).partition("=")
    values = [value] if value else words[2:3]
    whole = option == "--json" and len(words) == 3 - bool(value)
    return Path(values[0]) if whole and values and values[0] not in ("", "--") else None


def _help(missing: str) -> str:
    rows = "".join(f"  {name:<18}{sentence_of(function)}\n" for name, function in commands().items())
    return f"Usage: lbhm COMMAND [OPTIONS] [-- PROGRAM [ARGUMENTS]]\n\nCommands:\n{rows}\n{missing}\n"


def _doctor(json_file: Path | None, missing: str) -> int:
    from lbhm.doctor.doctor import MARKS, able, doctor_json
    from lbhm.doctor.examine import examine
    from lbhm.output.result_file import STDOUT, check_target, write_json

    if json_file:
        check_target(json_file, "--json")
    findings = examine()
    write_json(json_file, doctor_json(findings))
    table = sys.stderr if str(json_file) in STDOUT else sys.stdout
    for finding in findings:
        said = "; ".join(filter(None, (finding.found, finding.remedy)))
        table.write(f"{finding.what:<20}{MARKS[finding.state]:<5}{said}\n")
    table.write(f"All commands but doctor, --version and --help need packages: {missing}\n")
    return 0 if able(findings) else 2
