"""Tables that a person reads with pleasure. They take JSON (docs/files.md) and give rich tables and lines."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from rich import box
from rich.markup import escape
from rich.table import Table

from lbhm.cut_name import CutName
from lbhm.execute import ORACLE, UNLIMITED
from lbhm.repeat import spread_of, stands_out
from lbhm.report import any_accesses
from lbhm.symbols import distinct_names
from lbhm.units import format_bytes, format_count, format_excess, format_factor, format_share, format_time
from lbhm.verdict import result_lines

NOTHING = "–"
_NUMBER = re.compile(r"(?<![\w.])\d+(?:\.\d+)?(?!\w)")  # in a remark; not a part of a name
_NAME = 32  # of a region
_MUCH = 0.75  # of the footprint is managed: nothing has to be done


def plain_table(*columns: str, right: tuple[str, ...] = ()) -> Table:
    """The one look of all tables: a rule under the headings, no frame."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1))
    for column in columns:
        table.add_column(column, justify="right" if column in right else "left", no_wrap=column in right)
    return table


def compare_table(comparison: dict[str, Any]) -> Table:
    """Results have a column where they differ; else a line says that they are the same."""
    runs = comparison["runs"]
    repeated = any("times_ns" in run for run in runs)
    judging = ("to oracle", "to bound") if comparison.get("oracle") else ()
    numbers = (
        "time",
        *(["spread"] if repeated else []),
        "speed-up",
        *judging,
        "A.C.V.",
        "in fast",
        "migrated",
        "deciding",
    )
    differ = len({run["checksum"] for run in runs}) > 1
    table = plain_table("policy", *numbers, *(["checksum"] if differ else []), right=numbers)
    table.columns[0].no_wrap = True
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
            *(_or_nothing(run[key], format_excess) for key in ("oracle_distance", "bound_distance") if judging),
            _bold(_or_nothing(run["acv"], "{:.3f}".format), level and not repeated),
            _or_nothing(run["fast_access_share"] if any_accesses(run) else None, format_share),
            format_bytes(run["migrated_bytes"]) if run["migrated_bytes"] else "0",
            format_time(run["decision_ns"]),
            *([escape(run["checksum"])] if differ else []),
            style="dim" if reference else None,
        )
    return table


def _bold(text: str, yes: bool) -> str:
    return f"[bold]{text}[/]" if yes else text


def _or_nothing(value: float | None, show: Any) -> str:
    return NOTHING if value is None else show(value)


def _speedup(comparison: dict[str, Any], run: dict[str, Any]) -> str:
    if not run["makespan_ns"]:
        return NOTHING
    return format_factor(comparison["reference"]["makespan_ns"] / run["makespan_ns"])


def compare_lines(comparison: dict[str, Any]) -> list[str]:
    """What a reader must know to judge the table."""
    footprint, capacity = comparison["footprint_bytes"], comparison["fast_capacity_bytes"]
    if footprint:
        share = f" ({format_share(capacity / footprint)})" if capacity <= footprint else ""
        memory = f"fast memory {format_bytes(capacity)}{share} of a footprint of {format_bytes(footprint)}"
    else:
        memory = ""  # a machine that cannot count it
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


def managed_lines(runs: list[dict[str, Any]], footprint: int) -> list[str]:
    """What share of the footprint LB-HM could place, and what to do where that is little."""
    timelines = [run["timeline"] for run in runs if run.get("timeline")]
    if not timelines or not footprint:
        return []
    most = max(managed_bytes(timeline) for timeline in timelines)
    if most >= _MUCH * footprint:
        return []
    return [
        f"{format_share(most / footprint)} of the footprint is managed, and the rest stays where it was touched first: "
        "managed are blocks of omp_alloc and, with --heap, those of malloc from LBHM_HEAP_MINIMUM on (docs/using.md)"
    ]


def managed_bytes(timeline: dict[str, Any]) -> int:
    """The most that lay in the tiers at one moment."""
    lines = [line for row in timeline["objects"] for line in row["tiers_bytes"]]
    return max((sum(moment) for moment in zip(*lines, strict=True)), default=0)


def memory_line(comparison: dict[str, Any], memory: str) -> str:
    """Where the program ran. memory: what is said of it, or nothing."""
    parts = [memory, _plural(comparison["threads"], "thread"), _correlation(comparison), f"{comparison['times']} times"]
    return f"{comparison['machine']}: {'; '.join(part for part in parts if part)}"


def prediction_lines(run: dict[str, Any]) -> list[str]:
    """How far the predictions of a run (or its report) were off and which step it was; nothing if it had none.

    The parts are mean absolute logarithms: 0.01, shown as 1 %, is an error of about 1 %.
    """
    of = run.get("prediction")
    if not of:
        return []
    line = f"prediction: {100 * of['mean_error']:.1f} % mean error over {_plural(of['tasks'], 'task instance')}"
    if "median_error" in of:
        line += f", median {100 * of['median_error']:.1f} %, by time {100 * of['time_weighted_error']:.1f} %"
    names = {"counts": "counts", "homogeneous": "homogeneous times", "correlation": "correlation"}
    parts = [f"{name} {100 * of[key]:.1f} %" for key, name in names.items() if of[key] is not None]
    return [f"{line}: {', '.join(parts)}" if parts else line]


def remark_lines(runs: list[dict[str, Any]]) -> list[str]:
    """Each remark once, with the policies that it is about unless it is about all. Of remarks that differ in numbers
    alone the first stands for all."""
    about: dict[str, list[tuple[str, str]]] = {}
    for run in runs:
        for remark in run["remarks"]:
            about.setdefault(_NUMBER.sub("#", remark), []).append((run["policy"], remark))
    return [_remark_line(found, len(runs)) for found in about.values()]


def _remark_line(found: list[tuple[str, str]], runs: int) -> str:
    """found: policies, and the remark of each."""
    first, remark = found[0]
    alike = len({text for _, text in found}) == 1
    whom = [] if len(found) == runs else [", ".join(dict.fromkeys(policy for policy, _ in found))]
    whom += [] if alike else [f"numbers of {first}"]
    return f"remark ({'; '.join(whom)}): {remark}" if whom else f"remark: {remark}"


def _plural(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _correlation(result: dict[str, Any]) -> str:
    """The function f of Eq. 2, which makes the predictions: trained models come by name."""
    return "analytic f" if result["correlation"] == "analytic" else f"f: {result['correlation']}"


def summary_lines(report: dict[str, Any], threads: int) -> list[str]:
    """A run in a few lines."""
    times = "virtual" if report["virtual_time"] else "real"
    capacity, footprint = report["fast_capacity_bytes"], report["footprint_bytes"]
    limited = 0 < capacity <= footprint
    memory = f"fast memory {format_bytes(capacity)}, " if limited else "fast memory not limited, " if footprint else ""
    memory += f"footprint {format_bytes(footprint)}; " if footprint else ""
    acv = _or_nothing(report["acv"], "{:.3f}".format)
    share = _or_nothing(report["fast_access_share"] if any_accesses(report) else None, format_share)
    return [
        f"{format_time(report['makespan_ns'])} ({times}) under {report['policy']} on "
        f"{report['machine']}, {_plural(threads, 'thread')}",
        f"A.C.V. of the tasks {acv}; {share} of the accesses in fast memory; "
        f"{format_bytes(report['migrated_bytes'])} migrated; {format_time(report['decision_ns'])} deciding",
        f"{memory}{_correlation(report)}",
        *prediction_lines(report),
        *managed_lines([report], footprint),
    ]


def region_table(report: dict[str, Any], name: Callable[[str], str] = str, rows: int = 24) -> Table:
    """A line a region instance; the longest ones when there are more than `rows`. name: what to call a region."""
    numbers = ("instance", "tasks", "time", "A.C.V.", "accesses", "in fast", "prediction")
    table = plain_table("region", *numbers, right=numbers)
    regions = report["regions"]
    names = distinct_names((str(region["region"]) for region in regions), name)
    longest = sorted(regions, key=lambda region: -region["time_ns"])[:rows]
    for region in [region for region in regions if region in longest]:
        table.add_row(
            CutName(names[str(region["region"])], _NAME),
            str(region["instance"]),
            *_region_cells(region["tasks"], region),
        )
    if len(regions) > rows:
        table.caption = f"the {rows} longest of {len(regions)} region instances; --json FILE has all"
    return table


def _region_cells(tasks: list[dict[str, Any]], region: dict[str, Any]) -> list[str]:
    times = [task["time_ns"] for task in tasks] or [0]
    mean = sum(times) / len(times)
    deviation = (sum((time - mean) ** 2 for time in times) / len(times)) ** 0.5
    accesses = sum(task["accesses"] for task in tasks)
    fast = sum(task["fast_accesses"] for task in tasks)
    return [
        str(len(tasks)),
        format_time(region["time_ns"]),
        f"{deviation / mean:.3f}" if mean else NOTHING,
        format_count(accesses),
        format_share(fast / accesses) if accesses else NOTHING,
        _prediction_error(tasks),
    ]


def _prediction_error(tasks: list[dict[str, Any]]) -> str:
    """The mean error of the predictions, where there were any: 'within 4 %'."""
    errors = [
        abs(task["predicted_ns"] - task["time_ns"]) / task["time_ns"]
        for task in tasks
        if task["predicted_ns"] is not None and task["time_ns"]
    ]
    return f"off by {100 * sum(errors) / len(errors):.0f} %" if errors else NOTHING
