"""The last sentence of lbhm compare, and its exit status: did the program end well, with one result?"""

from __future__ import annotations

from typing import Any

from lbhm.base.errors import Refusal
from lbhm.compare.results import SHOWN
from lbhm.execute.ending import failure, how

_LONGEST = 60  # characters of a line that is quoted
_OURS = (1, 2)  # what these statuses say of a comparison is not what a program says by them
_OWN = 3


def check_verdict(*comparisons: dict[str, Any]) -> None:
    """Raises Refusal: status 1 when results differ, the program's own when it failed (3 in place of 1 and 2), 2 when a
    run had no report. What else is wrong, such as why policies could not be run, stands behind its sentence."""
    told: dict[str, Refusal] = {}
    for refusal in (refusal for comparison in comparisons for refusal in _all(comparison)):
        told.setdefault(refusal.sentence, refusal)
    if told:
        first, *others = told.values()
        raise Refusal(first.sentence, first.status, [*first.words, *(line for one in others for line in one.lines())])


def _all(comparison: dict[str, Any]) -> list[Refusal]:
    program, failed = comparison["command"][0], comparison["failed"]
    not_run = _not_run(failed)
    ended = [run for run in failed if not run["why"]]
    if comparison["result"]["differences"]:
        return [Refusal(_differ(program, comparison["result"]), 1), *not_run]
    return [_failed(program, ended), *not_run] if ended else not_run


def _not_run(failed: list[dict[str, Any]]) -> list[Refusal]:
    """Of policies that could not be run, those with one reason together."""
    refusals = []
    for why in dict.fromkeys(run["why"] for run in failed if run["why"]):
        first, *others = (run for run in failed if run["why"] == why)
        policies = ", ".join(run["policy"] for run in (first, *others))
        refusals.append(Refusal(f"{policies} could not be run: {why}", first["exit_status"], first["words"]))
    return refusals


def _failed(program: str, ended: list[dict[str, Any]]) -> Refusal:
    """The sentence for the first run, and all that ended as it did."""
    run = ended[0]
    alike = [of["policy"] for of in ended if of["exit_status"] == run["exit_status"]]
    if run["exit_status"]:
        failed = failure(program, alike, run["exit_status"], run["words"])
        return Refusal(failed.sentence, _OWN if failed.status in _OURS else failed.status, failed.words)
    under = f"under policy {', '.join(alike)}"
    return Refusal(f"{program}: {under} it ended without LB-HM's run report; that run is not shown")


def _differ(program: str, result: dict[str, Any]) -> str:
    differences, reference = result["differences"], result["reference"]
    policies = ", ".join(difference["policy"] for difference in differences)
    first = differences[0]
    expected, found = quoted_where_they_differ(first["expected"], first["found"])
    runs = result.get("reference_runs", 1)
    agreed = f" (so in {runs} runs of it)" if runs > 1 else ""
    return (
        f"{program}: THE RESULTS DIFFER between {reference} and {policies}: {_where(result['compared'], first)} is "
        f"{expected} under {reference}{agreed}, {found} under {first['policy']}. {_who(first)}"
    )


def _where(compared: str, difference: dict[str, Any]) -> str:
    if compared in ("matches", "checksum"):
        return f"{'match' if compared == 'matches' else 'checksum'} {difference['part']}"
    line = difference.get("line", difference["part"])
    return f"line {line}" if line else "what several lines have"


def _who(difference: dict[str, Any]) -> str:
    """Whose fault it is, as far as further runs tell, and what to do."""
    policy = difference["policy"]
    say_result = "say what its result is: --result 'REGEX', or let it print one line 'checksum: X'"
    if difference.get("repeated"):
        return (
            f"All runs under {policy} agreed, too. Placement must never change a result: if the program gives one "
            f"result without lbhm, this is a bug of LB-HM; else {say_result}"
        )
    return (
        "Placement must never change a result: see whether the program gives the same result twice without lbhm; "
        f"if it does not, {say_result}"
    )


def quoted(text: str | None) -> str:
    if text is None:
        return "missing"
    return f"'{text}'" if len(text) <= _LONGEST else f"'{text[:_LONGEST]}...'"


def quoted_where_they_differ(one: str | None, other: str | None) -> tuple[str, str]:
    """Both, with what stands around the first place where they differ, of long lines."""
    if one is None or other is None:
        return quoted(one), quoted(other)
    same = next((at for at, signs in enumerate(zip(one, other, strict=False)) if len(set(signs)) > 1), len(one))
    begin = max(0, min(same - _LONGEST // 2, max(len(one), len(other)) - _LONGEST))
    return _part_of(one, begin), _part_of(other, begin)


def _part_of(text: str, begin: int) -> str:
    end = begin + _LONGEST
    return f"'{'...' if begin else ''}{text[begin:end]}{'...' if end < len(text) else ''}'"


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
            "left out of the comparison of results, as it changes with the clock or with the order of threads (#): "
            f"{shown}{more}; "
            "--result says what the result is"
        )
    return lines
