"""Are the times of decisions sorted by shape, and in microseconds?"""

from pathlib import Path
from types import SimpleNamespace

import pytest
from harness import decision


def google(name: str, cpu: float, unit: str, aggregate: str = "median") -> dict:
    return {
        "name": f"{name}_{aggregate}",
        "run_name": name,
        "aggregate_name": aggregate,
        "cpu_time": cpu,
        "real_time": 9 * cpu,
        "time_unit": unit,
    }


def test_medians_of_processor_time_are_taken_in_microseconds():
    entries = [google("budget/24/100/64", 2, "ms"), google("budget/24/100/64", 7, "ms", "mean"), google("x", 500, "ns")]
    assert decision.medians({"benchmarks": entries}) == {"budget/24/100/64": 2000, "x": 0.5}


def test_a_single_repetition_is_its_own_median():
    entry = google("trained", 5, "us")
    del entry["aggregate_name"]
    assert decision.medians({"benchmarks": [entry]}) == {"trained": 5}


def test_names_tell_footprint_tasks_and_objects():
    tree = decision.by_shape({"budget/24/100/64": 2.0, "decision/24/100/64": 9.0, "budget/1/1/1024": 1.0})
    assert tree["64"]["24"]["100"] == {"budget": 2.0, "decision": 9.0}
    assert tree["1024"]["1"]["1"] == {"budget": 1.0}


@pytest.mark.parametrize("shipped", [True, False])
def test_the_shipped_model_is_taken_unless_one_is_named(tmp_path, shipped):
    file = tmp_path / "share" / "lbhm" / "models" / "optane.json"
    if shipped:
        file.parent.mkdir(parents=True)
        file.write_text("{}")
    build = SimpleNamespace(folder=tmp_path)
    assert decision.model_of(build, None) == (file if shipped else None)
    assert decision.model_of(build, Path("mine.json")) == Path("mine.json")


def test_tables_have_a_row_a_number_of_tasks_and_a_row_a_part():
    parts = dict.fromkeys([*decision.PARTS, decision.WHOLE], 1.0)
    tree = {"1024": {tasks: {"1": parts, "24": parts} for tasks in ("1", "24")}}
    assert [row[0] for row in decision.whole_table(tree).rows] == ["1", "24"]
    assert [row[0] for row in decision.part_table(tree).rows] == [*decision.PARTS, "decision"]
