"""Is what a report says of a run over time true, and can it be drawn?"""

import pytest

from .conftest import Runner, program

QUANTUM_NS = 43_500  # looks are at the ends of quanta, of which the last one reaches beyond the run


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    runner = Runner(tmp_path_factory.mktemp("over-time"))
    arguments = ("--kron", "10", "--inputs", "4")
    outcome = runner.run("spgemm-emu", *arguments, machine="optane", policy="lbhm", fast_capacity="1M")
    assert outcome.status == 0, outcome.stderr
    return outcome.report


def test_no_tier_holds_more_than_it_has(report):
    timeline = report["timeline"]
    assert max(timeline["used_bytes"][0]) <= 1 << 20
    assert max(map(sum, zip(*timeline["used_bytes"], strict=True))) <= report["footprint_bytes"]
    for moment in range(len(timeline["times_ns"])):
        for tier, used in enumerate(timeline["used_bytes"]):
            objects = sum(row["tiers_bytes"][tier][moment] for row in timeline["objects"])
            assert objects <= used[moment] * 1.1 + 65536, "objects are part of it; large ones are estimates"


def test_no_tier_is_busier_than_time_passes(report):
    timeline = report["timeline"]
    for line in timeline["busy_ns"]:
        assert line == sorted(line)
        assert 0 < line[-1] <= 1.02 * timeline["times_ns"][-1]
    assert timeline["moved_bytes"][-1] <= report["migrated_bytes"]
    assert timeline["moved_bytes"][-1] >= 0.8 * report["migrated_bytes"]


def test_regions_and_moments_are_in_order_and_end_with_the_run(report):
    deciding = max(plan["decision_ns"] for plan in report["plans"])  # beside the program, and after it if it ends
    for times in (report["timeline"]["times_ns"], [region["begin_ns"] for region in report["regions"]]):
        assert times == sorted(times)
        assert times[-1] <= report["makespan_ns"] + QUANTUM_NS + deciding
    first, second = report["regions"][:2]
    assert first["begin_ns"] + first["time_ns"] <= second["begin_ns"]


def test_planned_objects_are_those_of_the_timeline(report):
    sites = {row["site"] for row in report["timeline"]["objects"]}
    assert {of["site"] for plan in report["plans"] for of in plan["objects"]} - {None} <= sites


def test_the_command_draws_it(runner, tmp_path):
    words = ("--threads", "4", "--json", tmp_path / "run.json", "--", program("spgemm-emu"))
    runner.command("run", "--fast", "1M", *words, "--kron", "9", "--inputs", "3")
    shown = runner.command("report", tmp_path / "run.json")
    assert "spgemm::multiply: █ at work, ░ waits for the last task" in shown
    assert "B.values" in shown
    runner.command("report", tmp_path / "run.json", "--html", tmp_path / "page.html")
    assert (tmp_path / "page.html").read_text().startswith("<!doctype html>")
