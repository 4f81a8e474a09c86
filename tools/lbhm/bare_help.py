"""lbhm COMMAND --help with Python's standard library alone: read from the source of the commands, which cannot be
imported where their packages are missing."""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

_FOLDER = Path(__file__).parent
_WIDTH, _COLUMN = 80, 22
_EMPTY = (None, False, "", "''")


@cache
def commands() -> dict[str, ast.FunctionDef]:
    """The functions of all commands, by the words that name them: "run", "machine list"."""
    found = {}
    for module in _modules():
        functions = {node.name: node for node in _tree(module).body if isinstance(node, ast.FunctionDef)}
        for call, function in _registered(_tree(module), functions):
            group = "machine " if call.func.value.id == "machines" else ""
            found[group + ast.literal_eval(call.args[0])] = function
    return dict(sorted(found.items()))


def _modules() -> list[str]:
    """Those that have commands: "run.cli_run"."""
    return sorted(f"{file.parent.name}.{file.stem}" for file in _FOLDER.glob("*/cli_*.py"))


def sentence_of(function: ast.FunctionDef) -> str:
    return (ast.get_docstring(function) or "").partition("\n")[0]


def _registered(tree: ast.Module, functions: dict[str, ast.FunctionDef]) -> Iterator[tuple[ast.Call, ast.FunctionDef]]:
    """(app.command("name"), the function that it is of), as a decorator or as a call."""
    for function in functions.values():
        yield from ((call, function) for call in function.decorator_list if _registers(call))
    for node in tree.body:
        outer = node.value if isinstance(node, ast.Expr) else None
        if isinstance(outer, ast.Call) and _registers(outer.func):
            name = outer.args[0].id
            yield outer.func, functions.get(name) or _function_elsewhere(tree, name)


def _registers(call: ast.expr) -> bool:
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute):
        return False
    return call.func.attr == "command" and bool(call.args) and isinstance(call.args[0], ast.Constant)


def _function_elsewhere(tree: ast.Module, name: str) -> ast.FunctionDef:
    module = _imported(tree)[name]
    return next(node for node in _tree(module).body if isinstance(node, ast.FunctionDef) and node.name == name)


def help_of(words: str) -> str:
    """As --help shows it, a little plainer. words: a command."""
    function = commands()[words]
    module = next(module for module in _modules() if function in _tree(module).body)
    rows = [_row(_Names(module), argument, default) for argument, default in _arguments(function)]
    usage = " ".join(["lbhm", words, "[OPTIONS]", *(name for name, _, is_option in rows if not is_option)])
    lines = [f"Usage: {usage}", "", f"  {sentence_of(function)}", "", "Options:"]
    for name, about, _ in rows:
        lines += textwrap.wrap(
            f"{name:<{_COLUMN - 4}}  {about}", _WIDTH, initial_indent="  ", subsequent_indent=" " * _COLUMN
        )
    return "\n".join(lines) + "\n"


def _arguments(function: ast.FunctionDef) -> Iterator[tuple[ast.arg, ast.expr | None]]:
    """A command's context is no word of its line."""
    arguments, defaults = function.args.args, function.args.defaults
    for argument, default in zip(arguments, [None] * (len(arguments) - len(defaults)) + defaults, strict=True):
        if ast.unparse(argument.annotation) != "typer.Context":
            yield argument, default


def _row(names: _Names, argument: ast.arg, default: ast.expr | None) -> tuple[str, str, bool]:
    """(its name and value, what it is, whether it is an option)."""
    its, kind, call = names.annotated(argument.annotation)
    given = {key.arg: its.value(key.value) for key in call.keywords if key.arg in ("help", "metavar", "show_default")}
    words = [its.value(word) for word in call.args]
    if isinstance(call.func, ast.Name):  # options.number
        words, given = words[:1], {"help": words[3], "metavar": "N"}
    option = not ast.unparse(call.func).endswith("Argument")
    metavar = given.get("metavar") or ("" if kind.startswith("bool") else kind.partition(" ")[0].upper())
    name = f"{words[0] if words else '--' + argument.arg} {metavar}" if option else metavar
    value = names.value(default) if default is not None else None
    told = value not in _EMPTY and not kind.startswith("bool") and given.get("show_default", True)
    return name, f"{given['help']}{f' [default: {value}]' if told else ''}", option


class _Names:
    """What a module's names mean, as far as commands need them to describe themselves."""

    def __init__(self, module: str) -> None:
        self._module = module

    def annotated(self, node: ast.expr) -> tuple[_Names, str, ast.Call]:
        """(where it stands, type, typer.Option(...)) of an annotation, or of the name of one."""
        if isinstance(node, ast.Subscript):
            kind, call = node.slice.elts
            return self, ast.unparse(kind), call
        names, found = self._found(node.attr if isinstance(node, ast.Attribute) else node.id, node)
        return names.annotated(found)

    def value(self, node: ast.expr) -> Any:
        if isinstance(node, ast.Constant):
            return node.value
        if isinstance(node, ast.JoinedStr):
            return "".join(str(self.value(part)) for part in node.values)
        if isinstance(node, ast.FormattedValue):
            return self.value(node.value)
        if isinstance(node, ast.Call):  # Path("profile.json")
            return self.value(node.args[0])
        if isinstance(node, (ast.Name, ast.Attribute)):
            names, found = self._found(node.attr if isinstance(node, ast.Attribute) else node.id, node)
            return names.value(found)
        return ast.unparse(node)

    def _found(self, name: str, node: ast.expr) -> tuple[_Names, ast.expr]:
        """Where a name gets its value, and what it is. `module.NAME` is a name of that module."""
        module = self._module
        if isinstance(node, ast.Attribute):  # a name of a module that it imports
            module = f"{_imported(_tree(module))[node.value.id]}.{node.value.id}".removeprefix(".")
        for line in _tree(module).body:
            if isinstance(line, ast.Assign) and getattr(line.targets[0], "id", None) == name:
                return _Names(module), line.value
        return _Names(_imported(_tree(module))[name])._found(name, ast.Name(name))


@cache
def _tree(module: str) -> ast.Module:
    return ast.parse((_FOLDER / f"{module.replace('.', '/')}.py").read_text(encoding="utf-8"))


def _imported(tree: ast.Module) -> dict[str, str]:
    """The module of ours that each name comes from; the folder, if it is a module: "" is that of all."""
    lines = [line for line in tree.body if isinstance(line, ast.ImportFrom) and f"{line.module}.".startswith("lbhm.")]
    return {name.asname or name.name: line.module[len("lbhm.") :] for line in lines for name in line.names}
