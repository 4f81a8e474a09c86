"""The map of the generator as tables and as a picture."""

from __future__ import annotations

from pathlib import Path

from harness.campaign.cells import ORACLE
from harness.campaign.figures import plt, save
from harness.campaign.generator import gain_between
from harness.campaign.spread import INSIDE
from harness.campaign.summary import geometric_mean
from harness.campaign.tables import NOTHING, margin
from harness.result import Table

# What is shown: policy, over whom.
SHOWN = (
    ("merchandiser", "memory-optimizer"),
    ("merchandiser", "memory-mode"),
    ("merchandiser", "memtis"),
    ("lbhm", "memory-optimizer"),
    ("lbhm", "memory-mode"),
    ("lbhm", "memtis"),
)
MORE = (("lbhm", "first-touch"), ("lbhm", ORACLE))
LIMIT_OF_COLOURS = 0.3  # gains beyond are as dark as this


def shown_margin(entry: dict, policy: str, peer: str) -> str:
    return margin(gain_between(entry, policy, peer), peer in entry["inside_spread"].get(policy, ()))


def map_table(entries: list[dict]) -> Table:
    rows = []
    for entry in entries:
        knobs = f"{entry['limit']}, {entry['capacity']}, {entry['imbalance']:g}, {entry['alignment']:g}"
        row = [knobs + (", one region" if entry["one_region"] else "")]
        row += [shown_margin(entry, *pair) for pair in SHOWN + MORE]
        rows.append([*row, f"{shown_margin(entry, 'lbhm', entry['best_peer'])} {entry['best_peer']}"])
    columns = ["limit, fast memory, imbalance, alignment", *(f"{policy} over {peer}" for policy, peer in SHOWN + MORE)]
    title = f"generated programs: gain at every point of the map; {INSIDE}: inside the spread"
    return Table([*columns, "lbhm over the best peer"], rows, title)


def means_table(entries: list[dict]) -> Table:
    """Geometric means over the map by what is the limit, programs of one region apart."""
    rows = []
    kinds = dict.fromkeys((entry["limit"], entry["one_region"]) for entry in entries)
    for limit, one_region in kinds:
        here = [entry for entry in entries if (entry["limit"], entry["one_region"]) == (limit, one_region)]
        row = [limit + (", one region" if one_region else "")]
        for pair in SHOWN + MORE:
            row.append(mean_of([gain_between(entry, *pair) for entry in here]))
        rows.append([*row, mean_of([gain_between(entry, "lbhm", entry["best_peer"]) for entry in here])])
    columns = ["limit", *(f"{policy} over {peer}" for policy, peer in SHOWN + MORE), "lbhm over the best peer"]
    return Table(columns, rows, "generated programs: mean gain")


def mean_of(gains: list[float | None]) -> str:
    mean = geometric_mean([1 + gain for gain in gains if gain is not None])
    return NOTHING if mean is None else margin(mean - 1, False)


def draw_map(entries: list[dict], target: Path) -> None:
    """A panel for each pair of policies, limit and capacity; imbalance to the right, alignment upwards."""
    entries = [entry for entry in entries if not entry["one_region"]]
    across = list(dict.fromkeys((entry["limit"], entry["capacity"]) for entry in entries))
    figure, panels = plt.subplots(
        len(SHOWN), len(across), figsize=(2.6 * len(across) + 1, 2.0 * len(SHOWN)), squeeze=False
    )
    for line, pair in zip(panels, SHOWN, strict=True):
        for axes, where in zip(line, across, strict=True):
            draw_panel(axes, [entry for entry in entries if (entry["limit"], entry["capacity"]) == where], pair)
        line[0].set_ylabel(f"{pair[0]}\nover {pair[1]}\nalignment", fontsize=7)
    for axes, (limit, capacity) in zip(panels[0], across, strict=True):
        axes.set_title(f"{limit}, {capacity} fast", fontsize=8)
    for axes in panels[-1]:
        axes.set_xlabel("imbalance", fontsize=7)
    save(figure, target)


def draw_panel(axes, entries: list[dict], pair: tuple[str, str]) -> None:
    imbalances = sorted({entry["imbalance"] for entry in entries})
    alignments = sorted({entry["alignment"] for entry in entries})
    values = [[float("nan")] * len(imbalances) for _ in alignments]
    for entry in entries:
        gain = gain_between(entry, *pair)
        if gain is None:
            continue
        x = imbalances.index(entry["imbalance"])
        # Where tasks are equal there is one program for all alignments.
        for y in range(len(alignments)) if entry["imbalance"] == 0 else [alignments.index(entry["alignment"])]:
            values[y][x] = gain
            axes.text(x, y, shown_margin(entry, *pair), ha="center", va="center", fontsize=6)
    axes.imshow(
        values, cmap="RdYlGn", vmin=-LIMIT_OF_COLOURS, vmax=LIMIT_OF_COLOURS, origin="lower", aspect="auto", alpha=0.8
    )
    axes.set_xticks(range(len(imbalances)), [f"{value:g}" for value in imbalances], fontsize=7)
    axes.set_yticks(range(len(alignments)), [f"{value:g}" for value in alignments], fontsize=7)
