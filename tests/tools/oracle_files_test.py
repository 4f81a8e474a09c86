"""Are files of counts and placements read and written as they are meant?"""

from __future__ import annotations

import json
import re

import jsonschema
import numpy as np
import pytest

from lbhm.base.errors import Refusal
from lbhm.base.units import PAGE
from lbhm.files.page_counts import NO_REGION, RECORD, UNMANAGED, PageCounts, read_page_counts
from lbhm.files.report import validator
from lbhm.oracle.oracle import Profiles, placement_json, solve
from lbhm.oracle.plan import Plan, bound_ps, moving_plan, static_plan
from lbhm.oracle.plan_names import PLANS
from lbhm.oracle.rows import merged, stacked
from lbhm.oracle.time_model import Profile, check_alike, rows_of

HEADER = {
    "schema": "lbhm.page-counts/2",
    "page_bytes": 4096,
    "contention": False,
    "slow_tier": 1,
    "promote_ps": 1000,
    "demote_ps": 2000,
    "fast_overlap": 0.0,
    "slow_overlap": 0.5,
}


def written(folder, cells, objects=((2, 9), (3, 9)), epochs=2, header=HEADER, name="counts", variables=(), **last):
    """cells: (epoch, region, stretch, lane, time, [(object, page, accesses, stall, read, written)])."""
    data = json.dumps(header).encode() + b"\n"
    for epoch, region, stretch, lane, time, records in cells:
        label = {"epoch": epoch, "region": region, "phase": stretch, "lane": lane, "instances": 1, "time_ps": time}
        data += json.dumps(label | {"pages": len(records)}).encode() + b"\n" + np.array(records, RECORD).tobytes()
    for nth, (pages, died) in enumerate(objects):
        line = {"object_pages": pages, "site": "00000000000000a1", "nth": nth, "born": 0, "died": died}
        data += json.dumps(line).encode() + b"\n"
    for line in variables:
        data += json.dumps(line).encode() + b"\n"
    data += json.dumps({"unmanaged_pages": 5, "epochs": epochs} | last).encode() + b"\n"
    path = folder / name
    path.write_bytes(data)
    return path


def counts(folder, *arguments, **more) -> PageCounts:
    return read_page_counts(written(folder, *arguments, **more))


def test_pages_are_numbered_through_and_unmanaged_ones_are_last(tmp_path):
    records = [(0, 1, 10, 1, 2, 3), (1, 2, 20, 4, 5, 6), (UNMANAGED, 0, 30, 7, 8, 9)]
    read = counts(tmp_path, [(0, NO_REGION, 0, 0, 50, records), (1, 0, 0, 3, 70, records[:1])])
    assert list(read.cells[0, NO_REGION, 0, 0].pages) == [1, 4, 5]
    assert list(read.cells[0, NO_REGION, 0, 0].stall) == [1, 4, 7]
    assert read.cells[1, 0, 0, 3].time == 70
    assert read.accesses() == 10  # of tasks


def test_variables_are_by_region_and_lane_and_regions_have_names(tmp_path):
    of_region = [
        {"variables_of": "app", "region": region, "lane": 3, "accesses": [[7, 10 + region]]} for region in (0, 1)
    ]
    read = counts(tmp_path, [], variables=of_region, regions=["app+0x10", "app+0x20"])
    assert read.variables == {"app": {(0, 3): [(7, 10)], (1, 3): [(7, 11)]}}
    assert read.regions == ["app+0x10", "app+0x20"]
    older = counts(tmp_path, [], variables=[{"variables_of": "app", "lane": 3, "accesses": [[7, 10]]}])
    assert older.variables == {"app": {(NO_REGION, 3): [(7, 10)]}}
    assert older.regions == []


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda data: data[:-20], "cut short"),
        (lambda data: data[: data.index(b"\n") + 130], "cut short"),
        (lambda data: b"{}\n" + data, "no file of exact counts"),
        (lambda data: data.replace(b"page-counts/2", b"page-counts/9"), "lbhm.page-counts/9"),
        (lambda data: b"", "cut short"),
    ],
)
def test_bad_files_of_counts_are_refused(tmp_path, change, says):
    path = written(tmp_path, [(0, 0, 0, 0, 50, [(0, 1, 10, 1, 2, 3)])])
    path.write_bytes(change(path.read_bytes()))
    with pytest.raises(Refusal, match=f"{re.escape(str(path))}.*{re.escape(says)}"):
        read_page_counts(path)


def test_runs_of_another_program_are_refused(tmp_path):
    first = counts(tmp_path, [(0, 0, 0, 0, 50, [(0, 1, 10, 1, 2, 3)])])
    other = counts(tmp_path, [(0, 0, 0, 1, 50, [(0, 1, 10, 1, 2, 3)])])
    check_alike(first, first)
    with pytest.raises(Refusal, match="ran other regions"):
        check_alike(first, other)


def pair(folder, slow_time, fast_time, records) -> tuple[Profile, Profile]:
    """Two lanes in one stretch; lane 1 is half as long. Contention adds 100 ps in slow memory."""

    def run(time, more=0):
        cells = [(1, 0, 0, lane, time // (lane + 1) + more, records[lane]) for lane in (0, 1)]
        return counts(folder, cells)

    return Profile(run(slow_time), run(slow_time, 100)), Profile(run(fast_time), run(fast_time))


RECORDS = (
    [(0, 0, 10, 300, 40, 0), (0, 1, 10, 100, 40, 20)],
    [(1, 0, 10, 50, 40, 0), (1, 2, 10, 50, 40, 0)],
)


def test_times_at_the_ends_are_the_measured_ones(tmp_path):
    slow, fast = pair(tmp_path, 1000, 400, RECORDS)
    for contended, extra in ((False, 0), (True, 100)):
        rows = rows_of(slow, fast, 1, contended)
        everything = np.ones(rows.gain.shape[1])
        lanes = [0, 1]
        assert list(rows.base[lanes]) == [1000 + extra, 500 + extra]
        assert (rows.base - rows.gain @ everything)[lanes] == pytest.approx([400, 200])


def test_a_tier_serves_reads_and_writes_as_far_as_they_overlap(tmp_path):
    slow, fast = pair(tmp_path, 1000, 400, RECORDS)
    rows = rows_of(slow, fast, 1, contended=False)
    in_slow = rows.base[2:4]
    assert max(in_slow) == 160 + 20 - 0.5 * 20  # r + w - o min(r, w)


def test_alike_epochs_may_be_added_up(tmp_path):
    slow, fast = pair(tmp_path, 1000, 400, RECORDS)
    part = rows_of(slow, fast, 1, contended=True)
    nothing = rows_of(slow, fast, 0, contended=True)
    everything = stacked([nothing, part, part, part])
    few = merged([nothing, part, part, part], len(part.base))
    assert (everything.stretches, few.stretches) == (3, 2)  # epochs 1 and 2 together
    assert few.base == pytest.approx(np.concatenate([2 * part.base, part.base]))
    assert few.gain.sum() == pytest.approx(everything.gain.sum())


def test_plans_keep_to_the_room_and_the_bound_is_below_them(tmp_path):
    slow, fast = pair(tmp_path, 1000, 400, RECORDS)
    for capacity in (1, 2, 3):
        bound = bound_ps(slow, fast, capacity)
        for plan in (static_plan(slow, fast, capacity), moving_plan(slow, fast, capacity)):
            assert plan.births[:-1].sum() + 5 * plan.births[-1] <= capacity
            assert bound <= plan.predicted_ps + 1e-6
    assert plan.births[0], "the longest lane's page that is waited for most"


def test_a_page_that_another_epoch_needs_moves_only_if_that_pays(tmp_path):
    """Object 0 is used in epoch 0, object 1 in both but mainly in epoch 2; one page fits."""

    def run(cells_time, promote):
        cells = [
            (0, 0, 0, 0, cells_time[0], [(0, 0, 9, 90, 0, 0), (1, 0, 1, 10, 0, 0)]),
            (1, 0, 0, 0, cells_time[1], [(0, 0, 9, 90, 0, 0)]),
            *((epoch, 0, 0, 0, cells_time[2], [(1, 0, 9, 90, 0, 0)]) for epoch in (2, 3, 4, 5, 6, 7)),
        ]
        return counts(tmp_path, cells, objects=((1, 9), (1, 9)), epochs=8, header=HEADER | {"promote_ps": promote})

    for promote, moves in ((1_000, True), (90_000, False)):
        slow = Profile(run((20_000, 20_000, 6_000), promote), run((20_000, 20_000, 6_000), promote))
        fast = Profile(run((1_000, 1_000, 1_000), promote), run((1_000, 1_000, 1_000), promote))
        plan = moving_plan(slow, fast, 1)
        assert list(plan.births) == [True, False, False]
        assert bool(plan.moves) == moves
        if moves:
            (down, up) = plan.moves[2]
            assert (list(down), list(up)) == ([0], [1])


def test_placements_are_written_as_runs_of_objects(tmp_path):
    read = counts(tmp_path, [(0, 0, 0, 0, 50, [(0, 1, 10, 1, 2, 3)])])
    births = np.array([False, True, True, True, False, False])
    plan = Plan("moving", 0, births, {3: (np.array([1]), np.array([4]))})
    written = placement_json(plan, read)
    jsonschema.validate(written, validator("placement").schema)
    assert written["births"] == [[0, 1, 1, 0], [1, 0, 2, 0]]
    assert written["moves"] == [{"call": 2, "runs": [[0, 1, 1, 1], [1, 2, 1, 0]]}]
    site = "00000000000000a1"
    assert written["objects"] == [{"site": site, "nth": 0, "pages": 2}, {"site": site, "nth": 1, "pages": 3}]
    portable = {"portable": "b" * 16}
    known = placement_json(plan, read, {site: "b" * 16})
    jsonschema.validate(known, validator("placement").schema)
    assert known["objects"] == [of | portable for of in written["objects"]]
    assert written["unmanaged_tier"] == 1
    births[-1] = True  # unmanaged pages are fast; those of objects are slow all the same, if no birth names them
    written = placement_json(Plan("static", 0, births), read)
    assert written["births"] == [[0, 1, 1, 0], [1, 0, 2, 0]]
    assert written["unmanaged_tier"] == 0


def test_moves_at_barriers_are_written_behind_those_at_calls(tmp_path):
    read = counts(tmp_path, [(0, 0, 0, 0, 50, [(0, 1, 10, 1, 2, 3)])])
    moves = (np.array([1]), np.array([4]))
    plan = Plan("inner", 0, np.zeros(6, bool), {3: moves}, {(3, 7, 2): moves})
    written = placement_json(plan, read)
    jsonschema.validate(written, validator("placement").schema)
    runs = [[0, 1, 1, 1], [1, 2, 1, 0]]
    assert written["moves"] == [{"call": 2, "runs": runs}, {"call": 2, "region": 7, "barrier": 2, "runs": runs}]


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (
            ("--oracle", "--plan", "best"),
            "--plan best: there is no such plan; with --oracle, choose from: static, moving, inner, slow",
        ),
        (
            ("--plan", "static"),
            "--plan static: it is a plan of the oracle (static, moving, inner, slow); add --oracle, or leave it out",
        ),
    ],
)
def test_a_plan_is_one_of_the_oracle_s(lbhm, words, says):
    done = lbhm("compare", "--machine", "optane", *words, "--", "./good")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"lbhm: {says}\n"
    about = " ".join(lbhm("compare", "--help").stdout.split())
    assert f"this plan alone: {', '.join(PLANS[:-1])} or {PLANS[-1]}." in about


def test_one_plan_alone_is_made_or_refused(tmp_path):
    slow, fast = pair(tmp_path, 1000, 400, RECORDS)
    profiles = Profiles(slow, fast, rest_ps=0)
    assert [plan.name for plan in solve(profiles, 2 * PAGE, "static").plans] == ["static"]
    assert {plan.name for plan in solve(profiles, 2 * PAGE).plans} == {"static", "moving", "slow"}
    with pytest.raises(Refusal, match="--plan inner: it moves nothing at barriers in this program; use --plan moving"):
        solve(profiles, 2 * PAGE, "inner")


def test_the_host_has_no_oracle(lbhm):
    done = lbhm("compare", "--oracle", "--machine", "host", "--", "./good")
    assert done.returncode == 2
    assert done.stderr == (
        "lbhm: --oracle: the machine host cannot count the accesses to every page; leave the oracle out\n"
    )
