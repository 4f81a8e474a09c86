"""What holds for the words of every command: an option has its value, and no result takes the place of what is read."""

from __future__ import annotations

import difflib
import os
import re
import shutil
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import Any

import typer
from typer.core import TyperCommand

from lbhm.base.errors import Refusal
from lbhm.output.result_file import STDOUT, check_target, take_stdout

UsageError = typer.BadParameter.__bases__[0]  # of the click that this typer has
_OUTPUTS = ("--json", "--html", "--trace", "--otf2", "--output")
_SEVERAL = ",..."  # ends the metavar of an option that takes several values, with commas
_AMOUNT = re.compile(r"[\d.]+[%KMG]")  # of memory: no program is called so
_FOLDERS = ("--otf2",)  # which are new, and say so themselves
_STREAMS = (
    ("the standard input is read from", "/dev/stdin"),
    ("the standard output goes to", "/dev/stdout"),
    ("the standard error goes to", "/dev/stderr"),
)
Named = tuple[str, Path]  # (what stands in front of it in a sentence, the file)


class Command(TyperCommand):
    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        if not ctx.resilient_parsing:
            _check_values(self, ctx, args)
        return super().parse_args(ctx, args)

    def invoke(self, ctx: Any) -> Any:
        check_outputs(list(_outputs(self, ctx)), list(_inputs(self, ctx)))
        return super().invoke(ctx)


def check_outputs(outputs: list[Named], inputs: list[Named]) -> None:
    """outputs: by option. Raises Refusal when one cannot be written, is written twice, or is an input."""
    for option, path in outputs:
        take_stdout(path)
        if option not in _FOLDERS:
            check_target(path, option)
    for (first, path), (second, other) in combinations(outputs, 2):
        if _same(path, other):
            raise Refusal(f"{second} {other}: {first} writes to the same; name another file for one of them")
    files = [named for named in outputs if str(named[1]) not in STDOUT]
    for option, path in files:
        for what, read in inputs:
            if _same(path, read):
                raise Refusal(f"{option} {path}: {what} that file, which would be overwritten; name another one")


def usage_refusal(error: Any) -> Refusal:
    """What the parser of the command line found, and where to look."""
    path = error.ctx.command_path if error.ctx else "lbhm"
    name = getattr(error, "option_name", None)
    if type(error).__name__ == "NoArgsIsHelpError":
        return Refusal(f"{path} does nothing by itself; write one of its commands behind it: {path} --help")
    if name and type(error).__name__ == "NoSuchOption":
        known = [opt for param in error.ctx.command.params for opt in param.opts]
        near = difflib.get_close_matches(name, known, 1)
        meant = f"did you mean {near[0]}? " if near else ""
        return Refusal(f"{name}: there is no such option of {path}; {meant}{path} --help lists them")
    message = error.format_message().rstrip(".").replace(". Did you", "; did you")
    end = "" if message.endswith("?") else ";"
    return Refusal(f"{message[:1].lower()}{message[1:]}{end} {path} --help shows what it takes")


def _check_values(command: Command, ctx: Any, args: list[str]) -> None:
    """Raises Refusal where an option's value was left out, so that it would take the next word for it."""
    options = {opt: param for param in command.get_params(ctx) for opt in (*param.opts, *param.secondary_opts)}
    words = iter(enumerate(args))
    for place, word in words:
        name, equals, value = word.partition("=")
        param = options.get(name)
        if word == "--" or (param is None and not word.startswith("-") and not ctx.allow_interspersed_args):
            return
        if param is None or param.param_type_name != "option" or param.is_flag or param.is_eager:
            continue
        following = args[place + 1 :]
        if equals:
            following = [value, *following]
        if not following or following[0] in ("", "--") or (not equals and _is_option(following[0], options)):
            raise Refusal(f"{name}: its value is missing; write {name} {param.metavar or 'NAME'}")
        if (param.metavar or "").endswith(_SEVERAL):
            rest = following[1] if len(following) > 1 and not _is_option(following[1], options) else ""
            _check_list(name, following[0], rest)
        if name == "--fast":
            _check_amount(*following[:2])
        if not equals:
            next(words, None)


def _is_option(word: str, options: dict[str, Any]) -> bool:
    return word == "--" or word.partition("=")[0] in options


def _check_list(option: str, value: str, following: str) -> None:
    """Raises Refusal for what a shell makes of a blank too much or a word too few. following: the next word."""
    parts = [part.strip() for part in value.split(",")]
    if all(parts):
        return
    where = "behind the comma" if all(parts[:-1]) and parts[:-1] else "beside a comma"
    right = ",".join(filter(None, [*parts, following if parts[-1] == "" else ""]))
    if not right:
        raise Refusal(f"{option} '{value}': it names nothing; write {option} A,B, without blanks")
    raise Refusal(f"{option} {value}: something is missing {where}; without blanks: {option} {right}")


def _check_amount(value: str, following: str = "") -> None:
    """Raises Refusal where a blank cuts an amount, or a list of them, in two: the rest would be the program's name."""
    if following == "%":
        raise Refusal(f"--fast {value} %: write it without blanks: --fast {value}%")
    if _AMOUNT.fullmatch(value) and _AMOUNT.fullmatch(following):
        raise Refusal(
            f"--fast {value} {following}: lbhm compare takes several amounts, with commas and without blanks: "
            f"--fast {value},{following}"
        )


def _outputs(command: Command, ctx: Any) -> Iterator[Named]:
    for param in command.params:
        if param.opts[0] in _OUTPUTS and ctx.params.get(param.name) is not None:
            yield param.opts[0], Path(ctx.params[param.name])


def _inputs(command: Command, ctx: Any) -> Iterator[Named]:
    """Of options, arguments (the program and its own among them), settings and streams."""
    for param in command.params:
        value, option = ctx.params.get(param.name), param.opts[0]
        if value is None or option in _OUTPUTS:
            continue
        words = [str(word) for word in value] if isinstance(value, (list, tuple)) else [str(value)]
        if param.param_type_name == "argument":
            yield from (("this command reads", Path(word)) for word in words)
            yield from (("this command runs", Path(found)) for word in words[:1] if (found := shutil.which(word)))
        elif param.type.name in ("path", "file", "directory") or option == "--machine":
            yield from ((f"{option} reads", Path(word)) for word in words)
    if all(param.opts[0] != "--output" for param in command.params):  # which makes what settings name, anew too
        settings = ((name, value) for name, value in os.environ.items() if name.startswith("LBHM_"))
        yield from ((f"the variable {name} names", Path(value)) for name, value in settings)
    yield from ((what, Path(path).resolve()) for what, path in _STREAMS)


def _same(one: Path, other: Path) -> bool:
    """Whether both are one regular file, through links too, or would be. Devices may be named twice."""
    if str(one) in STDOUT or str(other) in STDOUT:
        return str(one) in STDOUT and str(other) in STDOUT
    try:
        if one.exists() and other.exists():
            return one.is_file() and one.samefile(other)
        return one.resolve() == other.resolve()
    except (OSError, RuntimeError, ValueError):
        return False
