"""Do the pictures say what the report says, however large it is and whatever stands in it?"""

from __future__ import annotations

import copy
import json
import sys
from pathlib import Path

import pytest

from lbhm.base.errors import Refusal
from lbhm.files.report import validator
from lbhm.report.cli_report import read_result
from lbhm.report.html_page import page_of
from lbhm.report.object_rows import together
from lbhm.report.perfetto import trace_of
from lbhm.report.picture import picture_of
from lbhm.report.terminal_view import show

sys.path.insert(0, str(Path(__file__).parent))

from made_reports import capacities_of, made_report


@pytest.fixture(scope="module")
def report():
    made = made_report()
    validator("report").validate(made)
    return made


def test_who_waits_for_whom(report):
    picture = picture_of(report)
    region = picture["regions"][0]["runs"][0]
    assert (region["instances"], region["tasks"]) == (4, 4)
    assert (region["last"], region["times_last"]) == (3, 4)
    assert region["waiting"] == pytest.approx(1 - (525 + 650 + 775 + 900) / (4 * 900))
    assert region["bars"][0]["tasks"][3] == ["3", 900, 800]


def test_where_objects_are_and_why(report):
    picture = picture_of(report)
    rows = picture["runs"][0]["objects"]
    assert [row["shown"] for row in rows] == ["field 0", "field 1", "field 2", "field 3"]
    assert [row["fast"] for row in rows] == [1, 1, 0, 0]
    assert rows[0]["why"].startswith("In fast memory: 40.0 % of the counted accesses go to 1.00 MiB, number 1 of 4")
    assert rows[3]["why"].startswith("In slow memory: 10.0 % of the counted accesses")
    lies = picture["runs"][0]["time"]["lies"]
    assert (lies[0][0][0], lies[0][0][-1], lies[3][1][-1]) == (0, 100, 100)
    assert picture["runs"][0]["time"]["busy"][1] == pytest.approx([90] * 50)


@pytest.mark.parametrize(
    ("policy", "why"),
    [
        ("slow-only", "slow-only keeps everything in slow memory"),
        ("first-touch", "it was touched while fast memory had room"),
        ("tpp", "40.0 % of the counted accesses"),
    ],
)
def test_the_reason_is_the_policys(report, policy, why):
    assert why in picture_of(report | {"policy": policy})["runs"][0]["objects"][0]["why"]


def test_names_that_differ_in_numbers_are_one():
    assert together(["A[0].x", "A[1].x", "B", "C[2].y"]) == "A[*].x, B, ..."


def test_what_lies_beside_the_objects_is_a_row(report):
    more = copy.deepcopy(report)
    more["timeline"]["used_bytes"][1] = [used + 4096 for used in more["timeline"]["used_bytes"][1]]
    last = picture_of(more)["runs"][0]["objects"][-1]
    assert (last["shown"], last["bytes"], last["fast"]) == ("everything else", 4096, 0)


def test_a_page_needs_nothing_else_and_no_name_ends_it(report):
    bad = copy.deepcopy(report)
    bad["timeline"]["objects"][0]["name"] = "</script><b>\u2028"
    page = page_of(picture_of(bad | {"program": "/bin/<i>x</i>"}))
    assert page.count("</script>") == 2
    assert "<i>" not in page and "http" not in page.replace("http://www.w3.org/", "").replace("http-equiv", "")


@pytest.mark.parametrize("size", [{"objects": 100, "regions": 30}, {"regions": 100_000, "instances": 1, "lanes": 2}])
def test_large_runs_give_small_pages(size):
    page = page_of(picture_of(made_report(**size)))
    assert len(page) < 400_000


def test_several_capacities_are_a_curve(report):
    picture = picture_of(capacities_of(report))
    assert [point["share"] for point in picture["capacities"]] == [0.25, 0.5]
    assert picture["runs"][0]["policy"] == "slow-only"


def test_the_terminal_has_80_columns(report, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    show(picture_of(made_report(objects=20, regions=20, lanes=20)))
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= 80
    assert any("field 0: In fast memory" in line for line in lines)
    assert any("█" in line and "░" in line for line in lines)


def test_a_trace_has_tasks_moves_and_bandwidth(report):
    events = trace_of(report)["traceEvents"]
    lane = [event for event in events if event["ph"] == "X" and event["tid"] == 0]
    assert [event["name"] for event in lane[:2]] == ["made+0x0", "waits"]
    assert lane[0]["dur"] + lane[1]["dur"] == pytest.approx(0.9)
    assert lane[2]["ts"] == pytest.approx(1)
    counters = {event["name"]: event["args"] for event in events if event["ph"] == "C"}
    assert counters["moved between memories"] == {"bytes": 2 << 20}
    assert counters["optane: bandwidth in use"] == {"percent": pytest.approx(90)}
    assert counters["in fast memory: 1 field 0"] == {"bytes": 1 << 20}
    assert [event["args"]["moved_bytes"] for event in events if event["ph"] == "i"] == [2 << 20]


def damaged(change):
    made = made_report()
    change(made)
    return json.dumps(made)


DAMAGE = {
    "no JSON": "{",
    "no report": '{"schema": "lbhm.objects/1"}',
    "no object": "[]",
    "a line of another length": damaged(lambda made: made["timeline"]["busy_ns"][0].pop()),
    "a tier too few": damaged(lambda made: made["tiers"].pop()),
    "a task without time": damaged(lambda made: made["regions"][0]["tasks"][0].pop("time_ns")),
    "a lane's line of another length": damaged(lambda made: made["timeline"]["lanes"][0]["tiers_samples"][1].pop()),
    "text for a number": damaged(lambda made: made["timeline"]["objects"][0].update(bytes="many")),
    "no moment": damaged(lambda made: made["timeline"].update(times_ns=[])),
    "no comparison": '{"schema": "lbhm.capacities/1", "comparisons": [1]}',
}


@pytest.mark.parametrize("what", DAMAGE)
def test_damage_is_one_sentence(tmp_path, what):
    file = tmp_path / "run.json"
    file.write_text(DAMAGE[what])
    with pytest.raises(Refusal) as refused:
        read_result(file)
    assert refused.value.sentence.startswith(f"{file}: it ")
    assert "\n" not in refused.value.sentence


@pytest.mark.parametrize(("files", "why"), [([Path("/x/made")], "made has no symbol there"), ([], "made is not where")])
def test_places_without_a_name_are_counted_with_the_remedy(report, files, why):
    (line,) = [line for line in picture_of(report, files)["lines"] if "no name" in line]
    assert line.startswith(f"3 regions have no name: {why}") and "-g" in line
    named = copy.deepcopy(report)
    for region in named["regions"]:
        region["region"] = "libx.so.1+0x10"
    assert any("1 region has no name: libx.so.1 is a library" in line for line in picture_of(named, files)["lines"])
    for region in named["regions"]:
        region["region"] = "libkmod.so.2+0x10"
    lines = picture_of(named, files)["lines"]
    assert not any("no name" in line for line in lines), "libomp opened it; nothing can be done about its names"
    for region in named["regions"]:
        region["region"] = "solve"
    assert not any("no name" in line for line in picture_of(named, files)["lines"])
