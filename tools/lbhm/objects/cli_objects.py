"""lbhm objects: what a program works on, by where it got it."""

from __future__ import annotations

import os
import shutil
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from lbhm.base.errors import Refusal
from lbhm.execute.auto_machine import AUTO
from lbhm.execute.ending import Ending
from lbhm.execute.prepare import fast_memory, make_setup
from lbhm.files.file_kinds import schema_of
from lbhm.files.json_reader import read_json
from lbhm.files.report import read_report_file
from lbhm.library.library import check_policies
from lbhm.objects.object_table import object_lines, object_table, tree_table
from lbhm.objects.objects import objects_json
from lbhm.options.options import WORDS, Fast, HeapAlways, Json, Machine, Seed, Threads
from lbhm.output import output
from lbhm.program.program import check_runnable, code_files_here, program_of, reporter
from lbhm.run.run import Job, check_ending, run

if TYPE_CHECKING:
    from lbhm.files.page_counts import PageCounts

app = typer.Typer()
Shown = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="REPORT | PROFILE | -- PROGRAM",
        help="A run report, a profile, or a program to run.",
        show_default=False,
    ),
]
Phases = Annotated[
    bool,
    typer.Option(
        "--phases",
        help="A line an object and phase: a call of LB_HM_config; in programs without one, a parallel region.",
    ),
]
Lanes = Annotated[bool, typer.Option("--lanes", help="A line an object and lane.")]
Tree = Annotated[bool, typer.Option("--tree", help="By the calls that led to each object.")]


@dataclass(frozen=True)
class Look:
    """The table that was asked for. named: the program is here, so places have names."""

    lanes: bool
    tree: bool
    phases: bool
    named: bool


@app.command("objects", context_settings=WORDS)
def objects_command(
    context: typer.Context,
    words: Shown = None,
    phases: Phases = False,
    lanes: Lanes = False,
    tree: Tree = False,
    machine: Machine = AUTO,
    policy: Annotated[str, typer.Option(help="How data is placed (lbhm policies).")] = "lbhm",
    fast: Fast = None,
    heap: HeapAlways = True,
    threads: Threads = None,
    seed: Seed = 1,
    json_file: Json = None,
) -> None:
    """Show the objects of a run by where the program got them: sizes, accesses, memory."""
    if not words:
        raise Refusal(
            "nothing is named; write a run report (lbhm run --json FILE), a profile (lbhm profile --output FILE), or: "
            "lbhm objects -- ./app arguments"
        )
    _check_words(words)
    if _is_json(words):
        _check_run_options(context, words[0])
        if _is_profile(Path(words[0])):
            _show_profile(Path(words[0]), phases, {"--lanes": lanes, "--tree": tree, "--json": json_file is not None})
            return
        report = read_report_file(Path(words[0]))
        files = code_files_here(program_of(report))
        _show(objects_json(report, None, phases, files, tree), json_file, Look(lanes, tree, phases, bool(files)))
        return
    check_policies([policy])
    setup, program = make_setup(words, machine, threads, seed, heap, check_runnable, fast=fast)
    job = Job(setup, program, policy, fast_memory(fast, setup))
    with output.scratch_file("counts") as counts:
        ending, exact = _run(job, counts)
    if ending.report is not None:
        files = code_files_here(reporter(ending.report, words[0]))
        look = Look(lanes, tree, phases, bool(files))
        _show(objects_json(ending.report, exact, phases, files, tree), json_file, look)
    check_ending(ending, json_file)


def _check_words(words: list[str]) -> None:
    """One file, or a program."""
    if not Path(words[0]).exists() and words[0].endswith(".json"):
        raise Refusal(
            f"{words[0]}: there is no such file; lbhm run --json FILE -- ./app writes a report, or name the program: "
            "lbhm objects -- ./app"
        )
    if len(words) > 1 and _is_json(words[:1]):
        if words[1].startswith("-"):
            raise Refusal(f"{words[0]}: options stand in front of it: lbhm objects {' '.join(words[1:])} {words[0]}")
        raise Refusal(f"{words[0]} {words[1]}: one file is shown at a time; leave {' '.join(words[1:])} out")
    if len(words) == 1 and "/" not in words[0] and not Path(words[0]).exists() and shutil.which(words[0]) is None:
        raise Refusal(f"{words[0]}: there is neither such a file here nor such a program in PATH")


def _check_run_options(context: typer.Context, file: str) -> None:
    """A file is of a run that was."""
    for name in ("machine", "policy", "fast", "heap", "threads", "seed"):
        if context.get_parameter_source(name).name == "COMMANDLINE":
            raise Refusal(f"--{name}: is for programs that are run now; leave it out, {file} is of a run that was")


def _is_json(words: list[str]) -> bool:
    """A single word that names a file which is called so, or begins as JSON does, and no program does."""
    path = Path(words[0])
    if len(words) > 1 or not path.is_file():
        return False
    if path.suffix == ".json" and not os.access(path, os.X_OK):
        return True
    with path.open("rb") as file:
        return file.read(64).lstrip()[:1] == b"{"


def _is_profile(path: Path) -> bool:
    """What claims to be one; reading it says what is wrong with it."""
    try:
        return schema_of(read_json(path)).startswith("lbhm.profile/")
    except (OSError, ValueError):
        return False


def _show_profile(path: Path, phases: bool, others: dict[str, bool]) -> None:
    from lbhm.objects.profile_objects import used_lines, used_table
    from lbhm.optimize.optimize import read_profile, shown_sites

    for option, given in others.items():
        if given:
            raise Refusal(f"{option}: is for run reports and programs; leave it out (a profile is JSON by itself)")
    profile = read_profile(path)
    console = output.console()
    console.print()
    console.print(used_table(profile, phases, shown_sites(profile)))
    output.notes(used_lines(profile, phases))


def _run(job: Job, counts: Path) -> tuple[Ending, PageCounts | None]:
    """Emulated machines count exactly; that takes no virtual time."""
    if job.setup.machine.emulated:
        job = replace(job, setup=replace(job.setup, settings=(("LBHM_PAGE_COUNTS", str(counts)),)))
    ending = run(job, output.say)
    if ending.report is None or not counts.is_file():
        return ending, None
    # Here: numpy takes longer to import than other commands take to run.
    from lbhm.files.page_counts import read_page_counts

    return ending, read_page_counts(counts)


def _show(found: dict[str, Any], json_file: Path | None, look: Look) -> None:
    output.write_json(json_file, found)
    console = output.console()
    console.print()
    if found["objects"]:
        console.print(tree_table(found) if look.tree else object_table(found, look.lanes))
    output.notes(object_lines(found, look.named, look.phases))
