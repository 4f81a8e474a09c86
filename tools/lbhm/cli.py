"""The command line: run and compare here, profile and the commands that only tell something in files of their own."""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.markup import escape
from rich.table import Table
from typer.completion import completion_init

from lbhm import (
    cli_info,
    cli_objects,
    cli_optimize,
    cli_patterns,
    cli_profile,
    cli_regions,
    cli_report,
    cli_train,
    output,
    tables,
)
from lbhm.capacities import capacity_lines, capacity_table, compare_capacities, number_of_runs
from lbhm.compare import Comparison, compare
from lbhm.errors import Refusal, refuse
from lbhm.execute import ORACLE, Setup
from lbhm.library import check_policies
from lbhm.machine import HOST
from lbhm.options import WORDS, Fast, FastAmounts, Heap, Input, Json, Machine, Repeat, Result, Seed, Threads, Words
from lbhm.packages import COMPLETING, missing_package
from lbhm.placement_run import begun_from, placed, profile_at_hand
from lbhm.prepare import fast_memories, fast_memory, make_setup
from lbhm.program import check_json_target, check_runnable, code_files, reporter
from lbhm.program_input import read_from
from lbhm.ranks import file_of_rank, rank_here
from lbhm.results import pattern_of
from lbhm.run import Job, check_ending, run
from lbhm.signals import Stopped, stop_as_exception
from lbhm.symbols import region_names
from lbhm.units import DEFAULT_SHARE
from lbhm.verdict import check_verdict

app = typer.Typer(
    help="Load-balance-aware data placement for OpenMP on machines with several memories.",
    no_args_is_help=True,
    add_completion=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


def _say_version(wanted: bool) -> None:
    if wanted:
        cli_info.version_command()
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool, typer.Option("--version", callback=_say_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    pass


@app.command("run", context_settings=WORDS)
def run_command(
    words: Words = None,
    machine: Machine = "optane",
    policy: Annotated[
        str | None, typer.Option(help="How data is placed (lbhm policies). [default: lbhm, or that of the placement]")
    ] = None,
    placement: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Place objects as lbhm optimize chose (docs/h2m.md).")
    ] = None,
    profile: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Policy lbhm begins from what lbhm profile wrote (docs/h2m.md).")
    ] = None,
    fast: Fast = None,
    heap: Heap = None,
    threads: Threads = 12,
    seed: Seed = 1,
    input_file: Input = None,
    json_file: Json = None,
) -> None:
    """Run any program as without LB-HM, place its data and report."""
    rank, json_file = rank_here(), file_of_rank(json_file)
    say = output.say if not rank else lambda sentence: None  # one rank speaks for all
    setup, program = make_setup(words, machine, threads, seed, json_file, heap, check_runnable)
    memory = fast_memory(fast, setup)
    with tempfile.TemporaryDirectory(prefix="lbhm-") as folder:
        read_from(input_file)
        if placement and profile:
            raise Refusal("--profile and --placement: each says where objects begin; leave one of them out")
        if placement:
            setup, policy = placed(placement, setup, policy, Path(folder), say)
        elif profile := profile or profile_at_hand(policy, setup):
            setup = begun_from(profile, setup, policy, fast or DEFAULT_SHARE, Path(folder), say)
        check_policies([policy or "lbhm"])
        ending = run(Job(setup, program, policy or "lbhm", memory), say)
    if ending.report:
        output.write_json(json_file, ending.report if rank is None else ending.report | {"rank": rank})
        if not rank:
            _show_report(ending.report, setup)
        if rank == 0:
            say(f"this is rank 0; {'lbhm report shows several ranks' if json_file else '--json FILE keeps all ranks'}")
    check_ending(ending, json_file)


def _show_report(report: dict[str, Any], setup: Setup) -> None:
    console = output.console()
    console.print()
    for line in tables.summary_lines(report, setup.threads):
        console.print(escape(f" {line}"), soft_wrap=not console.is_terminal)
    console.print(tables.region_table(report, region_names(code_files(reporter(report, setup.command[0])))))
    for remark in report["remarks"]:
        console.print(escape(f" remark: {remark}"), soft_wrap=not console.is_terminal)


@app.command("compare", context_settings=WORDS)
def compare_command(
    words: Words = None,
    machine: Machine = "optane",
    fast: FastAmounts = None,
    names: Annotated[
        str, typer.Option("--policies", metavar="A,B,...", help="Policies to compare (lbhm policies).")
    ] = "slow-only,fast-only,first-touch,merchandiser,lbhm",
    oracle: Annotated[
        bool, typer.Option("--oracle", help="Add the oracle, and each policy's distance to it (docs/oracle.md).")
    ] = False,
    result: Result = None,
    heap: Heap = None,
    threads: Threads = 12,
    seed: Seed = 1,
    repeat: Repeat = 1,
    input_file: Input = None,
    json_file: Json = None,
    html: cli_report.Html = None,
) -> None:
    """Run a program under several policies, side by side."""
    pattern = pattern_of(result)
    check_json_target(html, "--html")
    setup, program = make_setup(words, machine, threads, seed, json_file, heap)
    amounts = fast_memories(fast, setup)
    wanted = [name.strip() for name in names.split(",") if name.strip()]
    check_policies(wanted)
    if oracle and ORACLE not in wanted:
        wanted.append(ORACLE)
    if ORACLE in wanted and not setup.machine.emulated:
        raise Refusal(f"--oracle: the machine {HOST} cannot count the accesses to every page; leave it out there")
    if repeat > 1 and setup.machine.emulated:
        raise Refusal(f"--repeat {repeat}: times of emulated machines are the same in every run; leave it out")
    read_from(input_file)
    job = Comparison(setup, wanted, amounts[0], not program.elf, pattern, repeat=repeat)
    with output.RunProgress(repeat * number_of_runs(wanted, len(amounts))) as progress:
        compared = compare(job, progress) if len(amounts) == 1 else compare_capacities(job, amounts, progress)
    output.write_json(json_file, compared)
    if html:
        cli_report.show(compared, html)
    several = compared.get("comparisons")
    if several:
        _show(capacity_table(compared), capacity_lines(compared))
    else:
        _show(tables.compare_table(compared), tables.compare_lines(compared))
    for comparison in several or [compared]:
        check_verdict(comparison)


def _show(table: Table, lines: list[str]) -> None:
    console = output.console()
    console.print(table)
    for line in lines:
        console.print(escape(f" {line}"), style="dim", soft_wrap=not console.is_terminal)


app.add_typer(cli_report.app)
app.add_typer(cli_objects.app)
app.add_typer(cli_profile.app)
app.add_typer(cli_optimize.app)
app.add_typer(cli_regions.app)
app.add_typer(cli_train.app)
app.add_typer(cli_info.app)
app.add_typer(cli_patterns.app)


def main() -> None:
    """The entry of the command: every expected failure is one sentence on stderr and an exit status."""
    stop_as_exception()
    if COMPLETING in os.environ:
        completion_init()
    try:
        app(prog_name="lbhm")
    except Refusal as refusal:
        refuse(refusal)
    except ModuleNotFoundError as error:  # of what few commands need, and is imported then
        refuse(missing_package(error))
    except RecursionError:
        sys.stderr.write("lbhm: a file that was named is nested too deep; name one that LB-HM wrote\n")
        sys.exit(2)
    except Stopped as stopped:
        sys.stderr.write("lbhm: stopped; the program was ended, and nothing was written\n")
        sys.exit(stopped.status)
