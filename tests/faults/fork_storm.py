#!/usr/bin/env python3
"""Forks while other threads run regions, plan and allocate by every kind of allocator, under each front.

    tests/faults/fork_storm.py --forks 2000

Prints how many children there were, hung and failed. Exit status 1 if one did.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from harmless import cells
from harmless.fronts import FRONTS
from harmless.programs import Program

AT_ONCE = 2
ROUND = 5  # forks of one process: the first ones meet what starts
LINE = re.compile(rb"children: (\d+) well, (\d+) hung, (\d+) failed")


def storm(front: str, forks: int) -> tuple[int, int]:
    """Children that were well, and that were not. A storm that does not end has hung, too."""
    found = cells.run(Program("fork_storm", (str(forks),)), FRONTS[front], "return")
    match = LINE.search(found.outcome.stdout)
    if found.proof != "in" or not match:
        sys.stderr.write(f"{front}: {cells.how(found.outcome.status)}; LB-HM: {found.proof}\n")
        return 0, forks
    sys.stderr.write(found.outcome.stderr.decode(errors="replace"))
    return int(match[1]), int(match[2]) + int(match[3])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--forks", type=int, default=2000, help="under all fronts together")
    parser.add_argument("--fronts", nargs="+", default=["plain", "report", "linked", "two", "hints"], choices=FRONTS)
    parser.add_argument("--json", type=Path, metavar="FILE")
    options = parser.parse_args()
    each = max(1, options.forks // len(options.fronts))
    rounds = [(front, min(ROUND, each - done)) for front in options.fronts for done in range(0, each, ROUND)]
    with ThreadPoolExecutor(AT_ONCE) as pool:
        results = list(pool.map(lambda one: storm(*one), rounds))
    well, hung = sum(one[0] for one in results), sum(one[1] for one in results)
    for front in options.fronts:
        bad = sum(one[1] for (name, _), one in zip(rounds, results, strict=True) if name == front)
        print(f"{front:<8} {each} forks, {bad} children hung or failed")
    print(f"{well + hung} forks, {hung} children hung or failed")
    if options.json:
        options.json.write_text(json.dumps({"forks": well + hung, "hung": hung}) + "\n")
    return 1 if hung else 0


if __name__ == "__main__":
    sys.exit(main())
