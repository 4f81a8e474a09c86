"""One training program with one number of threads: what is measured, where it is kept, when it is still good.

The seed input runs with everything in slow memory and gives the events; the train input runs under all placements and
gives times and shares of accesses (section 5.1 of the paper: events and times come from different inputs).
"""

from __future__ import annotations

import hashlib
import json
import time
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from lbhm.execute.execute import Setup
from lbhm.files.json_reader import read_json
from lbhm.machine import file_of
from lbhm.output.output import write_json
from lbhm.regions.regions_measure import Placement, measure_regions, placements
from lbhm.train.corpus import name_of

SCHEMA = "lbhm.training-data/1"
EXECUTIONS = 1000  # of a region by a thread that are measured, as lbhm regions has it


@dataclass(frozen=True)
class Job:
    """setup.command: the program alone; its argument is the input. repeat: runs of each placement. machine: fingerprint
    of a real one."""

    setup: Setup
    placements: int
    work: Path
    repeat: int = 1
    machine: str = ""

    @property
    def runs(self) -> int:
        return self.repeat * (1 + len(placements(self.placements)))

    @property
    def name(self) -> str:
        return f"{name_of(Path(self.setup.command[0]))}-{self.setup.lanes}"

    @property
    def file(self) -> Path:
        return self.work / f"{self.name}.json"

    @property
    def key(self) -> str:
        """Of everything that the result depends on: program, library, machine, options."""
        files = [Path(self.setup.command[0]), self.setup.build.need_library()]
        files += [file_of(self.setup.machine.value)] if self.setup.machine.emulated else []
        parts = [*(_digest(path) for path in files), self.setup.lanes, self.setup.seed, self.placements, EXECUTIONS]
        parts += [self.repeat, self.machine] if self.machine else []
        return hashlib.sha256(json.dumps(parts).encode()).hexdigest()

    def found(self) -> dict[str, Any] | None:
        """What was measured before, if it is still of the same program, library, machine and options."""
        try:
            content = read_json(self.file)
        except (OSError, ValueError):
            return None
        known = isinstance(content, dict) and content.get("schema") == SCHEMA and content.get("key") == self.key
        return content if known else None

    def run(self) -> None:
        """Measures, and writes the file whole or not at all. Raises Refusal, see measure_regions."""
        began = time.monotonic()
        seed = self._measure("seed", [Placement("slow-only", 0.0)], lanes=True)
        train = self._measure("train", placements(self.placements), lanes=False)
        data = {
            "schema": SCHEMA,
            "key": self.key,
            "program": name_of(Path(self.setup.command[0])),
            "seconds": round(time.monotonic() - began, 3),
            "seed": seed,
            "train": train,
        }
        write_json(self.file, data, compact=True)

    def _measure(self, which: str, chosen: list[Placement], lanes: bool) -> dict[str, Any]:
        setup = replace(self.setup, command=[*self.setup.command, which])
        return measure_regions(setup, chosen, EXECUTIONS, lanes=lanes, repeat=self.repeat)


@cache
def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
