"""The last sentence of lbhm compare, and its exit status: did the program end well, with one result?"""

from __future__ import annotations

from typing import Any

from lbhm.ending import failure, how
from lbhm.errors import Refusal
from lbhm.results import SHOWN

_LONGEST = 60  # characters of a line that is quoted


def check_verdict(*comparisons: dict[str, Any]) -> None:
    """Raises Refusal: status 1 when results differ, the program's own when it failed, 2 when a run had no report. What
    else is wrong, such as why policies could not be run, stands behind its sentence."""
    told: dict[str, Refusal] = {}
    for refusal in (refusal for comparison in comparisons for refusal in _all(comparison)):
        told.setdefault(refusal.sentence, refusal)
    if told:
        first, *others = told.values()
        raise Refusal(first.sentence, first.status, [*first.words, *(line for one in others for line in one.lines())])


def _all(comparison: dict[str, Any]) -> list[Refusal]:
    program, failed = comparison["command"][0], comparison["failed"]
    not_run = [_not_run(alike) for alike in _alike(failed)]
    ended = [run for run in failed if not run["why"]]
    if comparison["result"]["differences"]:
        return [Refusal(_differ(program, comparison["result"]), 1), *not_run]
    return [_failed(program, ended), *not_run] if ended else not_run


def _alike(failed: list[dict[str, Any]]) -> list[list[dict[str, Any]]]:
    """Policies that could not be run, those with one reason together."""
    reasons: dict[str, list[dict[str, Any]]] = {}
    for run in failed:
        if run["why"]:
            reasons.setdefault(run["why"], []).append(run)
    return list(reasons.values())


def _not_run(alike: list[dict[str, Any]]) -> Refusal:
    policies = ", ".join(run["policy"] for run in alike)
    return Refusal(f"{policies} could not be run: {alike[0]['why']}", alike[0]["exit_status"], alike[0]["words"])


def _failed(program: str, ended: list[dict[str, Any]]) -> Refusal:
    """The sentence for the first run, and all that ended as it did."""
    run = ended[0]
    alike = [of["policy"] for of in ended if of["exit_status"] == run["exit_status"]]
    if run["exit_status"]:
        return failure(program, alike, run["exit_status"], run["words"])
    under = f"under policy {', '.join(alike)}"
    return Refusal(f"{program}: {under} it ended without LB-HM's run report; that run is not shown")


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
    failed = comparison.get("failed", [])
    lines = []
    if not_run := [run["policy"] for run in failed if run["why"]]:
        lines.append(f"could not be run, so not shown: {', '.join(not_run)}")
    for run in failed:
        if run["why"]:
            continue
        kept = "" if run["report"] else " without a run report, so it is not shown"
        if run["report"] and not run["exit_status"]:  # of the reference, whose other runs stay
            kept = " without a run report in a repetition, which is left out"
        lines.append(f"{run['policy']}: the program {how(run['exit_status'])}{kept}")
    if left_out:
        shown = ", ".join(f"line {line['line']} {quoted(line['text'])}" for line in left_out[:SHOWN])
        more = f" and {len(left_out) - SHOWN} more lines" if len(left_out) > SHOWN else ""
        lines.append(
            f"left out of the comparison of results, because it changes with the clock (#): {shown}{more}; "
            "--result says what the result is"
        )
    return lines
