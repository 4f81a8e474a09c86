"""A comparison as a person reads it: a table of its runs, and what must be known to judge them."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from rich.markup import escape
from rich.table import Table

from lbhm.base.units import format_bytes, format_excess, format_factor, format_share, format_time
from lbhm.compare.comparison import spread_of, stands_out
from lbhm.compare.verdict import result_lines
from lbhm.execute.execute import ORACLE, UNLIMITED
from lbhm.files.report import any_accesses
from lbhm.output.tables import NOTHING, or_nothing, plain_table
from lbhm.report.comparison_lines import memory_line, remark_lines
from lbhm.report.worth_lines import worth_lines
from lbhm.run.run_table import managed_lines, prediction_lines


def compare_table(comparison: dict[str, Any]) -> Table:
    """Results have a column where they differ; else a line says that they are the same."""
    runs = comparison["runs"]
    repeated = any("times_ns" in run for run in runs)
    judging = ("to oracle", "to bound") if comparison.get("oracle") else ()
    spread = ("spread",) if repeated else ()
    numbers = ("time", *spread, "speed-up", *judging, "A.C.V.", "in fast", "migrated", "deciding")
    differ = len({run["checksum"] for run in runs}) > 1
    table = plain_table("policy", *numbers, *(["checksum"] if differ else []), right=numbers, whole=["policy"])
    references = (UNLIMITED, ORACLE)
    judged = [run for run in runs if run["policy"] not in references] or runs
    best_run = min(judged, key=lambda run: run["makespan_ns"], default=None)
    clear = best_run is not None and stands_out(best_run, [run for run in judged if run is not best_run])
    acvs = [run["acv"] for run in judged if run["acv"] is not None]
    for run in runs:
        reference = run["policy"] in references and len(runs) > 1
        best = not reference and len(judged) > 1 and clear and run["makespan_ns"] == best_run["makespan_ns"]
        level = not reference and len(judged) > 1 and run["acv"] is not None and run["acv"] == min(acvs)
        table.add_row(
            _bold(escape(run["policy"]), best),
            _bold(format_time(run["makespan_ns"]), best),
            *([spread_of(run)] if repeated else []),
            _bold(_speedup(comparison, run), best),
            *(or_nothing(run[key], format_excess) for key in ("oracle_distance", "bound_distance") if judging),
            _bold(or_nothing(run["acv"], "{:.3f}".format), level and not repeated),
            or_nothing(run["fast_access_share"] if any_accesses(run) else None, format_share),
            format_bytes(run["migrated_bytes"]) if run["migrated_bytes"] else "0",
            format_time(run["decision_ns"]),
            *([escape(run["checksum"])] if differ else []),
            style="dim" if reference else None,
        )
    return table


def _bold(text: str, yes: bool) -> str:
    return f"[bold]{text}[/]" if yes else text


def _speedup(comparison: dict[str, Any], run: dict[str, Any]) -> str:
    if not run["makespan_ns"]:
        return NOTHING
    return format_factor(comparison["reference"]["makespan_ns"] / run["makespan_ns"])


def compare_lines(comparison: dict[str, Any], files: Iterable[Path] = ()) -> list[str]:
    """What a reader must know to judge the table. files: the program's, which have the names of places."""
    footprint, capacity = comparison["footprint_bytes"], comparison["fast_capacity_bytes"]
    memory = ""  # of a machine that cannot count it
    if footprint:
        share = f" ({format_share(capacity / footprint)})" if capacity <= footprint else ""
        memory = f"fast memory {format_bytes(capacity)}{share} of a footprint of {format_bytes(footprint)}"
    lines = [memory_line(comparison, memory), *same_results(comparison), *managed_lines(comparison["runs"], footprint)]
    if any("times_ns" in run for run in comparison["runs"]):
        lines.append("time: the median of the runs; spread: the shortest to the longest. Bold: shorter than all others")
    if any(run["policy"] == UNLIMITED for run in comparison["runs"]):
        lines.append(f"{UNLIMITED} is the reference: it has all the fast memory that it wants")
    if oracle := comparison.get("oracle"):
        lines.append(
            f"oracle: plan {oracle['plan']}, predicted {format_time(oracle['predicted_ns'])}; bound of "
            f"placements that change at barriers only: {format_time(oracle['bound_ns'])} (docs/oracle.md)"
        )
    lines += [f"{run['policy']}: {line}" for run in comparison["runs"] for line in prediction_lines(run)]
    lines += worth_lines(comparison["runs"], files)
    return lines + result_lines(comparison) + remark_lines(comparison["runs"])


def same_results(comparison: dict[str, Any]) -> list[str]:
    found = {run["checksum"] for run in comparison["runs"]}
    if len(found) != 1 or comparison.get("result", {}).get("differences"):  # from a reference that is not shown
        return []
    match comparison.get("result", {}).get("left"):
        case "nothing printed":
            return ["the program printed nothing: no results were compared"]
        case "nothing":
            return ["nothing is left to compare: all that it printed changes with the clock"]
        case "words":
            return ["words alone were compared, and are the same: all numbers that it printed change with the clock"]
        case "rounded":
            return [
                "all results are the same, numbers that depend on the order of threads but for their last digits: "
                f"checksum {found.pop()}"
            ]
    return [f"all results are the same: checksum {found.pop()}"]
