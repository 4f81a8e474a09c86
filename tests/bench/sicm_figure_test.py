"""Does bench/run sicm make the right figures of what lbhm compare writes?"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import pytest
from harness import sicm

TIMES = {"slow-only": 500, "fast-only": 100, "first-touch": 300, "sicm": 200, "sicm-offline": 150}


@pytest.fixture
def times(monkeypatch) -> sicm.Times:
    def lbhm(_, __, *words: str) -> None:
        runs = [[{"policy": policy, "makespan_ns": time / k} for policy, time in TIMES.items()] for k in (1, 2)]
        target = Path(words[words.index("--json") + 1])
        target.write_text(json.dumps({"comparisons": [{"runs": of} for of in runs]}))

    monkeypatch.setattr(sicm, "lbhm", lbhm)
    monkeypatch.setattr(sicm, "program", lambda _, __, name: [name])
    options = argparse.Namespace(short=True, fast="20%,50%", machine="clx-optane", threads=16)
    return sicm.compared(None, options, "hydro")


def test_gaps_and_ratios_by_capacity(times):
    assert sicm.share_closed(times, "sicm", "20%") == pytest.approx(0.5)
    worse = {**times, "sicm": {"20%": 400, "50%": 300}}
    assert sicm.gap_closed({"hydro": times, "mc": worse})["sicm"]["20%"] == pytest.approx((0.5 * 0.01) ** 0.5, abs=1e-4)
    assert sicm.gap_closed({"hydro": times})["sicm-offline"] == {"20%": 0.75, "50%": 0.75}
    assert sicm.over_offline(times) == pytest.approx(200 / 150, abs=1e-4)
    assert sicm.gap_closed({})["sicm"] == {}


def test_the_papers_figures_stand_beside_ours(times):
    figure7, table3 = sicm.tables({"hydro": times})
    assert figure7.rows[2] == ["hydro (LULESH)", "sicm", "0.50", "0.50"]
    assert table3.rows[0][-2:] == ["2.00 1.50 1.33", "4.49 3.43 1.31"]
    assert sicm.tables({})[0].rows == []
