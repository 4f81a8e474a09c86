"""Which programs a command starts, as far as its words, and the scripts and makefiles among them, name files."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterable, Iterator
from itertools import islice, zip_longest
from pathlib import Path

from lbhm.base.errors import Refusal
from lbhm.program.elf import Program, inspect
from lbhm.program.program import code_files_here, find_program, starts_others

_SCRIPT = 1 << 16  # bytes of a script that are looked at: it names its programs early or not at all
_MOST_TEXT = 1 << 20  # of it, with the values of its variables
_DEPTH = 3  # of scripts that start scripts
_MOST = 64  # programs that are looked at: each takes as long as ldd
_WORD = re.compile(r"[^\s;&|()<>'\"`,\[\]{}]+")
_MAKES = ("make", "gmake")
_MAKEFILES = ("GNUmakefile", "makefile", "Makefile")
_COMMENT = re.compile(r"(?m)^\s*#.*$")  # of shells, Python, Perl, make: a line that says something of the next
# Where a script, a word of sh -c or a makefile goes before it starts a program.
_GONE_TO = re.compile(r"(?<![\w./-])(?:cd|pushd|chdir|env\s+-C)(?:\s+--)?[\s(]+[\"']?([^\s;&|()<>\"'`]+)")
_OWN_FOLDER = re.compile(r"""\"?\$\(dirname\s+(?:--\s+)?\"?\$\{?(?:0|BASH_SOURCE(?:\[0\])?)\}?\"?\)""")
_SET = re.compile(
    r"""(?m)(?:^|[;&])\s*(?:export\s+|local\s+|readonly\s+)?(\w+)\s*[:?]?=[ \t]*[\"']?([^\s\"';&|()`]+)"""
)
_USED = re.compile(r"\$(?:\{(\w+)\}|\((\w+)\)|(\w+))")
_NESTED = 3  # of variables that stand in others' values
_ASSIGNED = re.compile(r"^[\w.-]+[:+?]?=(.+)$")


def started_programs(words: list[str], program: Program) -> Iterator[tuple[str, Path]]:
    """(word, file) of ELF files. program: that of the first word: a script, a shell, a launcher, make."""
    here, seen = [Path.cwd()], {program.path.resolve()}
    scripts = [] if program.elf else [program.path]
    if program.path.name in _MAKES:
        folder, makefile = _makefile(words[1:])
        here, scripts = [folder], [makefile] if makefile else []
    named_in = _with_gone_to(" ".join(words), here)
    named = _of_words(_flat(words[1:]), named_in, seen, _DEPTH, in_path=True)
    inside = (found for script in scripts for found in _of_script(script, here, seen, _DEPTH))
    return islice((found for several in (named, inside) for found in several), _MOST)


def programs_of(words: list[str]) -> dict[str, Path]:
    """By the word that names it: the program of a command, and what it starts if it is there to start others."""
    try:
        program = inspect(find_program(words[0] if words else ""))
    except Refusal:
        return {}
    started = started_programs(words, program) if starts_others(program) else ()
    return {words[0]: program.path, **dict(started)}


def code_files_of(words: list[str]) -> list[Path]:
    """The programs of a command and their libraries, as far as they are here."""
    return [file for program in programs_of(words).values() for file in code_files_here(str(program))]


def _of_words(
    words: Iterable[str], folders: list[Path], seen: set[Path], depth: int, in_path: bool = False
) -> Iterator[tuple[str, Path]]:
    for word in dict.fromkeys(words):
        path = _file(word, folders, in_path)
        if path is None or path.resolve() in seen:
            continue
        seen.add(path.resolve())
        if _begin(path, 4) == b"\x7fELF":
            yield word, path
        elif depth:
            yield from _of_script(path, folders, seen, depth - 1)


def _of_script(path: Path, folders: list[Path], seen: set[Path], depth: int) -> Iterator[tuple[str, Path]]:
    """What is written in it, below the folder that it runs in or its own."""
    text = _begin(path, _SCRIPT)
    if b"\0" not in text:
        written = _with_values(_COMMENT.sub("", text.decode(errors="replace")))
        looked_in = _with_gone_to(written, [*folders, path.parent])
        yield from _of_words(_flat(_WORD.findall(written)), looked_in, seen, depth)


def _with_values(written: str) -> str:
    """A script or makefile with the values of the variables that it sets: the first of each, if there are several."""
    own_folder = _OWN_FOLDER.sub(".", written)
    values: dict[str, str] = {}
    for name, value in _SET.findall(own_folder):
        values.setdefault(name, value)

    def value_of(used: re.Match[str]) -> str:
        return values.get(next(filter(None, used.groups())), used[0])

    for _ in range(_NESTED):
        own_folder = _USED.sub(value_of, own_folder)[:_MOST_TEXT]
    return own_folder


def _with_gone_to(written: str, folders: list[Path]) -> list[Path]:
    """The folders, and those in them that it goes to. Which of them a program is started in is not known."""
    names = _GONE_TO.findall(_OWN_FOLDER.sub(".", written))
    gone = [folder / os.path.expandvars(name) for name in dict.fromkeys(names) for folder in folders]
    return list(dict.fromkeys([*folders, *filter(_is_folder, gone[:_MOST])]))


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except (OSError, ValueError):
        return False


def _flat(words: Iterable[str]) -> Iterator[str]:
    """Each word, the value if it is assigned one, and the words in it, as for sh -c; with variables' values."""
    for written in words:
        word = os.path.expandvars(written)
        if assigned := _ASSIGNED.match(word):
            word = assigned[1]
        yield word
        if _WORD.fullmatch(word) is None:
            yield from _flat(_WORD.findall(word))


def _file(word: str, folders: list[Path], in_path: bool) -> Path | None:
    if in_path and "/" not in word and (found := shutil.which(word)):
        return Path(found)
    try:
        files = (path for folder in folders if (path := folder / word).is_file())
        return next((path for path in files if path.stat().st_size), None)  # none of /proc, where reading may wait
    except (OSError, ValueError):  # no name of a file
        return None


def _begin(path: Path, length: int) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(length)
    except OSError:
        return b""


def _makefile(words: list[str]) -> tuple[Path, Path | None]:
    """The folder that make works in, and the file that it reads."""
    folder, named = Path.cwd(), None
    for word, following in zip_longest(words, words[1:], fillvalue=""):
        if word == "-C" or word.startswith("--directory="):
            folder = folder / (following if word == "-C" else word.partition("=")[2])
        if word == "-f" or word.startswith("--file="):
            named = following if word == "-f" else word.partition("=")[2]
    names = [named] if named else _MAKEFILES
    return folder, next((folder / name for name in names if (folder / name).is_file()), None)
