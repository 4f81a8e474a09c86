"""lbhm run: any program as without LB-HM, with its data placed, and a report of what happened."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer
from rich.markup import escape

from lbhm.base.errors import Refusal
from lbhm.base.units import DEFAULT_SHARE
from lbhm.execute.auto_machine import AUTO, unforeseen
from lbhm.execute.execute import ORACLE, Setup
from lbhm.execute.prepare import fast_memory, make_setup
from lbhm.execute.program_input import read_from
from lbhm.execute.ranks import file_of_rank, rank_here
from lbhm.library.library import check_policies
from lbhm.options.options import WORDS, Fast, Heap, Input, Json, Machine, Seed, Threads, Words
from lbhm.output import output
from lbhm.program.program import check_runnable, code_files, reporter
from lbhm.program.symbols import region_names
from lbhm.run.placement_run import begun_from, placed, profile_at_hand
from lbhm.run.run import Job, check_ending, run
from lbhm.run.run_table import region_table, summary_lines

app = typer.Typer()
Policy = Annotated[
    str | None, typer.Option(help="How data is placed (lbhm policies). [default: lbhm, or that of the placement]")
]
Placement = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Place objects as lbhm optimize chose (docs/h2m.md).")
]
Profile = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Policy lbhm begins from what lbhm profile wrote (docs/h2m.md).")
]


@app.command("run", context_settings=WORDS)
def run_command(
    words: Words = None,
    machine: Machine = AUTO,
    policy: Policy = None,
    placement: Placement = None,
    profile: Profile = None,
    fast: Fast = None,
    heap: Heap = None,
    threads: Threads = None,
    seed: Seed = 1,
    input_file: Input = None,
    json_file: Json = None,
) -> None:
    """Run any program as without LB-HM, place its data and report."""
    rank, json_file = rank_here(), file_of_rank(json_file)
    say = output.say if not rank else lambda sentence: None  # one rank speaks for all
    setup, program = make_setup(words, machine, threads, seed, heap, check_runnable, fast=fast)
    memory = fast_memory(fast, setup)
    with output.scratch_file("placement.json") as file:
        read_from(input_file)
        if placement and profile:
            raise Refusal("--profile and --placement: each says where objects begin; leave one of them out")
        if placement:
            setup, policy = placed(placement, setup, policy, file, say)
        elif profile := profile or profile_at_hand(policy, setup):
            setup = begun_from(profile, setup, policy, fast or DEFAULT_SHARE, file, say)
        check_policies([policy or "lbhm"])
        if policy == ORACLE and not placement:
            raise Refusal("--policy oracle: it takes several runs; use lbhm compare --oracle")
        ending = run(Job(setup, program, policy or "lbhm", memory), say)
    if ending.report:
        output.write_json(json_file, ending.report if rank is None else ending.report | {"rank": rank})
        if not rank:
            _show_report(ending.report, setup)
        if rank == 0:
            say(f"this is rank 0; {'lbhm report shows several ranks' if json_file else '--json FILE keeps all ranks'}")
    if sentence := unforeseen(machine, setup.machine.emulated, setup.command, ending.report):
        say(sentence)
    check_ending(ending, json_file)


def _show_report(report: dict[str, Any], setup: Setup) -> None:
    console = output.console()
    console.print()
    for line in summary_lines(report, setup.lanes):
        console.print(escape(f" {line}"), soft_wrap=not console.is_terminal)
    console.print(region_table(report, region_names(code_files(reporter(report, setup.command[0])))))
    for remark in report["remarks"]:
        console.print(escape(f" remark: {remark}"), soft_wrap=not console.is_terminal)
