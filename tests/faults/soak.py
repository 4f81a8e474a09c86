#!/usr/bin/env python3
"""Does a program keep its size that runs a planned region a millisecond, with threads that come and go?

    tests/faults/soak.py --seconds 600      the nightly form

Resident memory is looked at behind the first minute (behind half of a shorter run). Exit status 1 if it grows by more
than 1 MiB from there to the end.
"""

from __future__ import annotations

import argparse
import json
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from harmless import cells
from harmless.fronts import ALONE, FRONTS
from harmless.programs import Program

SETTLED = 60  # seconds
MOST_KIB = 1024


@dataclass(frozen=True)
class Growth:
    front: str
    status: str
    regions: int
    kib_settled: int
    kib_at_end: int

    @property
    def kib(self) -> int:
        return self.kib_at_end - self.kib_settled

    @property
    def good(self) -> bool:
        return self.status == "status 0" and self.kib <= MOST_KIB


def soak(name: str, seconds: int, plans: int) -> Growth:
    found = cells.run(
        Program("soak", (str(seconds), str(plans))), FRONTS.get(name, ALONE), "return", seconds + cells.SECONDS
    )
    rows = [[int(word) for word in line.split()] for line in found.outcome.stdout.splitlines()]
    settled = [row for row in rows if row[0] >= min(SETTLED, seconds / 2)]
    status = cells.how(found.outcome.status)
    if not settled or (name in FRONTS and found.proof != "in"):
        return Growth(name, f"{status}, LB-HM {found.proof}, {len(rows)} lines", 0, 0, 0)
    return Growth(name, status, rows[-1][1], settled[0][2], max(row[2] for row in settled))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=int, default=600)
    parser.add_argument("--fronts", nargs="+", default=["alone", "plain", "two", "hints"], choices=["alone", *FRONTS])
    parser.add_argument("--plan-once", action="store_true", help="only the first region is planned, not each")
    parser.add_argument("--json", type=Path, metavar="FILE")
    options = parser.parse_args()
    with ThreadPoolExecutor(len(options.fronts)) as pool:
        growths = list(
            pool.map(lambda front: soak(front, options.seconds, 0 if options.plan_once else 1), options.fronts)
        )
    for one in growths:
        print(
            f"{one.front:<8} {one.status}, {one.regions} regions, {one.kib_settled} KiB settled, {one.kib_at_end} KiB "
            f"at most, grows by {one.kib} KiB"
        )
    if options.json:
        options.json.write_text(json.dumps([asdict(one) | {"kib": one.kib} for one in growths], indent=1) + "\n")
    return 0 if all(one.good for one in growths if one.front != "alone") else 1


if __name__ == "__main__":
    sys.exit(main())
