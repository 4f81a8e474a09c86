"""Does every command line of README.md, CONTRIBUTING.md and docs/ work? See bench/harness/doc_commands.py."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest
import typer
from harness import cli as bench
from harness.doc_commands import LEFT_OUT, OWN_TEST, PARSED, Command, all_commands, commands_of, counts, files_of, spans

from lbhm.cli import application
from lbhm.program.compiler_wrapper import COMPILERS

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("LBHM_BUILD", ROOT / "build" / "release"))
HERE = Path(__file__).parent
FIRST = {command.key: command for command in reversed(all_commands())}  # each one where it comes first
RUN = [command for command in all_commands() if FIRST[command.key] == command and command.way == "run"]
PAGES = sorted({command.page for command in RUN} - set(OWN_TEST))
SMALL = {  # inputs of the pages that take longer than a test may
    "--kron 12": "--kron 6 --inputs 3",
    "--kron 11 --inputs 8": "--kron 6 --inputs 3",
    "--size 128 --steps 12": "--size 32 --steps 2",
    "multiphase-emu": "multiphase-emu --buffers 4 --size 96 --phases 3 --rounds 1",
    "--measure ": "--measure --placements 1 ",
}


# What a page's commands find in the folder: the repository's own, and programs of a user.


def fill(folder: Path, small: bool = True) -> None:
    for name in ("lbhm", "bench", "scripts"):
        (folder / name).symlink_to(ROOT / name)
    (folder / "build").mkdir()
    (folder / "build/release").symlink_to(BUILD)
    for name in ("Makefile", "CMakeLists.txt", "smooth.c"):
        shutil.copy(HERE / "user" / name, folder)
    shutil.copytree(HERE / "user/package", folder / "package")
    shutil.copy(ROOT / "training/models/optane.json", folder)
    shutil.copy(ROOT / "tests/compiler/regions/programs/random_access.c", folder)
    program = files_of((ROOT / "README.md").read_text())["app.cpp"]
    (folder / "app.cpp").write_text(program.replace("n = 1 << 18", "n = 1 << 15") if small else program)


def run(text: str, folder: Path) -> subprocess.CompletedProcess:
    for long, short in SMALL.items():
        text = text.replace(long, short)
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("LBHM_", "OMP_"))}
    path = f"{HERE / 'user/bin'}:{ROOT}:{BUILD}/bin:{os.environ['PATH']}"
    given = kept | {"HOME": str(folder), "XDG_DATA_HOME": str(folder / "data"), "LBHM_BUILD": str(BUILD), "PATH": path}
    return subprocess.run(
        ["bash", "-c", text],
        cwd=folder,
        env=given,
        capture_output=True,
        text=True,
        timeout=200,
        stdin=subprocess.DEVNULL,
    )


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """README's program, as README builds it."""
    folder = tmp_path_factory.mktemp("readme")
    fill(folder)
    for command in RUN:
        if command.page == "README.md" and command.text.endswith("-o app"):
            done = run(command.text, folder)
            assert done.returncode == 0, f"{command}\n{done.stderr}"
    return folder / "app"


@pytest.mark.parametrize("page", PAGES)
def test_commands_run(page, built, tmp_path):
    fill(tmp_path, small=page != "README.md")
    shutil.copy(built, tmp_path / "app")
    failed = []
    for command in RUN:
        if command.page == page:
            done = run(command.text, tmp_path)
            if done.returncode != 0:
                failed.append(f"{command}\nstatus {done.returncode}: {done.stdout[-2000:]}{done.stderr[-2000:]}")
    assert not failed, "\n".join(failed)


def words_of(text: str, program: str) -> list[str]:
    """What a program is given."""
    words = shlex.split(text)
    return words[next(n for n, word in enumerate(words) if re.fullmatch(rf"(\S*/)?{program}", word)) + 1 :]


def command_of(words: list[str]) -> tuple[typer.core.TyperCommand, list[str]]:
    """The command of lbhm that the words begin with, and the others."""
    command = typer.main.get_command(application(words))
    while words and words[0] in getattr(command, "commands", {}):
        command, words = command.commands[words[0]], words[1:]
    return command, words


@pytest.mark.parametrize("command", [c for c in FIRST.values() if c.way == "parsed"], ids=str)
def test_long_commands_are_well_formed(command):
    if "bench/run" in command.text:
        options = bench.parse(words_of(command.text, "bench/run"))
        assert options.name in bench.BENCHMARKS
    else:
        parser, words = command_of(words_of(command.text, "lbhm"))
        parser.make_context("lbhm", list(words))


def problem_of(command: Command) -> str:
    """What is wrong with `lbhm ...` in a sentence, whose files and programs are only words."""
    words = shlex.split(re.sub(r"[][]", "", command.text))[1:]
    if words[0] in COMPILERS:
        return ""
    parser, words = command_of(words)
    if hasattr(parser, "commands") and words and words[0] not in ("COMMAND", "--version"):
        return f"{command}: there is no command {words[0]}"
    with typer.Context(parser, **parser.context_settings) as context:
        known = {
            name for parameter in parser.get_params(context) for name in (*parameter.opts, *parameter.secondary_opts)
        }
    own = words[: words.index("--")] if "--" in words else words
    unknown = [word for word in own if word.startswith("-") and word not in known]
    return f"{command}: there is no option {' '.join(unknown)}" if unknown else ""


def test_commands_in_sentences_have_their_options():
    assert len(spans()) > 90
    assert [problem for command in spans() if (problem := problem_of(command))] == []


@pytest.mark.parametrize("text", ["lbhm compare --slow 3 -- ./app", "lbhm machine weigh", "lbhm bake"])
def test_a_wrong_one_would_be_seen(text):
    assert problem_of(Command("a page", 1, text))


def test_commands_are_found_in_every_form():
    text = "    lbhm     3.1 ms\n    $ a\n\n```console\n$ X=1 lbhm run \\\n  -- ./b\noutput\n```\n"
    found = [*commands_of("page", text), *commands_of("page", "    ./lbhm run -- ./app    # comment\n    int a = 1;\n")]
    assert [command.text for command in found] == ["a", "X=1 lbhm run -- ./b", "./lbhm run -- ./app"]
    assert [command.text for command in commands_of("page", "    ./check      # all\n")] == ["./check"]


def test_what_is_left_out_is_short_and_says_why():
    """The list is printed: pytest -rP shows it."""
    left = [command for command in FIRST.values() if command.way == "left out"]
    for command in left:
        print(f"{command}: {command.reason(LEFT_OUT)}")
    assert len(left) < 25
    for table in (LEFT_OUT, PARSED):  # nothing stands there that no page has
        assert [start for start in table if not any(re.match(start, key) for key in FIRST)] == []
    assert counts()["commands_in_docs"] == len(FIRST)


def test_the_page_of_settings_is_what_the_command_prints():
    words = [ROOT / "lbhm", "settings", "--markdown"]
    printed = subprocess.run(
        words, env=os.environ | {"LBHM_BUILD": str(BUILD)}, capture_output=True, text=True, check=True
    )
    assert (ROOT / "docs/settings.md").read_text() == printed.stdout
