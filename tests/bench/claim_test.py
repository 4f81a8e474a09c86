"""bench/run claim: what is run, and are gains, worst cases and shares those of the runs?"""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from harness.campaign.cells import APPLICATIONS, Application, Cell
from harness.campaign.claim_programs import DEFAULT_PEERS, cells_of, programs_of
from harness.campaign.claim_summary import KEYS, fields_of, tables_of
from harness.campaign.run_all import Campaign
from harness.campaign.runs import Runner
from harness.campaign.store import Store
from harness.campaign.time_left import TimeLeft, clock
from harness.claim import chosen
from harness.errors import BenchError
from harness.unmodified import UNCHANGED

ROOT = Path(__file__).resolve().parents[2]
POLICIES = [*DEFAULT_PEERS, "lbhm"]


def seeds_of(programs: dict[str, Application]) -> list[str]:
    return [app.arguments[app.arguments.index("--seed") + 1] for app in programs.values() if "--seed" in app.arguments]


def test_half_of_the_generated_programs_have_seeds_that_nobody_has_seen():
    sets = programs_of(UNCHANGED, short=False)
    development, test = sets["development"], sets["test"]
    assert {*APPLICATIONS, *UNCHANGED} == {name for name in development if not name.startswith("imbalance")}
    assert set(seeds_of(development)) == {"1"}
    assert seeds_of(test) == [str(101 + number) for number in range(len(test))]
    assert len(test) == len(seeds_of(development)) == 3 * (1 + 2 * 2 + 1)
    assert not set(development) & set(test)
    without_seeds = [[name.rpartition("-")[0] for name in of if name.startswith("imbalance")] for of in sets.values()]
    assert without_seeds[0] == without_seeds[1], "they differ in nothing but the seed"
    of = " ".join(development["imbalance-3-0-mixed-one-region-seed1"].arguments)
    assert of == "--imbalance 3 --alignment=0 --limit mixed --one-region --seed 1 --hottest-first"


def test_adversaries_are_of_each_kind_and_have_malloc_s_blocks_as_objects():
    adversaries = programs_of(UNCHANGED, short=False)["adversaries"]
    assert sorted(int(seed) % 6 for seed in seeds_of(adversaries)) == [0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5]
    assert all(app.heap for app in adversaries.values())


def test_runs_are_more_where_it_is_looked_at_closely_and_as_many_as_seeds_where_they_matter():
    cells = cells_of(["xs", "bt"], ["optane", "cxl"], ["12.5%", "25%"], [*POLICIES, "oracle"], short=False)
    assert len({cell.name for cell in cells}) == len(cells) == 2 * 2 * (1 + 2 * 8)
    assert (cells[0].policy, cells[0].capacity, cells[1].capacity) == ("slow-only", "all", "25%")
    by = {(c.preset, c.capacity, c.policy): c.variations for c in cells}
    assert by["optane", "25%", "lbhm"] == ((1, 0), (2, 208), (3, 4000), (4, 0), (5, 208))
    assert by["optane", "25%", "first-touch"] == by["optane", "25%", "oracle"] == ((1, 0), (1, 208), (1, 4000))
    assert by["optane", "12.5%", "memtis"] == by["cxl", "25%", "memtis"] == ((1, 0), (2, 0), (3, 0))
    assert by["cxl", "25%", "memory-mode"] == by["cxl", "all", "slow-only"] == ((1, 0),)
    for few in ({"short": True}, {"short": False, "most": 1}):
        assert {cell.variations for cell in cells_of(["xs"], ["optane"], ["25%"], POLICIES, **few)} == {((1, 0),)}


class FakeBuild:
    def __init__(self, folder: Path):
        self.folder = folder
        for name in ("liblbhm.so", "liblbhm-heap.so", "xs-emu", "spgemm-emu"):
            (folder / name).write_text(name)
        self.library = folder / "liblbhm.so"

    def program(self, name: str) -> Path:
        return self.folder / name


def test_every_run_has_its_own_seed_and_padding(tmp_path, monkeypatch):
    ran = []

    def execute(setup, policy, capacity, **more):
        ran.append((setup.seed, dict(setup.settings)["LBHM_HEAP_PADDING"], capacity))
        return len(ran)

    monkeypatch.setattr("harness.campaign.runs.execute", execute)
    monkeypatch.setattr(
        "harness.campaign.runs.result_of",
        lambda cell, number: {"makespan_ns": 10.0 * number, "checksum": "c", "processor_seconds": 1},
    )
    cell = Cell("spgemm", "optane", "25%", "lbhm", variations=((1, 0), (2, 208), (3, 4000)))
    result = Runner(FakeBuild(tmp_path), tmp_path, True, (0,)).run(APPLICATIONS["spgemm"], cell, 4096)
    assert ran == [(1, "0", 1024), (2, "208", 1024), (3, "4000", 1024)]
    assert (result["makespan_ns"], result["makespans_ns"]) == (20, [10, 20, 30])


class FakeRunner:
    """Times by policy; of some programs other ones. Fails where it is told to."""

    def __init__(self, times: dict[tuple[str, str], float], failing: tuple[str, str] = ("", "")):
        self.times, self.failing = times, failing

    def run(self, application, cell, footprint):
        if (application.name, cell.policy) == self.failing:
            raise BenchError(f"{cell.name}: told to")
        time = self.times.get((application.name, cell.policy), 100.0)
        of = {"application": application.name, "preset": cell.preset, "capacity": cell.capacity, "policy": cell.policy}
        return of | {"makespan_ns": time, "makespans_ns": [time] * 3, "footprint_bytes": 7, "checksum": "c"}


TIMES = {
    ("xs", "lbhm"): 50.0,
    ("spgemm", "lbhm"): 104.0,
    ("spgemm", "memtis"): 104.0,
    ("spgemm", "first-touch"): 208.0,
    ("xs", "oracle"): 40.0,
    ("spgemm", "oracle"): 80.0,
}


def fields_from(tmp_path, runner: FakeRunner, policies: list[str]) -> tuple[dict, list[str]]:
    programs = {"xs": UNCHANGED["xs"], "spgemm": APPLICATIONS["spgemm"]}
    campaign = Campaign(programs, runner, Store(tmp_path / "cells", FakeBuild(tmp_path), True, (0,)), 1)
    results, failures = campaign.run(cells_of(programs, ["optane"], ["25%"], policies, short=False))
    sets = {"development": ["spgemm"], "test": ["xs"]}
    return fields_of(results, sets), failures


def test_gains_worst_cases_and_shares_are_those_of_the_runs(tmp_path):
    fields, failures = fields_from(tmp_path, FakeRunner(TIMES), [*POLICIES, "oracle"])
    assert not failures

    def here(key: str, of: dict = fields):
        return of[key]["optane"]["25%"]

    assert here("gain_over")["memtis"] == pytest.approx(2**0.5, abs=1e-4)
    assert here("gain_over")["first-touch"] == 2
    assert here("gain_over")["tpp"] == pytest.approx((2 / 1.04) ** 0.5, abs=1e-4)
    worst = here("worst_over_best_peer")
    assert (worst["ratio"], worst["program"]) == (1.04, "spgemm")
    assert worst["peer"] not in ("memtis", "first-touch"), "they are no quicker than lbhm there"
    assert here("share_within_3_percent_of_best_peer") == 0.5
    assert here("worst_over_first_touch") == {"ratio": 0.5, "program": "xs", "peer": "first-touch"}
    assert here("share_at_most_1_percent_behind_first_touch") == 1
    assert here("oracle_distance")["lbhm"] == pytest.approx((0.25 + 0.3) / 2)
    assert here("programs") == 2
    of_test = fields["sets"]["test"]
    assert here("gain_over", of_test)["memtis"] == 2
    assert here("share_within_3_percent_of_best_peer", of_test) == 1
    summary, *of_sets, behind = tables_of(fields)
    assert [table.title.partition(" (")[0] for table in (summary, *of_sets)] == [
        f"lbhm, {name}" for name in ("all programs", "set development", "set test")
    ]
    shown = dict(of_sets[0].rows)
    assert of_sets[0].columns[1] == "optane 25%"
    assert shown["gain over memtis"] == "~0.0 %"
    assert shown["worst time / best peer's"] == "1.040"
    assert shown["from the oracle"] == "30.0 %"
    assert behind.rows[0][:3] == ["spgemm", "1.040", "0.500"]
    assert behind.rows[0][-1] == worst["peer"]
    assert all(len(row) == len(table.columns) for table in (summary, behind) for row in table.rows)


def test_a_peer_that_failed_is_left_out_where_it_did_and_without_first_touch_nothing_is_said_of_it(tmp_path):
    runner = FakeRunner(TIMES, failing=("xs", "memtis"))
    fields, failures = fields_from(tmp_path, runner, ["memtis", "tpp", "lbhm"])
    assert len(failures) == 1
    assert fields["gain_over"]["optane"]["25%"]["memtis"] == 1, "of spgemm alone"
    assert fields["worst_over_first_touch"] == {"optane": {"25%": None}}
    assert fields["oracle_distance"] == {"optane": {"25%": {}}}
    shown = dict(tables_of(fields)[0].rows)
    assert shown["worst time / first touch's"] == shown["from the oracle"] == "–"
    nothing = fields_of([], {"test": []})
    assert set(nothing) == {*KEYS, "sets", "cells"}
    assert {cell for row in tables_of(nothing)[0].rows for cell in row[1:]} == set()


def test_what_is_left_takes_as_long_as_the_same_program_took():
    cells = cells_of(["spgemm", "xs"], ["optane"], ["25%"], ["lbhm"], short=False)  # 1 + 5 runs of each
    left = TimeLeft(cells, jobs=2)
    assert str(left) == ""
    left.done(cells[0], 4.0)
    assert left.seconds() == (5 * 4 + 6 * 4) / 2
    left.done(cells[1], None)  # from disk
    left.done(cells[2], 1.0)
    assert left.seconds() == 5 * 1 / 2
    assert str(left) == "; 0 s so far, 2 s left"
    assert [clock(seconds) for seconds in (99, 100, 3600 * 3 + 61)] == ["99 s", "2 min", "3 h 01 min"]


def test_programs_are_those_of_the_set():
    sets = programs_of(UNCHANGED, short=True)
    assert list(chosen(sets, "all", [])) == ["development", "test", "adversaries"]
    assert chosen(sets, "all", ["xs"]) == {"development": {"xs": UNCHANGED["xs"]}}
    with pytest.raises(BenchError, match="--programs: there is no 'xs'; choose from imbalance-3-0-latency-seed101, "):
        chosen(sets, "test", ["xs"])


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("--set", "unseen"),
        ("--machine", "host"),
        ("--capacities", "7%"),
        ("--peers", "lbhm"),
        ("--programs", "lulesh"),
    ],
)
def test_unknown_names_are_answered_with_those_that_exist(option, value):
    done = subprocess.run([ROOT / "bench" / "run", "claim", option, value], capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 2
    assert f"{option}: there is no '{value}'; choose from" in done.stderr


def test_no_job_at_a_time_is_refused():
    done = subprocess.run([ROOT / "bench" / "run", "claim", "--jobs=0"], capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 2
    assert "--jobs: 0 must be 1 or more" in done.stderr


def test_the_short_form_runs_and_goes_on_where_it_stopped(tmp_path):
    """The whole way with real programs."""
    words = [ROOT / "bench" / "run", "claim", "--short", "--peers", "first-touch", "memtis", "--machine", "cxl"]
    words += ["--programs", "spgemm", "xs", "imbalance-3-0-latency-seed101"]
    words += ["--work", tmp_path / "work", "--json", tmp_path / "c.json"]
    first = subprocess.run([str(word) for word in words], capture_output=True, text=True, cwd=ROOT)
    assert first.returncode == 0, first.stderr
    assert " left)" in first.stderr
    result = json.loads((tmp_path / "c.json").read_text())
    assert len(result["cells"]) == 3 * 4
    assert {len(cell["makespans_ns"]) for cell in result["cells"]} == {1}
    assert set(result["gain_over"]["cxl"]["25%"]) == {"first-touch", "memtis"}
    assert result["programs"] == {"cxl": {"25%": 3}}
    assert set(result["sets"]) == {"development", "test"}
    assert result["worst_over_best_peer"]["cxl"]["25%"]["ratio"] > 0
    again = subprocess.run([*map(str, words), "--kept"], capture_output=True, text=True, cwd=ROOT)
    assert again.stderr.count("(from disk)") == 12
    assert json.loads((tmp_path / "c.json").read_text())["cells"] == result["cells"]
