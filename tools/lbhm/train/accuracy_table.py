"""What lbhm train says at its end."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rich.table import Table

from lbhm.base.units import format_share
from lbhm.output.tables import NOTHING, plain_table

_SPLITS = {
    "random": "rows by chance (the paper)",
    "grouped": "unseen regions",
    "left_out_programs": "unseen programs",
}


def accuracy_table(study: dict[str, Any]) -> Table:
    """known: with the measured T_fast; predicted: T_fast, too; formula: without a model."""
    numbers = ("R² of f", "times", "times, T_fast predicted", "the same by formula")
    table = plain_table("judged by", *numbers, right=numbers)
    for key, title in _SPLITS.items():
        r2 = study[f"r2_{key}"]  # None where f of the judged rows does not vary
        found = [study[f"{part}_accuracy_{key}"] for part in ("hybrid", "predicted", "formula")]
        accuracies = [NOTHING if accuracy is None else format_share(accuracy) for accuracy in found]
        table.add_row(title, NOTHING if r2 is None else f"{r2:.3f}", *accuracies)
    return table


def summary_lines(study: dict[str, Any], target: Path) -> list[str]:
    threads = " and ".join(str(number) for number in study["threads"])
    return [
        f" {study['samples']} samples of {study['regions']} regions in {study['programs']} programs with {threads} "
        f"threads; {study['disturbed_series']} series left out as disturbed, {study['unclear_series']} as noise, "
        f"{len(study['failed'])} measurements failed",
        f" f looks at {', '.join(study['features'])}",
        f" {study['train_seconds']:.0f} s from nothing, {study['learning_seconds']:.0f} s of it learning; written to "
        f"{target}",
    ]
