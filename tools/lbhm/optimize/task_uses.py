"""What each task used: what method balanced of `lbhm optimize` goes by (choose_json.h).

A task is a lane in all phases of one name: instances of a phase have few samples each.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import pairwise
from typing import Any

from lbhm.base.errors import Refusal
from lbhm.files.use_rows import Use, rows, uses_of

Row = list[float]
Tasks = dict[str, list[Any]]
Item = dict[str, Any]  # an object of a profile; empty: what is at no object


def has_lanes(section: dict[str, Any]) -> bool:
    """Whether it says which lane used what; profiles of older versions do not. section: `objects` of a profile."""
    return any(use.lanes for item in section["objects"] for use in uses_of(item))


def task_rows(section: dict[str, Any], worth: Callable[[Use, Item], Row]) -> tuple[Tasks, list[list[Row]]]:
    """The tasks: phases_ns, of, elsewhere, as lbhm-choose has it; and rows [task, loads, stores, R], by object.

    section: `objects` of a profile. worth: [phase, loads, stores, R] of Eq. 1, of a use of an object.

    Raises Refusal: it has no uses by lane.
    """
    if not has_lanes(section):
        raise Refusal(
            "--method balanced: the profile does not say which lane used what, as those of older versions do not; make "
            "it again with lbhm profile"
        )
    names = [phase["name"] for phase in section["phases"]]
    number = {name: at for at, name in enumerate(dict.fromkeys(names))}
    begins = [phase["begin_ns"] for phase in section["phases"]] + [section.get("end_ns", 0.0)]
    took = [0.0] * len(number)
    for name, (begin, end) in zip(names, pairwise(begins), strict=True):
        took[number[name]] += max(0.0, end - begin)
    met: dict[tuple[int, int], int] = {}  # tasks, by phase and lane

    def of(uses: Iterable[Use], item: Item) -> list[Row]:
        sums: dict[int, Use] = {}
        for use in uses:
            for lane, part in use.by_lane():
                task = met.setdefault((number[names[use.phase]], lane), len(met))
                sums[task] = part.with_counts_of(sums[task]) if task in sums else part
        return [[task, *worth(use, item)[1:]] for task, use in sorted(sums.items())]

    elsewhere = of(rows(section["elsewhere"]), {})
    of_objects = [of(uses_of(item), item) for item in section["objects"]]
    return {"phases_ns": took, "of": [phase for phase, _ in met], "elsewhere": elsewhere}, of_objects
