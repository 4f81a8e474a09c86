"""lbhm compare --fast A,B,...: the same comparison with several amounts of fast memory, and what more of it buys."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from rich.table import Table

from lbhm.base.units import FastMemory, format_bytes, format_factor, format_time
from lbhm.compare.begun_runs import BegunRuns
from lbhm.compare.compare import compare
from lbhm.compare.comparison import Comparison, order_of
from lbhm.compare.verdict import result_lines
from lbhm.execute.execute import ORACLE, ORACLE_RUNS, REFERENCE, UNLIMITED, Progress
from lbhm.output.tables import NOTHING, plain_table
from lbhm.report import comparison_lines as told


def number_of_runs(policies: list[str], capacities: int) -> int:
    """The reference and fast-only run once, the others for each capacity."""
    order = order_of(policies)
    once = sum(policy in (REFERENCE, UNLIMITED) for policy in order)
    oracle = ORACLE_RUNS if ORACLE in policies else 0
    return once + capacities * (len(order) - once + oracle)


def compare_capacities(
    job: Comparison, capacities: list[FastMemory], progress: Progress, begun: BegunRuns | None = None
) -> dict[str, Any]:
    """One comparison a capacity, from the smallest on (schema lbhm.capacities/1). Raises Refusal: see compare."""
    begun = begun or BegunRuns()
    compared = [
        compare(replace(job, fast=fast, later=tuple(capacities[place + 1 :])), progress, begun)
        for place, fast in enumerate(capacities)
    ]
    compared.sort(key=lambda comparison: comparison["fast_capacity_bytes"])
    return {"schema": "lbhm.capacities/1", "comparisons": compared}


def capacity_table(result: dict[str, Any]) -> Table:
    """Time and speed-up of each policy with each capacity; the shortest time of a capacity in bold."""
    comparisons = result["comparisons"]
    heads = [f"{told.fast_share(each)} {format_bytes(each['fast_capacity_bytes'])}" for each in comparisons]
    table = plain_table("policy", *heads, right=tuple(heads))
    for policy in dict.fromkeys(run["policy"] for comparison in comparisons for run in comparison["runs"]):
        table.add_row(policy, *(_cell(comparison, policy) for comparison in comparisons))
    return table


def _cell(comparison: dict[str, Any], policy: str) -> str:
    time, judged = told.times_by_policy(comparison).get(policy), told.judged_times(comparison)
    if not time:
        return NOTHING
    shown = f"{format_time(time)} {format_factor(comparison['reference']['makespan_ns'] / time)}"
    best = policy in judged and len(judged) > 1 and time == min(judged.values())
    return f"[bold]{shown}[/]" if best else shown


def capacity_lines(result: dict[str, Any]) -> list[str]:
    """What a reader must know to judge the table."""
    comparisons = result["comparisons"]
    lines = [told.memory_line(comparisons[0], f"footprint {format_bytes(comparisons[0]['footprint_bytes'])}")]
    lines += told.bought_lines(comparisons)
    # Sentences about results are the same for every capacity, or say what is wrong with one.
    lines += dict.fromkeys(line for comparison in comparisons for line in result_lines(comparison))
    return lines + told.remark_lines([run for comparison in comparisons for run in comparison["runs"]])
