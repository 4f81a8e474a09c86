"""What lbhm train says at its end."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rich.table import Table

from lbhm.tables import NOTHING, plain_table
from lbhm.units import format_share

_SPLITS = {
    "random": "rows by chance (the paper)",
    "grouped": "unseen regions",
    "leave_one_out": "unseen programs",
}


def accuracy_table(study: dict[str, Any]) -> Table:
    numbers = ("R² of f", "accuracy of times")
    table = plain_table("judged by", *numbers, right=numbers)
    for key, title in _SPLITS.items():
        r2 = study[f"r2_{key}"]  # None where f of the judged rows does not vary
        table.add_row(title, NOTHING if r2 is None else f"{r2:.3f}", format_share(study[f"hybrid_accuracy_{key}"]))
    return table


def summary_lines(study: dict[str, Any], target: Path) -> list[str]:
    threads = " and ".join(str(number) for number in study["threads"])
    return [
        f" {study['samples']} samples of {study['regions']} regions in {study['programs']} programs with {threads} "
        f"threads; {study['disturbed_series']} series left out as disturbed, "
        f"{len(study['failed'])} measurements failed",
        f" f looks at {', '.join(study['features'])}",
        f" {study['train_seconds']:.0f} s from nothing, {study['learning_seconds']:.0f} s of it learning; written to "
        f"{target}",
    ]
