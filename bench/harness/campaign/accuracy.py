"""How right predicted times of tasks were: mean, median and by time (Table 4 of the paper has the mean)."""

from __future__ import annotations

import statistics
from typing import Any


def accuracies_of(report: dict[str, Any]) -> dict[str, float | None]:
    """`accuracy`: 1 - the mean of |predicted - measured| / measured over task instances; `accuracy_median`: 1 - their
    median; `accuracy_time_weighted`: 1 - sum |predicted - measured| / sum measured. None: nothing was predicted."""
    tasks = [
        (task["predicted_ns"], task["time_ns"])
        for region in report["regions"]
        for task in region["tasks"]
        if task["predicted_ns"] is not None and task["time_ns"] > 0
    ]
    prediction = report.get("prediction")
    median = weighted = None
    if tasks:
        off = [abs(predicted - measured) for predicted, measured in tasks]
        median = 1 - statistics.median(error / measured for error, (_, measured) in zip(off, tasks, strict=True))
        weighted = 1 - sum(off) / sum(measured for _, measured in tasks)
    return {
        "accuracy": rounded(1 - prediction["mean_error"] if prediction else None),
        "accuracy_median": rounded(median),
        "accuracy_time_weighted": rounded(weighted),
    }


def rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 4)
