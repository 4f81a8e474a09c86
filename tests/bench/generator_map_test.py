"""bench/run campaign --generator: which programs, and are gains of the map those of the runs?"""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from harness.campaign.generator import BASE, FULL, POLICIES, SHORT, Map, Point, gain_between, points
from harness.campaign.generator_page import map_table, means_table
from harness.campaign.page import GENERATOR_MARK, MARK

ROOT = Path(__file__).resolve().parents[2]


def test_equal_tasks_have_one_alignment_and_every_other_point_its_own():
    of = list(points(FULL))
    assert len(of) == len(set(of)) == 2 * (1 + 2 * 3 + 1)
    assert {point.alignment for point in of if point.imbalance == 0} == {0}
    assert sum(point.one_region for point in of) == 2


def test_names_and_arguments_tell_programs_apart():
    program = Point(1.5, -1, "latency").application(2, plain=True)
    assert program.name == "imbalance-1.5--1-latency-plain-seed2"
    words = " ".join(program.arguments)
    assert words == "--imbalance 1.5 --alignment=-1 --limit latency --plain --seed 2"
    over = Map(FULL, (1, 2), False)
    names = [program.name for programs in over.programs().values() for program in programs]
    assert len(set(names)) == len(names)
    assert len({cell.name for cell in over.cells()}) == len(over.cells())
    assert [cell.policy for cell in over.cells()[:2]] == ["slow-only", "first-touch"]


def results_of(over: Map, times: dict[tuple[str, int], list[float]]) -> list[dict]:
    """times: (policy, seed) -> times of its paddings; the others take 100."""
    results = []
    for cell in over.cells():
        seed = int(cell.application[-1])
        runs = times.get((cell.policy, seed), [100.0, 100.0, 100.0])
        of = {"application": cell.application, "capacity": cell.capacity, "policy": cell.policy}
        results.append(of | {"makespan_ns": sorted(runs)[1], "makespans_ns": runs, "spread": 0.01})
    return results


def test_gains_are_over_memtis_and_means_of_seeds():
    over = Map(SHORT, (1, 2), False)
    times = {
        ("lbhm", 1): [50.0, 50.0, 50.0],
        ("memory-mode", 2): [81.0, 81.0, 81.0],
        ("merchandiser", 1): [99, 100, 101],
    }
    entries = over.entries(results_of(over, times))
    assert len(entries) == len(list(points(SHORT)))
    entry = entries[0]
    assert (entry["imbalance"], entry["alignment"], entry["limit"], entry["capacity"]) == (3, -1, "latency", "25%")
    assert entry["gain"][BASE] == 0
    assert entry["gain"]["lbhm"] == pytest.approx(2**0.5 - 1, abs=1e-4)
    assert gain_between(entry, "lbhm", "memory-mode") == pytest.approx((2 * 0.81) ** 0.5 - 1, abs=1e-3)
    assert entry["best_peer"] == "memory-mode"
    assert BASE in entry["inside_spread"]["merchandiser"]
    assert entry["inside_spread"]["lbhm"] == []
    row = dict(zip(map_table(entries).columns, map_table(entries).rows[0], strict=True))
    assert row["merchandiser over memtis"] == "~0.0 %"
    assert row["lbhm over the best peer"] == "27.3 % memory-mode"
    assert [row[0] for row in means_table(entries).rows] == ["latency", "bandwidth"]


def test_a_policy_that_failed_somewhere_is_left_out_there():
    over = Map(SHORT, (1,), False)
    results = results_of(over, {})
    gone = next(r for r in results if r["policy"] == "oracle")
    entries = over.entries([r for r in results if r is not gone])
    assert "oracle" not in entries[0]["gain"]
    assert "oracle" in entries[1]["gain"]
    assert map_table(entries).rows[0][8] == "–"


def test_the_short_map_runs_and_is_drawn(tmp_path):
    """The whole way with real programs."""
    (tmp_path / "results.md").write_text(f"# By hand\n\n{MARK}\n\ntables\n")
    words = ["campaign", "--generator", "--short", "--work", tmp_path, "--page", tmp_path / "results.md"]
    words += ["--json", tmp_path / "g.json"]
    done = subprocess.run([ROOT / "bench" / "run", *map(str, words)], capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    assert "FAILED" not in done.stderr
    entries = json.loads((tmp_path / "g.json").read_text())["generator"]
    assert len(entries) == len(list(points(SHORT)))
    for entry in entries:
        assert set(entry["gain"]) == set(POLICIES)
        assert set(entry) >= {"imbalance", "alignment", "limit", "capacity"}
    page = (tmp_path / "results.md").read_text()
    assert page.startswith(f"# By hand\n\n{MARK}\n\ntables\n\n{GENERATOR_MARK}")
    assert (tmp_path / "results" / "generator.svg").stat().st_size > 1000
