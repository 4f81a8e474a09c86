"""lbhm compare: a program under several policies, and at several sizes of fast memory, side by side."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from lbhm.base.errors import Refusal
from lbhm.base.units import FastMemory
from lbhm.compare.begun_runs import BegunRuns
from lbhm.compare.capacities import capacity_lines, capacity_table, compare_capacities, number_of_runs
from lbhm.compare.compare import compare
from lbhm.compare.compare_table import compare_lines, compare_table
from lbhm.compare.comparison import Comparison
from lbhm.compare.results import pattern_of
from lbhm.compare.verdict import check_verdict
from lbhm.execute.auto_machine import AUTO
from lbhm.execute.execute import ORACLE, REFERENCE, Setup
from lbhm.execute.prepare import check_given, fast_memories, make_setup
from lbhm.execute.program_input import read_from
from lbhm.execute.side_by_side import SideBySide, check_jobs
from lbhm.library.library import check_policies
from lbhm.machine import HOST
from lbhm.options import options
from lbhm.oracle.plan_names import PLANS
from lbhm.output import output
from lbhm.program.started_programs import code_files_of
from lbhm.report import cli_report

app = typer.Typer()
Policies = Annotated[str, typer.Option("--policies", metavar="A,B,...", help="Policies to compare (lbhm policies).")]
Oracle = Annotated[
    bool, typer.Option("--oracle", help="Add the oracle, and each policy's distance to it (docs/oracle.md).")
]
OnePlan = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="With --oracle, this plan alone: static, moving, inner or slow. [default: the fastest]",
        show_default=False,
    ),
]


@app.command("compare", context_settings=options.WORDS)
def compare_command(
    words: options.Words = None,
    machine: options.Machine = AUTO,
    fast: options.FastAmounts = None,
    names: Policies = "slow-only,fast-only,first-touch,merchandiser,lbhm",
    oracle: Oracle = False,
    plan: OnePlan = None,
    result: options.Result = None,
    heap: options.Heap = None,
    threads: options.Threads = None,
    seed: options.Seed = 1,
    repeat: options.Repeat = 1,
    jobs: options.Jobs = 1,
    input_file: options.Input = None,
    json_file: options.Json = None,
    html: cli_report.Html = None,
) -> None:
    """Run a program under several policies, side by side."""
    pattern = pattern_of(result)
    setup, program = make_setup(words, machine, threads, seed, heap, fast=fast)
    amounts = fast_memories(fast, setup)
    wanted = _policies(names, oracle, setup)
    _check_plan(plan, wanted)
    if repeat > 1 and setup.machine.emulated:
        raise Refusal(f"--repeat {repeat}: times of emulated machines are the same in every run; leave it out")
    check_jobs(jobs, setup.machine.emulated)
    check_given(setup, dict.fromkeys((REFERENCE, *(name for name in wanted if name != ORACLE))))
    read_from(input_file)
    job = Comparison(setup, wanted, amounts[0], not program.elf, pattern, repeat=repeat, plan=plan)
    compared = _compared(job, amounts, jobs)
    output.write_json(json_file, compared)
    if html:
        cli_report.show(compared, html)
    several = compared.get("comparisons")
    output.console().print(capacity_table(compared) if several else compare_table(compared))
    lines = capacity_lines(compared) if several else compare_lines(compared, code_files_of(compared["command"]))
    output.notes(lines, cut=True)
    check_verdict(*(several or [compared]))


def _policies(names: str, oracle: bool, setup: Setup) -> list[str]:
    """Those that were asked for. Raises Refusal."""
    wanted = [name.strip() for name in names.split(",")]
    check_policies(wanted)
    if oracle and ORACLE not in wanted:
        wanted.append(ORACLE)
    if ORACLE in wanted and not setup.machine.emulated:
        given = "--oracle" if oracle else f"--policies {names}"
        raise Refusal(f"{given}: the machine {HOST} cannot count the accesses to every page; leave the oracle out")
    return wanted


def _check_plan(plan: str | None, policies: list[str]) -> None:
    """Raises Refusal for a plan that there is not, or without the oracle, whose it is."""
    if plan is None:
        return
    if plan not in PLANS:
        raise Refusal(f"--plan {plan}: there is no such plan; with --oracle, choose from: {', '.join(PLANS)}")
    if ORACLE not in policies:
        raise Refusal(f"--plan {plan}: it is a plan of the oracle ({', '.join(PLANS)}); add --oracle, or leave it out")


def _compared(job: Comparison, amounts: list[FastMemory | None], jobs: int) -> dict[str, Any]:
    """A comparison, or one for each of several amounts of fast memory."""
    runs = job.repeat * number_of_runs(job.policies, len(amounts))
    with output.RunProgress(runs) as progress, SideBySide(jobs) as side_by_side:
        begun = BegunRuns(side_by_side)
        several = len(amounts) > 1
        return compare_capacities(job, amounts, progress, begun) if several else compare(job, progress, begun)
