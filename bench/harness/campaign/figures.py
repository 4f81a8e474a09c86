"""Figures 4, 5 and 6 of the paper, drawn from our cells."""

from pathlib import Path

import matplotlib

from harness.campaign.runs import SERIES_OF
from harness.campaign.tables import applications_in, at, policies_in

matplotlib.use("Agg")
matplotlib.rcParams["svg.hashsalt"] = "lbhm"  # the same data, the same file
import matplotlib.pyplot as plt  # noqa: E402

FIGURE6 = ("memory-mode", "memory-optimizer", "merchandiser", "lbhm")


def save(figure, target: Path) -> None:
    figure.tight_layout()
    figure.savefig(target, metadata={"Date": None})
    plt.close(figure)


def draw_speedups(cells: list[dict], target: Path) -> None:
    """Figure 4: performance relative to slow-only."""
    here = at(cells, "optane", "25%")
    names, policies = applications_in(here), [p for p in policies_in(here) if p != "slow-only"]
    by = {(c["application"], c["policy"]): c["makespan_ns"] for c in here}
    figure, axes = plt.subplots(figsize=(11, 4))
    width = 0.85 / len(policies)
    colours = matplotlib.colormaps["tab20"]
    for number, policy in enumerate(policies):
        heights = [by.get((n, "slow-only"), 0) / by[n, policy] if (n, policy) in by else 0 for n in names]
        positions = [i + number * width for i in range(len(names))]
        axes.bar(positions, heights, width, label=policy, color=colours(number % 20))
    axes.set_xticks([i + 0.4 for i in range(len(names))], names)
    axes.set_ylabel("performance relative to slow-only")
    axes.axhline(1, color="black", linewidth=0.5)
    axes.legend(fontsize=7, ncols=2)
    save(figure, target)


def draw_boxes(cells: list[dict], target: Path) -> None:
    """Figure 5: task times relative to the mean of their region."""
    here = at(cells, "optane", "25%")
    names, policies = applications_in(here), policies_in(here)
    figure, panels = plt.subplots(1, len(names), figsize=(3.2 * len(names), 4.2), sharey=False, squeeze=False)
    for axes, name in zip(panels[0], names, strict=True):
        boxes = []
        for policy in policies:
            found = next(
                (c for c in here if c["application"] == name and c["policy"] == policy and c["task_times"]), None
            )
            if found:
                low, first, median, third, high = found["task_times"]
                boxes.append({"label": policy, "whislo": low, "q1": first, "med": median, "q3": third, "whishi": high})
        axes.bxp(boxes, showfliers=False)
        axes.set_title(name)
        axes.tick_params(axis="x", labelrotation=90, labelsize=7)
    panels[0][0].set_ylabel("task time / mean of its region")
    save(figure, target)


def draw_bandwidth(cells: list[dict], target: Path) -> bool:
    """Figure 6: what both memories deliver over time; False if there is nothing to draw."""
    here = [c for c in at(cells, "optane", "25%") if c["application"] == SERIES_OF and c["policy"] in FIGURE6]
    here = [c for c in here if c.get("bandwidth")]
    if not here:
        return False
    figure, panels = plt.subplots(1, len(here), figsize=(3.4 * len(here), 3), sharey=True, squeeze=False)
    for axes, cell in zip(panels[0], sorted(here, key=lambda c: FIGURE6.index(c["policy"])), strict=True):
        seconds, fast, slow = zip(*cell["bandwidth"], strict=True)
        axes.plot([1e3 * s for s in seconds], fast, label="fast memory", linewidth=0.9)
        axes.plot([1e3 * s for s in seconds], slow, label="slow memory", linewidth=0.9)
        axes.set_title(cell["policy"])
        axes.set_xlabel("ms in regions")
    panels[0][0].set_ylabel("GB/s read")
    panels[0][0].legend(fontsize=7)
    save(figure, target)
    return True
