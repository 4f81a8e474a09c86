"""bench/run curves: are its figures left out of the machine files, and is the data read as it is meant?"""

import json

import pytest
from harness import curves_bench as curves
from harness.errors import BenchError
from harness.fidelity import machine_file

FIGURES = json.loads(curves.FIGURES.read_text())
HEAD = "read_pct_rounded,pause,bandwidth_smooth,latency_smooth\n"
MIXED = [entry for entry in FIGURES["machines"] if entry["tier"] != "optane"]  # of Optane reads alone are published


@pytest.mark.parametrize("entry", MIXED, ids=lambda entry: f"{entry['preset']} {entry['measured']}")
def test_what_is_compared_is_in_no_machine_file(entry):
    machine = machine_file.presets()[entry["preset"]]
    tier = next(tier for tier in machine["tiers"] if tier["name"] == entry["tier"])
    in_file = {row["read_percent"] for row in tier["curves"]["rows"]}
    assert entry["rows"]
    assert not in_file & {row["read_percent"] for row in entry["rows"]}


def test_data_is_read_at_shares_that_are_left_out(tmp_path):
    lines = [f"{share}.0,{pause},{bandwidth},{latency}" for share in (50, 55, 60)
             for pause, bandwidth, latency in ((9, 0, 100), (5, 40, 150), (1, 80, 140))]  # fmt: skip
    (tmp_path / "m.csv").write_text(HEAD + "\n".join(lines) + "\n")
    entry = {"preset": "grace", "file": "m.csv", "part": 0.5}
    (row,) = curves.rows_of_data(tmp_path, entry, [50, 60])
    assert (row.read_percent, row.bandwidth) == (55, 40)
    assert row.uses == [0, 0.5, 1]
    assert row.ratios == [1, 1.5, 1.5], "what falls is noise"


def test_data_that_is_not_there_is_named(tmp_path):
    with pytest.raises(BenchError, match=r"m\.csv cannot be read"):
        curves.rows_of_data(tmp_path, {"preset": "grace", "file": "m.csv", "part": 1}, [50])
