"""Does lbhm optimize ask for what the profile says, write what was chosen, and refuse what is none?"""

from __future__ import annotations

import copy
import json
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from lbhm.base.errors import Refusal
from lbhm.files.report import validator
from lbhm.optimize import optimize
from lbhm.optimize.memory_figures import at_threads, figures_in
from lbhm.optimize.optimize import Solution, Task, filled, placement_json, read_profile, request_of, solve
from lbhm.optimize.optimize_table import curve, site_rows
from lbhm.run.placement_run import NO_SITE, read_placement, with_sites

sys.path.insert(0, str(Path(__file__).resolve().parent))

from made_figures import FIGURES

ROOT = Path(__file__).parents[2]
BUILT = (ROOT / "build/release/bin/lbhm-choose").is_file()
PAGE = 4096


def item(nth: int, pages: int, uses: list[list[int]], site: str = "00000000000000a1", phases=(0, 2)) -> dict:
    life = {"born_ns": 10.0 * phases[0], "dies_ns": 10.0 * phases[1] + 10, "first_phase": phases[0]}
    return {"site": site, "nth": nth, "bytes": pages * PAGE, "last_phase": phases[1], "uses": uses} | life


def profile() -> dict:
    """Two objects that change roles from phase 1 to phase 2, and one that nobody uses."""
    objects = [
        item(0, 4, [[1, 1000, 0, 0, 0], [2, 1, 0, 0, 0]]),
        item(1, 4, [[1, 1, 0, 0, 0], [2, 1000, 500, 750, 250]]),
        item(0, 1, [], "00000000000000b2"),
    ]
    uses = {
        "page_bytes": PAGE,
        "line_bytes": 64,
        "period": 100.0,
        "lost_samples": 0,
        "left_out": 0,
        "end_ns": 30.0,
        "phases": [{"name": name, "begin_ns": 10.0 * k} for k, name in enumerate(("start", "a", "b"))],
        "objects": objects,
        "elsewhere": [],
        "sites": [
            {
                "site": "00000000000000a1",
                "name": "app+0x10",
                "kind": "calls",
                "calls": ["app+0x10"],
                "portable": "f" * 16,
            }
        ],
        "heap": True,
        "modules": {"app": "0" * 64},
    }
    head = {"lbhm_version": "0.1.0", "machine": "icelake-optane", "machine_fingerprint": "", "times": "virtual"}
    run = {"command": ["./app"], "threads": 4, "seed": 1, "footprint_bytes": 9 * PAGE, "makespan_ns": 30.0}
    return {"schema": "lbhm.profile/2", **head, **run, "objects": uses, "blocks": None, "why": ["no blocks"]}


def task(method: str = "phases", pages: int = 4, **more) -> Task:
    return Task(profile(), FIGURES, "icelake-optane", method, [pages * PAGE, 1 << 40], **more)


def lanes_of(*rows: tuple[int, int, int]) -> list[list]:
    """(lane, loads from memory, loads that a cache served)"""
    return [[lane, far + near, 0, near, 0, 0.0, 1.0, [[0, 0.0]] * 5] for lane, far, near in rows]


def by_lane(found: dict) -> dict:
    """Object 0 is lane 0's, object 1 lane 1's, in two instances of one phase."""
    section = found["objects"]
    section["phases"] = [{"name": name, "begin_ns": 10.0 * k} for k, name in enumerate(("start", "a", "a"))]
    parts = [[(0, 900, 100)], [(1, 1, 0)]], [[(0, 1, 0)], [(0, 100, 50), (1, 300, 50)]]
    for number, phases in enumerate(parts):
        section["objects"][number]["uses"] = [
            [phase, far, 0, near, 0, 0.0, 1.0, 1, [[0, 0.0]] * 5, lanes_of(*rows)]
            for phase, rows in enumerate(phases, 1)
            for far, near in [(sum(row[1] + row[2] for row in rows), sum(row[2] for row in rows))]
        ]
    return found


def test_tasks_are_lanes_in_all_phases_of_one_name():
    request = request_of(replace(task("balanced"), profile=by_lane(profile())))
    assert request["tasks"] == {"phases_ns": [10.0, 20.0], "of": [1, 1], "elsewhere": []}
    assert request["units"][0]["tasks"] == [[0, 90_000, 0, 0], [1, 100, 0, 0]]
    assert request["units"][1]["tasks"] == [[0, 10_100, 0, 0], [1, 30_000, 0, 0]]
    assert request["tiers"][1]["lane_read_gb_per_s"] == FIGURES.lane_read_gb_per_s[1]


def test_without_uses_by_lane_nothing_can_be_balanced():
    with pytest.raises(Refusal, match="which lane used what"):
        request_of(task("balanced"))
    with pytest.raises(Refusal, match="--worth unimem: is of all threads together"):
        request_of(task("balanced", worth="unimem"))


def test_lanes_that_contradict_all_of_them_are_refused(tmp_path):
    file, found = tmp_path / "p.json", by_lane(profile())
    file.write_text(json.dumps(found))
    assert read_profile(file)["objects"]["objects"][0]["uses"][0][9]
    found["objects"]["objects"][0]["uses"][0][9][0][1] += 1
    file.write_text(json.dumps(found))
    with pytest.raises(Refusal, match="other uses by lane than by all lanes"):
        read_profile(file)


def test_uses_at_no_object_are_of_a_phase_that_there_is(tmp_path):
    file, found = tmp_path / "p.json", profile()
    found["objects"]["elsewhere"] = [[7, 1, 0, 0, 0]]
    file.write_text(json.dumps(found))
    with pytest.raises(Refusal, match="at no object is used in phase 7, of 3"):
        read_profile(file)


def test_sicms_methods_place_sites_by_their_loads_from_memory():
    request = request_of(task("thermos"))
    assert [unit["together"] for unit in request["units"]] == [1, 1, 2]
    # of 1,500 touches caches served 750 - 250, so 1,000 came from memory; two thirds of them were loads
    assert request["units"][1]["uses"][1] == pytest.approx([2, 200_000 / 3, 0, 0])
    assert request_of(task("knapsack"))["method"] == "initial"
    assert (task("hotset", unit="object").unit, task("hotset", worth="traffic").worth) == ("object", "traffic")


@pytest.mark.skipif(not BUILT, reason="lbhm-choose is not built")
def test_hotset_is_over_by_one_site_and_the_file_is_for_sicm_offline():
    chosen = {method: solve(task(method, pages=4)).tiers for method in ("knapsack", "hotset", "thermos")}
    # the site that is used has 8 pages
    assert chosen == {"knapsack": [1, 1, 1], "hotset": [0, 0, 1], "thermos": [0, 0, 1]}
    placement = placement_json(task("thermos"), solve(task("thermos", pages=4)))
    assert placement["policy"] == "sicm-offline"
    assert not list(validator("placement").iter_errors(placement))


def test_a_sample_stands_for_its_period_and_threads_wait_side_by_side():
    request = request_of(task(worth="accesses"))
    assert request["units"][1]["uses"] == [[1, 100, 0, 0], [2, 100_000, 50_000, 0.5]]
    assert [tier["latency_ns"] for tier in request["tiers"]] == [20, 60]
    assert request["phases"] == 3
    assert request_of(task(moves_are_free=True))["page_move_ns"] == [[0, 0], [0, 0]]


@pytest.mark.parametrize(
    "row, came, back, ratio",
    [
        ([2, 1000, 500, 750, 250], 1000, 500, 0.5),  # 750 were waited for, 250 prefetched; 500 go back
        ([2, 1000, 0, 1000, 0], 0, 0, 1.0),  # in caches: nothing comes
        ([2, 100, 900, 1000, 10], 10, 10, 1.0),  # stored to in caches: a line goes back as often as it came
        ([2, 400, 0, 100, 100], 400, 0, 0.25),
    ],
)
def test_what_caches_served_takes_no_bandwidth(row, came, back, ratio):
    asked = task()
    asked.profile["objects"]["objects"][1]["uses"] = [row]
    assert request_of(asked)["units"][1]["uses"] == [[2, came * 100, back * 100, ratio]]


def test_what_the_program_says_comes_before_what_was_measured():
    said = task()
    first, second, third = said.profile["objects"]["objects"]
    first |= {"sensitivity": "latency", "group": 3}
    second |= {"sensitivity": "bandwidth", "group": 3, "stays": True}
    third |= {"tier": 255, "group": 3}
    units = request_of(said)["units"]
    assert [use[3] for unit in units for use in unit["uses"]] == [0, 0, 1, 1]
    assert [unit["together"] for unit in units] == [1, 1, 0], "the last one has its place"
    assert [unit["stays"] for unit in units] == [0, 1, 0]
    assert units[2]["tier"] == 1
    by_site = [unit["together"] for unit in request_of(task(unit="site"))["units"]]
    assert by_site == [1, 1, 2]


def test_what_whole_objects_leave_goes_to_parts_of_those_that_gain_most():
    solution = Solution([0, 1, 1], [], [[9.0, 0], [8.0, 0], [1.0, 0]], True, 0, 0)
    assert filled(task("lifetime", pages=7), solution) == [[1, 0, 3, 0]]
    assert filled(task("lifetime", pages=9), solution) == [[1, 0, 4, 0], [2, 0, 1, 0]]
    assert filled(task("lifetime", pages=4), solution) == []


@pytest.mark.skipif(not BUILT, reason="lbhm-choose is not built")
class TestSolved:
    def test_objects_move_from_phase_to_phase(self, built):
        solution = solve(task())
        assert solution.moves == [[1, 0, 1, 0], [2, 0, 0, 1], [2, 1, 1, 0]]
        assert solution.tiers == [1, 1, 1], "nothing is used before phase 1"
        written = placement_json(task(), solution)
        validator("placement").validate(written)
        assert written["moves"][1] == {"call": 1, "phase": "b", "runs": [[0, 0, 4, 1], [1, 0, 4, 0]]}
        assert written["births"] == []
        assert [entry.get("portable") for entry in written["objects"]] == ["f" * 16, "f" * 16, None]

    def test_one_placement_for_all_phases(self, built):
        solution = solve(task("initial"))
        assert solution.tiers == [0, 1, 1]
        assert placement_json(task("initial"), solution)["births"] == [[0, 0, 4, 0]]

    def test_prescribed_objects_have_their_room_first(self, built):
        said = task("initial")
        said.profile["objects"]["objects"][2]["tier"] = 0  # nobody uses it, and it takes a page
        solution = solve(said)
        assert solution.tiers == [1, 1, 0]
        assert site_rows(said, solution)[-1].why(1) == "is where the program wants it"

    def test_a_group_is_one_object(self, built):
        said = task("initial", pages=8)
        for item in said.profile["objects"]["objects"]:
            item["group"] = 1
        assert solve(said).tiers == [1, 1, 1], "they are nine pages together"

    def test_reasons(self, built):
        rows = {row.name: row for row in site_rows(task("initial"), solve(task("initial")))}
        assert rows["app+0x10"].why(1) == "gains the most for its bytes; for the others there is no room"
        assert rows["site 00000000000000b2"].why(1) == "is not used"
        small = task("initial", pages=2)
        assert site_rows(small, solve(small))[0].why(1) == "is larger than fast memory"

    def test_more_fast_memory_gains_more(self, built):
        gains = [gain for _, gain in curve(task("initial"), 9 * PAGE)]
        assert gains == sorted(gains)
        assert gains[0] == 0 < gains[-1]

    @pytest.mark.parametrize("pages", [0, 1 << 20])
    def test_no_memory_and_more_than_all(self, built, pages):
        solution = solve(task("lifetime", pages=pages))
        assert solution.tiers == ([1, 1, 1] if pages == 0 else [0, 0, 1])

    @pytest.fixture
    def built(self, monkeypatch):
        monkeypatch.setenv("LBHM_BUILD", str(ROOT / "build" / "release"))
        from lbhm.base import build_tree

        if hasattr(build_tree.find_build, "cache_clear"):
            build_tree.find_build.cache_clear()


def test_a_profile_is_what_its_schema_says(tmp_path):
    file = tmp_path / "p.json"
    file.write_text(json.dumps(profile()))
    assert read_profile(file) == profile()


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (None, "cannot be read"),
        (
            {"schema": "lbhm.profile/1"},
            "no profile, but of another version of LB-HM .lbhm.profile/1, not lbhm.profile/2",
        ),
        ({"objects": None}, "it has no objects: no blocks"),
        ({"threads": 0}, r"malformed at \$.threads"),
        ({"objects": {}}, "malformed"),
    ],
)
def test_what_is_no_profile_is_refused(tmp_path, change, complaint):
    file = tmp_path / "p.json"
    file.write_text("{" if change is None else json.dumps(profile() | change))
    with pytest.raises(Refusal, match=complaint):
        read_profile(file)


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ("{", "cannot be read"),
        ('{"schema": "lbhm.profile/2"}', "it is no placement"),
        ('{"schema": "lbhm.placement/2"}', "malformed"),
        (
            '{"schema": "lbhm.placement/2", "page_bytes": 4096, "unmanaged_tier": 1, "objects": [], "births": [], '
            '"moves": []}',
            "it is for policy oracle and one run",
        ),
    ],
)
def test_what_is_no_placement_is_refused(tmp_path, content, complaint):
    file = tmp_path / "q.json"
    file.write_text(content)
    with pytest.raises(Refusal, match=complaint):
        read_placement(file)


def test_sites_of_a_program_that_was_rebuilt():
    found = {"objects": [{"site": "a", "nth": 3, "portable": "p"}, {"site": "b", "nth": 0}, {"site": "c", "nth": 0}]}
    now = with_sites(copy.deepcopy(found), {"p": "a2", "other": "d"})
    assert [entry["site"] for entry in now["objects"]] == ["a2", NO_SITE, NO_SITE]
    assert len({(entry["site"], entry["nth"]) for entry in now["objects"]}) == 3


def test_figures_between_measured_numbers_of_threads():
    figures = {f"read_gb_per_s_{threads}": {"value": value} for threads, value in ((1, 10.0), (4, 30.0), (16, 40.0))}
    assert [at_threads(figures, "read", threads) for threads in (1, 2, 4, 8, 64)] == [10, 20, 30, 35, 40]


def test_figures_of_a_measurement():
    node = {
        "latency_ns": {"value": 80},
        "read_gb_per_s_1": {"value": 10},
        "write_gb_per_s_1": {"value": 5},
    }
    moves = {"move_gb_per_s_4096_1": {"value": 1.0}, "move_gb_per_s_4096_256": {"value": 8.0}}
    content = {
        "measurements": [{"node": 1, "figures": node | {"latency_ns": {"value": 240}}}, {"node": 0, "figures": node}],
        "migrations": [{"from": 0, "to": 1, "figures": moves}, {"from": 1, "to": 0, "figures": moves}],
    }
    tiers = [{"name": name, "capacity_bytes": {"value": 1 << 30}} for name in ("dram", "optane")]
    found = figures_in(content, tiers, 1)
    assert found.latencies_ns == [80, 240]
    assert found.page_move_ns == [[0, 512], [512, 0]]


def test_methods_are_policies():
    from lbhm.compare import profiled_policies

    assert set(profiled_policies.POLICIES) == set(optimize.METHODS.values())
