"""The ways in which LB-HM is in front of a program."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
BUILD = Path(os.environ.get("LBHM_BUILD", ROOT / "build" / "release"))
LIBRARY = BUILD / "lib" / "liblbhm.so"
HEAP = BUILD / "lib" / "liblbhm-heap.so"
FAULTS = BUILD / "tests" / "programs" / "faults"

sys.path.insert(0, str(ROOT / "tests"))
sys.path.insert(0, str(ROOT / "tests" / "two"))


@dataclass(frozen=True)
class Front:
    name: str
    sentence: str
    way: str = "plain"  # the folder of tests/faults/programs/CMakeLists.txt
    preload: bool = True
    two: bool = False  # a host with two memory nodes, tests/two
    report: bool = False
    heap: bool = False  # blocks of malloc, too
    tiers: bool = False  # there are tiers to choose from, so plans are made
    settings: dict[str, str] = field(default_factory=dict)

    def environment(self, folder: Path) -> dict[str, str]:
        """What the program gets on top. folder: for the files of one run."""
        environment: dict[str, str] = {}
        library = LIBRARY.parent / "host" / LIBRARY.name if self.two else LIBRARY
        preload = [str(library)] if self.preload else []
        if self.heap:
            preload.insert(0, str(HEAP))
        if self.two:
            from host import SHIM, TwoNodes

            host = TwoNodes(folder).environment("lbhm")
            environment |= {key: host[key] for key in ("TWO_NODES_TREE", "LBHM_MACHINE", "LBHM_POLICY")}
            preload.insert(0, str(SHIM))
        if preload:
            environment["LD_PRELOAD"] = ":".join(preload)
        if self.report:
            environment["LBHM_REPORT"] = str(folder / "results" / "report.json")
        return environment | self.settings

    def program(self, name: str) -> Path:
        return FAULTS / self.way / name


FRONTS = {
    front.name: front
    for front in (
        Front("plain", "preloaded, one memory"),
        Front("report", "preloaded, with a run report", report=True),
        Front("linked", "linked in front of libomp", way="linked", preload=False),
        Front("two", "two memory nodes", two=True, report=True, tiers=True),
        Front("heap", "two nodes, blocks of malloc too", two=True, heap=True, report=True, tiers=True),
        Front("hints", "two nodes, hint faults", two=True, report=True, tiers=True, settings={"LBHM_SAMPLER": "hints"}),
        Front(
            "emulated",
            "compiled with the plugin, machine optane",
            way="emulated",
            report=True,
            tiers=True,
            settings={"LBHM_MACHINE": "optane", "LBHM_POLICY": "lbhm"},
        ),
    )
}
ALONE = Front("alone", "without LB-HM", preload=False)
