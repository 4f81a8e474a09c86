"""The last sentence of lbhm compare, and its exit status: did the program end well, with one result?"""

from __future__ import annotations

from typing import Any

from lbhm.ending import failure, how
from lbhm.errors import Refusal
from lbhm.results import SHOWN

_LONGEST = 60  # characters of a line that is quoted


def check_verdict(comparison: dict[str, Any]) -> None:
    """Raises Refusal: status 1 when results differ, the program's own when it failed, 2 when a run had no report."""
    program = comparison["command"][0]
    if comparison["result"]["differences"]:
        raise Refusal(_differ(program, comparison["result"]), 1)
    for run in comparison["failed"]:
        raise _failed(program, comparison["failed"], run)


def _failed(program: str, failed: list[dict[str, Any]], run: dict[str, Any]) -> Refusal:
    """The sentence for one run, and all that ended as it did."""
    if run["why"]:
        return Refusal(run["why"], run["exit_status"], run["words"])
    alike = [of["policy"] for of in failed if of["exit_status"] == run["exit_status"] and not of["why"]]
    if run["exit_status"]:
        return failure(program, alike, run["exit_status"], run["words"])
    return Refusal(f"{program}: under policy {', '.join(alike)} it ended without LB-HM's run report; it is not shown")


def _differ(program: str, result: dict[str, Any]) -> str:
    differences, reference = result["differences"], result["reference"]
    policies = ", ".join(difference["policy"] for difference in differences)
    first = differences[0]
    what = {"matches": "match", "checksum": "checksum"}.get(result["compared"], "line")
    return (
        f"{program}: THE RESULTS DIFFER between {reference} and {policies}: {what} {first['part']} is "
        f"{quoted(first['expected'])} under {reference}, {quoted(first['found'])} under {first['policy']}. "
        "Placement must never change a result: see whether the program gives the same result twice without lbhm. If it "
        "does, this is a bug of LB-HM. If it prints what changes from run to run, say what its result is: "
        "--result 'REGEX', or let it print one line 'checksum: X'"
    )


def quoted(text: str | None) -> str:
    if text is None:
        return "missing"
    return f"'{text}'" if len(text) <= _LONGEST else f"'{text[:_LONGEST]}...'"


def result_lines(comparison: dict[str, Any]) -> list[str]:
    """What a reader must know of how results were compared."""
    left_out = comparison.get("result", {}).get("left_out", [])
    lines = []
    for run in comparison.get("failed", []):
        if run["why"]:
            lines.append(f"{run['policy']} could not be run, so it is not shown")
            continue
        kept = "" if run["report"] else " without a run report, so it is not shown"
        lines.append(f"{run['policy']}: the program {how(run['exit_status'])}{kept}")
    if left_out:
        shown = ", ".join(f"line {line['line']} {quoted(line['text'])}" for line in left_out[:SHOWN])
        more = f" and {len(left_out) - SHOWN} more lines" if len(left_out) > SHOWN else ""
        lines.append(
            f"left out of the comparison of results, because it changes with the clock (#): {shown}{more}; "
            "--result says what the result is"
        )
    return lines
