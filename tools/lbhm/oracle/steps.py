"""Steps of a run: between two of them a plan may move pages. Epochs, or parts of them between barriers."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lbhm.files.page_counts import NO_REGION, Label, PageCounts

# An epoch has so many steps at most: neighbouring stretches are taken together until each lasts as long a part of it.
# An assumption; shorter ones are over before the pages have come.
MOST_STEPS = 8

Point = tuple[int, int, int]  # epoch, region, barrier


@dataclass(frozen=True)
class Step:
    epoch: int
    begins: Point | None  # the barrier that it begins with; None: the call of LB_HM_config
    labels: tuple[Label, ...]


def epochs_of(counts: PageCounts) -> list[Step]:
    """A step an epoch."""
    return [Step(epoch, None, tuple(counts.of_epoch(epoch))) for epoch in range(counts.epochs)]


def inner_steps_of(counts: PageCounts) -> list[Step]:
    """Epochs cut at barriers. Whole ones where it is not known what comes when, or when to move: before the first call,
    with several regions, with several instances of one."""
    steps = []
    for whole in epochs_of(counts):
        regions = {label[1] for label in whole.labels} - {NO_REGION}
        once = all(counts.cells[label].instances == 1 for label in whole.labels if label[1] != NO_REGION)
        steps += _cut(counts, whole, *regions) if whole.epoch > 0 and len(regions) == 1 and once else [whole]
    return steps


def _cut(counts: PageCounts, whole: Step, region: int) -> list[Step]:
    serial = [label for label in whole.labels if label[1] == NO_REGION]
    stretches: dict[int, list[Label]] = {}
    for label in whole.labels:
        if label[1] == region:
            stretches.setdefault(label[2], []).append(label)
    times = [max(counts.cells[label].time for label in labels) for _, labels in sorted(stretches.items())]
    part = sum(times) / MOST_STEPS
    steps: list[Step] = []
    lasts = 0.0  # of the last step
    for (stretch, labels), time in zip(sorted(stretches.items()), times, strict=True):
        if not steps:
            steps.append(Step(whole.epoch, None, (*serial, *labels)))
        elif lasts < part and time < part:
            steps[-1] = Step(whole.epoch, steps[-1].begins, (*steps[-1].labels, *labels))
            time += lasts
        else:
            steps.append(Step(whole.epoch, (whole.epoch, region, stretch), tuple(labels)))
        lasts = time
    return steps


@dataclass(frozen=True)
class Life:
    """From which step to which a page takes room."""

    first: np.ndarray
    last: np.ndarray


def life_of(counts: PageCounts, steps: list[Step]) -> Life:
    """A page appears when it is used first and goes with its object."""
    pages = int(counts.offsets[-1]) + 1
    first = np.full(pages, len(steps), dtype=np.int64)
    for number, step in enumerate(steps):
        for label in step.labels:
            used = counts.cells[label].pages
            first[used] = np.minimum(first[used], number)
    last_step = {step.epoch: number for number, step in enumerate(steps)}  # of each epoch
    died = np.array([last_step[min(epoch, counts.epochs - 1)] for epoch in counts.died.tolist()], dtype=np.int64)
    last = np.append(np.repeat(died, counts.object_pages), len(steps) - 1)
    return Life(first, np.maximum(last, np.minimum(first, len(steps) - 1)))
