"""The command that finds a program's code regions and measures them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape

from lbhm.base.build_tree import find_build
from lbhm.base.errors import Refusal
from lbhm.execute.auto_machine import EMULATED
from lbhm.execute.execute import Setup
from lbhm.machine import choose_machine
from lbhm.options.numbers_given import threads_on
from lbhm.options.options import WORDS, Json, NamedMachine, Placements, Seed, Threads, number
from lbhm.output import output
from lbhm.program.program import check_program, code_files
from lbhm.regions import region_table
from lbhm.regions.regions_build import build_regions
from lbhm.regions.regions_measure import measure_regions
from lbhm.regions.regions_measure import placements as all_placements

app = typer.Typer()
Words = Annotated[
    list[str] | None,
    typer.Argument(metavar="PROGRAM | -- COMMAND", help="A program, or a build command.", show_default=False),
]


@app.command("regions", context_settings=WORDS)
def regions_command(
    words: Words = None,
    measure: Annotated[bool, typer.Option("--measure", help="Run the program and measure its regions.")] = False,
    machine: NamedMachine = EMULATED,
    placements: Placements = 10,
    executions: Annotated[
        int, number("--executions", 1, 1_000_000_000, "So many of a region by a thread are measured.")
    ] = 1000,
    threads: Threads = None,
    seed: Seed = 1,
    json_file: Json = None,
) -> None:
    """Find the loops of a program while it is built, or measure them."""
    if not words:
        raise Refusal("nothing is named; write a build command behind --, as in: lbhm regions -- make, or a program")
    if not measure:
        _list(words, json_file)
        return
    setup = _setup(words, machine, threads, seed)
    with output.RunProgress(placements + 2) as progress:
        data = measure_regions(setup, all_placements(placements), executions, progress)
    output.write_json(json_file, data)
    console = output.console()
    console.print(region_table.measured_table(data))
    console.print(region_table.result_line(data), soft_wrap=True)
    if unknown := region_table.unknown_line(data):
        console.print(unknown, soft_wrap=True)


def _list(words: list[str], json_file: Path | None) -> None:
    made = [Path(words[0])] if _is_linked_file(words) else build_regions(find_build(), words, output.say)
    found = region_table.regions_json(made)
    if not found["files"]:
        raise Refusal(_nothing(made, built=not _is_linked_file(words)))
    output.write_json(json_file, found)
    console = output.console()
    for file in found["files"]:
        console.print(escape(f"{_shown(file['path'])}: {region_table.count_line(file['regions'])}"), soft_wrap=True)
        console.print(region_table.region_list(file["regions"]))


def _shown(path: str) -> str:
    return str(Path(path).relative_to(Path.cwd())) if Path(path).is_relative_to(Path.cwd()) else path


def _nothing(made: list[Path], built: bool) -> str:
    if not made:
        return "the build made no program and no shared library; regions are listed of linked files: build one, too"
    if not built:
        return f"{made[0]}: there are no code regions in it; build it with: lbhm regions -- BUILD COMMAND"
    return f"{', '.join(_shown(str(path)) for path in made)}: there are no loops in what the build made"


def _is_linked_file(words: list[str]) -> bool:
    path = Path(words[0])
    return len(words) == 1 and path.is_file() and path.open("rb").read(4) == b"\x7fELF"


def _setup(words: list[str], machine: str, threads: int | None, seed: int) -> Setup:
    build = find_build()
    build.need_library()
    choice = choose_machine(machine)
    if not choice.emulated:
        raise Refusal(
            "--machine host: only emulated machines are measured so (lbhm machine list); real ones by lbhm train"
        )
    program = check_program(words[0], choice.emulated, need_openmp=False)
    files = code_files(words[0]) if program.elf else []
    if program.elf and not any(region_table.regions_in(path) for path in files):
        raise Refusal(f"{words[0]}: there are no code regions in it; build it with: lbhm regions -- BUILD COMMAND")
    return Setup(build, choice, words, threads_on(choice.emulated, threads), seed)
