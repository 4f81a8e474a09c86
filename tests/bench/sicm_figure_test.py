"""Does bench/run sicm make the right figures of what lbhm compare writes?"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import pytest
from harness import sicm
from harness.errors import BenchError

TIMES = {"slow-only": 500, "fast-only": 100, "first-touch": 300, "sicm": 200, "sicm-offline": 150}
SAID = "policy sicm: its recommendations were enforced at 1 of 9 intervals; it has seen 7 sites; "
MIB = 2**20


def run_of(policy: str, time: float) -> dict:
    remarks = [SAID + "a decision took 1500 ns in the mean and 20000 ns at most"] if policy == "sicm" else []
    size = {"footprint_bytes": 64 * MIB, "migrated_bytes": 16 * MIB}
    return {"policy": policy, "makespan_ns": time, "remarks": remarks} | size


@pytest.fixture
def found(monkeypatch) -> tuple[sicm.Times, sicm.Guided]:
    def lbhm(_, __, *words: str) -> None:
        runs = [[run_of(policy, time / k) for policy, time in TIMES.items()] for k in (1, 2)]
        target = Path(words[words.index("--json") + 1])
        target.write_text(json.dumps({"comparisons": [{"runs": of} for of in runs]}))

    monkeypatch.setattr(sicm, "lbhm", lbhm)
    monkeypatch.setattr(sicm, "program", lambda _, __, name: [name])
    options = argparse.Namespace(short=True, fast="20%,50%", machine="clx-optane", threads=16)
    return sicm.compared(None, options, "hydro")


def test_gaps_and_ratios_by_capacity(found):
    times, _ = found
    assert sicm.share_closed(times, "sicm", "20%") == pytest.approx(0.5)
    worse = {**times, "sicm": {"20%": 400, "50%": 300}}
    assert sicm.gap_closed({"hydro": times, "mc": worse})["sicm"]["20%"] == pytest.approx((0.5 * 0.01) ** 0.5, abs=1e-4)
    assert sicm.gap_closed({"hydro": times})["sicm-offline"] == {"20%": 0.75, "50%": 0.75}
    assert sicm.over_offline(times) == pytest.approx(200 / 150, abs=1e-4)
    assert sicm.gap_closed({})["sicm"] == {}


def test_the_papers_figures_stand_beside_ours(found):
    times, guided = found
    table1, table2, figure7, table3 = (table.rows for table in sicm.tables({"hydro": times}, {"hydro": guided}))
    assert table1 == [["hydro (LULESH)", "0.0 ms", "6.2 min", "64.0 MiB", "66.2 GB", "7", "87"]]
    assert figure7[2] == ["hydro (LULESH)", "sicm", "0.50", "0.50"]
    assert table3[0][-4:-2] == ["2.00 1.50 1.33", "4.49 3.43 1.31"]
    # 16 MiB in 100 ns; the paper: 197.5 MB/s for 611 s, of 66.2 GB.
    assert table3[0][-2:] == ["16.0 MiB, 0.25, 167772160.0", "1.82, 197.5"]
    # The interval is 10 s for 66.2 GB.
    assert table2[0] == ["hydro (LULESH)", "1.5 µs (0.01 %)", "20.0 µs (0.20 %)", "10137 µs"]
    assert table2[2] == ["the paper, online", "0.521 s (5 %)", "1.633 s (16 %)", "10 s"]
    assert [table.rows for table in sicm.tables({}, {})] == [[], table2[1:], [], []]


def test_a_library_that_says_nothing_of_its_decisions_is_named():
    silent = run_of("sicm", 1) | {"remarks": [SAID]}
    with pytest.raises(BenchError, match="has no decisions"):
        sicm.Guided().add("20%", silent)
