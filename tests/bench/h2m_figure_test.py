"""Does bench/run h2m read what lbhm compare writes, and draw it?"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import pytest
from harness import h2m

TIMES = {
    "slow-only": 400,
    "fast-only": 100,
    "h2m-fcfs": 300,
    "h2m-initial": 200,
    "h2m-lifetime": 150,
    "h2m-phases": 150,
}


@pytest.fixture
def compared(monkeypatch):
    """Of a comparison with two capacities: half of the time with the second."""

    def lbhm(_, *words: str) -> str:
        runs = [[{"policy": policy, "makespan_ns": time / k} for policy, time in TIMES.items()] for k in (1, 2)]
        target = Path(words[words.index("--json") + 1])
        target.write_text(json.dumps({"comparisons": [{"runs": of} for of in runs]}))
        return ""

    monkeypatch.setattr(h2m, "lbhm", lbhm)
    monkeypatch.setattr(h2m, "program", lambda _, name: name)
    options = argparse.Namespace(short=True, fast="25%,50%")
    return h2m.compared(None, options, "icelake-optane", "xs")


def test_times_are_read_by_policy_and_capacity(compared):
    assert compared["h2m-initial"] == {"25%": 200, "50%": 100}
    assert h2m.speedups(compared)["lifetime"] == {"25%": 2.0, "50%": 2.0}


def test_what_is_better_off_in_dram_is_held_against_it(compared):
    assert not h2m.in_dram(compared)
    in_dram = {**compared, "slow-only": {"25%": 100, "50%": 100}, "fast-only": {"25%": 150, "50%": 150}}
    assert h2m.in_dram(in_dram)
    assert h2m.behind_dram(in_dram) == 1.0


def test_the_figure_is_drawn(compared, tmp_path):
    pytest.importorskip("matplotlib")
    h2m.plotted(tmp_path / "figure.svg", {"icelake-optane": {"xs": compared}})
    assert (tmp_path / "figure.svg").read_text().startswith("<?xml")
