"""bench/run campaign: what is run, what is kept, and whether the paper's quantities are computed as said."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from harness.campaign.accuracy import accuracies_of
from harness.campaign.cells import APPLICATIONS, CAPACITIES, ORACLE, PRESETS, REFERENCES, WHOLE, Cell, cells, sweep
from harness.campaign.page import GENERATOR_MARK, MARK, markdown, replaced
from harness.campaign.run_all import Campaign
from harness.campaign.spread import PADDINGS, gain_range, inside_spread, median_of
from harness.campaign.store import Store
from harness.campaign.summary import summary
from harness.campaign.tables import accuracy_table, best_peer_table, tables_of, times_table
from harness.errors import BenchError
from harness.result import Table

ROOT = Path(__file__).resolve().parents[2]


def cell(application: str, policy: str, makespan: float, acv: float = 0.2, **more) -> dict:
    capacity = WHOLE if policy in REFERENCES else "25%"
    of = {"application": application, "preset": "optane", "capacity": capacity, "policy": policy, "pace": 1.0}
    return of | {"makespan_ns": makespan, "acv": acv, "accuracy": None, "task_times": []} | more


@pytest.fixture
def two_applications():
    return [
        cell("spgemm", "slow-only", 400),
        cell("spgemm", "memory-mode", 200, 0.4),
        cell("spgemm", "merchandiser", 100, 0.1, accuracy=0.9),
        cell("spgemm", "lbhm", 80, 0.2, accuracy=0.95),
        cell("spgemm", "oracle", 80, 0.1, bound_ns=64),
        cell("bfs", "slow-only", 300),
        cell("bfs", "memory-mode", 100, 0.2),
        cell("bfs", "merchandiser", 200, 0.2, accuracy=0.6),
        cell("bfs", "lbhm", 100, 0.4, accuracy=0.7),
        cell("bfs", "oracle", 50, 0.2, bound_ns=50),
    ]


def test_every_combination_is_run_once_and_references_once_for_all_capacities():
    all_cells = cells(list(APPLICATIONS), list(PRESETS), list(CAPACITIES), [])
    assert len(set(all_cells)) == len(all_cells)
    slow = [c for c in all_cells if c.policy == "slow-only"]
    assert {c.capacity for c in slow} == {WHOLE}
    assert len(slow) == len(APPLICATIONS) * len(PRESETS)
    assert {c.capacity for c in all_cells if c.policy == ORACLE} == set(CAPACITIES)


def test_sicm_is_a_peer_where_it_is_named_and_changes_nothing_for_the_others():
    where = ["spgemm", "bfs"], ["optane"], ["25%"]
    everyone = cells(*where, [])
    assert "sicm" not in {c.policy for c in everyone}
    named = [c for c in cells(*where, ["sicm"]) if c.policy not in REFERENCES]
    assert {(c.application, c.policy) for c in named} == {("spgemm", "sicm"), ("bfs", "sicm")}
    together = cells(*where, [*{c.policy for c in everyone}, "sicm"])
    assert [c for c in together if c.policy != "sicm"] == everyone


def test_what_others_need_is_run_first():
    for wanted in (cells(["spgemm"], ["optane"], ["12.5%", "25%"], ["lbhm"]), sweep(["spgemm"])):
        assert wanted[0].policy == "slow-only"  # tells the footprint
    assert cells(["spgemm"], ["optane"], ["12.5%", "25%"], ["lbhm"])[-1].capacity == "12.5%"


def test_gains_are_geometric_means_of_peer_over_policy(two_applications):
    of = summary(two_applications)
    assert of["gain_over"]["merchandiser"]["memory-mode"] == 0.0  # sqrt(2 * 0.5) - 1
    assert of["gain_over"]["lbhm"]["memory-mode"] == pytest.approx((2.5 * 1.0) ** 0.5 - 1, abs=1e-4)
    assert of["acv_reduction_over"]["merchandiser"]["memory-mode"] == pytest.approx(1 - (4 * 1) ** -0.5, abs=1e-4)


def test_distances_are_to_the_oracle_of_the_same_application_and_capacity(two_applications):
    of = summary(two_applications)
    by = {(c["application"], c["policy"]): c for c in of["cells"]}
    assert by["bfs", "lbhm"]["oracle_distance"] == 1.0
    assert by["spgemm", "lbhm"]["bound_distance"] == 0.25
    assert by["spgemm", "slow-only"]["oracle_distance"] is None  # it has no capacity
    assert of["oracle_distance"]["lbhm"] == 0.5


def test_tables_show_what_is_missing_as_missing(two_applications):
    fields = summary(two_applications[:-1])  # bfs without its oracle
    rows = {row[0]: row for row in times_table(fields["cells"], "optane", "25%").rows}
    assert rows["oracle"][2] == "–"
    assert rows["lbhm"][3] == f"{(0.2 / 3) ** 0.5:.3f}"
    assert [[row[1], row[4], row[7]] for row in accuracy_table(fields["cells"]).rows] == [
        ["90.0 %", "95.0 %", "74.2 %"],
        ["60.0 %", "70.0 %", "71.3 %"],
    ]
    assert all(len(row) == len(table.columns) for table in tables_of(fields) for row in table.rows)


def test_tables_show_sicm_where_it_was_run(two_applications):
    fields = summary([*two_applications, cell("spgemm", "sicm", 160), cell("bfs", "sicm", 200)])
    assert fields["gain_over"]["lbhm"]["sicm"] == pytest.approx(1.0)
    assert "sicm" in {row[0] for row in times_table(fields["cells"], "optane", "25%").rows}
    assert "sicm" not in summary(two_applications)["gain_over"]["lbhm"]


def with_times(of: dict, *times: float) -> dict:
    return median_of("x", [of | {"makespan_ns": time, "checksum": "c"} for time in times])


def test_a_cell_is_the_run_in_the_middle_and_says_how_far_the_others_are():
    runs = [{"makespan_ns": t, "acv": t / 10, "checksum": "c"} for t in (110, 100, 90)]
    assert median_of("x", runs) == runs[1] | {"makespans_ns": [110, 100, 90], "spread": 0.2}
    with pytest.raises(BenchError, match="x: the result depends on LBHM_HEAP_PADDING"):
        median_of("x", [runs[0], runs[1] | {"checksum": "d"}])


def test_a_margin_inside_the_spread_is_marked():
    slow, quick = cell("bfs", "memtis", 0), cell("bfs", "lbhm", 0)
    apart = (with_times(quick, 90, 91, 92), with_times(slow, 93, 95, 99))
    mixed = (with_times(quick, 90, 91, 96), with_times(slow, 93, 95, 99))
    assert gain_range([apart]) == pytest.approx((93 / 92 - 1, 99 / 90 - 1))
    assert not inside_spread([apart])
    assert inside_spread([mixed])
    assert not inside_spread(
        [(quick | {"makespan_ns": 1}, slow | {"makespan_ns": 1})]
    )  # one run says nothing of spread
    for pair, shown in ((apart, "4.4 % memtis"), (mixed, "~4.4 % memtis")):
        assert best_peer_table(list(pair), "optane").rows == [["25%", shown]]
        fields = summary([*pair])
        assert fields["gain_inside_spread"]["lbhm"] == (["memtis"] if pair is mixed else [])
        gains = next(table for table in tables_of(fields) if table.title.startswith("gain at 25 %"))
        assert [row[2] for row in gains.rows if row[0] == "memtis"] == [shown.split(" memtis")[0]]


def test_accuracy_has_a_mean_a_median_and_one_by_time():
    def task(predicted, measured):
        return {"predicted_ns": predicted, "time_ns": measured}

    regions = [{"tasks": [task(None, 50), task(110, 100)]}, {"tasks": [task(1500, 1000), task(4, 1)]}]
    of = accuracies_of({"prediction": {"mean_error": 1.2}, "regions": regions})
    assert of == {"accuracy": -0.2, "accuracy_median": 0.5, "accuracy_time_weighted": round(1 - 513 / 1101, 4)}
    nothing = accuracies_of({"prediction": None, "regions": regions[:0]})
    assert nothing == {"accuracy": None, "accuracy_median": None, "accuracy_time_weighted": None}
    cells_ = [cell("bfs", "lbhm", 1, **of), cell("bfs", "merchandiser", 1, accuracy_median=0.1)]
    assert summary(cells_)["accuracy_median"] == {"bfs": 0.5}


def test_markdown_has_a_line_a_row():
    text = markdown(Table(["a", "b"], [["1", "2"], ["3", "4"]], "title"))
    assert text.splitlines()[2:] == ["| a | b |", "| --- | ---: |", "| 1 | 2 |", "| 3 | 4 |"]
    assert MARK.startswith("<!--")


def test_campaign_and_map_write_their_own_parts_of_the_page():
    page = replaced("# By hand\n", GENERATOR_MARK, ["the map"])
    page = replaced(page, MARK, ["old", "tables"])
    page = replaced(page, MARK, ["tables"])
    assert page == f"# By hand\n\n{MARK}\n\ntables\n\n{GENERATOR_MARK}\n\nthe map\n"
    assert replaced("", MARK, ["tables"]).startswith("# Results")


class FakeBuild:
    def __init__(self, folder: Path):
        self.folder = folder
        self.library = folder / "liblbhm.so"
        self.library.write_text("runtime")
        (folder / "spgemm-emu").write_text("program")

    def program(self, name: str) -> Path:
        return self.folder / name


def test_a_result_is_kept_until_what_it_was_measured_with_changes(tmp_path):
    build = FakeBuild(tmp_path)
    application, which = APPLICATIONS["spgemm"], Cell("spgemm", "optane", "25%", "lbhm")
    store = Store(tmp_path / "cells", build, True, PADDINGS)
    key = store.key(application, which)
    assert store.load(which, key) is None
    store.save(which, key, {"makespan_ns": 1})
    assert store.load(which, key) == {"makespan_ns": 1}
    for other in (Store(tmp_path / "cells", build, False, PADDINGS), Store(tmp_path / "cells", build, True, (0,))):
        assert other.load(which, other.key(application, which)) is None
    build.library.write_text("another runtime")
    assert store.load(which, Store(tmp_path / "cells", build, True, PADDINGS).key(application, which)) is None
    (tmp_path / "cells" / f"{which.name}.json").write_text("{torn")
    assert store.load(which, key) is None


class FakeRunner:
    """Fails where it is told to."""

    def __init__(self, failing: str = ""):
        self.failing = failing

    def run(self, application, which, footprint):
        if which.policy == self.failing:
            raise BenchError(f"{which.name}: told to")
        return {"makespan_ns": 1e6 + footprint, "footprint_bytes": 7, "checksum": "c"}


@pytest.mark.parametrize("jobs", [1, 3])
def test_cells_at_a_time_come_in_order_and_know_the_footprint(tmp_path, jobs):
    wanted = cells(["spgemm"], ["optane"], ["12.5%", "25%"], ["lbhm"])

    def campaign(runner: FakeRunner, folder: str) -> Campaign:
        return Campaign(APPLICATIONS, runner, Store(tmp_path / folder, FakeBuild(tmp_path), True, PADDINGS), jobs)

    results, failures = campaign(FakeRunner(), "whole").run(wanted)
    assert [r["makespan_ns"] - 1e6 for r in results] == [0, 0, 7, 7]
    assert not failures
    assert campaign(FakeRunner(), "whole").kept(wanted) == wanted
    results, failures = campaign(FakeRunner("slow-only"), "failed").run(wanted)
    assert len(results) == 1  # fast-only
    assert "the footprint is unknown, because slow-only failed" in failures[1]


def test_the_short_campaign_runs_and_goes_on_where_it_stopped(tmp_path):
    """The whole way with real programs: cells, oracle, tables, page and figures."""
    command = [ROOT / "bench" / "run", "campaign", "--short", "--applications", "spgemm", "pic"]
    command += ["--policies", "memory-mode", "lbhm", "oracle", "--work", tmp_path / "work"]
    command += ["--page", tmp_path / "results.md", "--json", tmp_path / "c.json"]
    (tmp_path / "results.md").write_text("# By hand\n")
    first = subprocess.run([str(word) for word in command], capture_output=True, text=True, cwd=ROOT)
    assert first.returncode == 0, first.stderr
    result = json.loads((tmp_path / "c.json").read_text())
    assert len(result["cells"]) == 2 * 5
    assert set(result) >= {"gain_over", "acv_reduction_over", "oracle_distance", "gain_inside_spread"}
    predicted = {c["application"] for c in result["cells"] if c["policy"] == "lbhm" and c["accuracy"] is not None}
    assert set(result["accuracy_median"]) == set(result["accuracy_time_weighted"]) == predicted
    for each in result["cells"]:
        assert each["makespan_ns"] == sorted(each["makespans_ns"])[1]
        assert each["spread"] == pytest.approx(
            (max(each["makespans_ns"]) - min(each["makespans_ns"])) / each["makespan_ns"], abs=1e-4
        )
    assert result["oracle_distance"]["oracle"] == 0
    page = (tmp_path / "results.md").read_text()
    assert page.startswith("# By hand")
    assert (tmp_path / "results" / "figure6.svg").stat().st_size > 1000
    again = subprocess.run([str(word) for word in command], capture_output=True, text=True, cwd=ROOT)
    assert again.stderr.count("(from disk)") == 10
    assert json.loads((tmp_path / "c.json").read_text())["cells"] == result["cells"]


@pytest.mark.parametrize(
    ("option", "value"),
    [("--applications", "lulesh"), ("--presets", "host"), ("--capacities", "7%")],
)
def test_unknown_names_are_answered_with_those_that_exist(option, value):
    done = subprocess.run([ROOT / "bench" / "run", "campaign", option, value], capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 2
    assert f"{option}: there is no '{value}'; choose from" in done.stderr


@pytest.mark.parametrize(("option", "value"), [("--jobs", "0"), ("--seeds", "0"), ("--paddings", "-8")])
def test_numbers_below_their_least_are_refused(option, value):
    words = [ROOT / "bench" / "run", "campaign", f"{option}={value}"]
    done = subprocess.run(words, capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 2
    assert f"{option}: {value} must be" in done.stderr
