"""lbhm doctor: what works here, and what to do about what does not."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.table import Table


class State(StrEnum):
    works = "works"
    absent = "absent"  # LB-HM runs without it, and does less
    broken = "broken"  # the emulated machine cannot run


MARKS = {State.works: "yes", State.absent: "no", State.broken: "NO"}
_STYLES = {State.works: "green", State.absent: "yellow", State.broken: "bold red"}


@dataclass(frozen=True)
class Finding:
    what: str
    state: State
    found: str
    remedy: str = ""


def able(findings: list[Finding]) -> bool:
    """Whether the main job, a program on the emulated machine, can run."""
    return all(finding.state is not State.broken for finding in findings)


def doctor_table(findings: list[Finding]) -> Table:
    from rich.markup import escape  # here: the doctor is asked where packages are missing, too

    from lbhm.output.tables import plain_table

    table = plain_table("what", "here", "found, or what to do", whole=["what"])
    for finding in findings:
        table.add_row(
            finding.what,
            f"[{_STYLES[finding.state]}]{MARKS[finding.state]}[/]",
            escape("; ".join(filter(None, (finding.found, finding.remedy)))),
        )
    return table


def doctor_json(findings: list[Finding]) -> dict[str, Any]:
    return {"schema": "lbhm.doctor/1", "able": able(findings), "findings": [asdict(finding) for finding in findings]}
