"""Does lbhm objects show what a run worked on, by names that people know?"""

import json
import subprocess
from pathlib import Path

import numpy as np
import pytest

from lbhm.files.page_counts import NO_REGION, Cell, PageCounts
from lbhm.files.report import validator
from lbhm.objects.object_table import object_lines, tree_of
from lbhm.objects.objects import objects_json, planned_objects
from lbhm.program.place_names import place_names

SOURCE = """#include <stdlib.h>
__attribute__((noinline)) void* block(void) {
  return malloc(1 << 20);
}
int main(void) { return block() == 0; }
"""


def planned(name, bytes_, counted, fast=0, kind="stream", lanes=None):
    return {
        "name": name,
        "bytes": bytes_,
        "kind": kind,
        "estimated_accesses": 1,
        "counted_accesses": counted,
        "counted_by_lane": lanes or {},
        "planned_fast_bytes": fast,
    }


PLANS = [
    {
        "scope": "app+0x10",
        "kind": "",
        "objects": [planned("A", 4096, 10, lanes={"0": 4, "2": 6}), planned("B", 8192, 300, kind="gather")],
    },
    {
        "scope": "app+0x20",
        "kind": "ring",
        "objects": [
            planned("A", 4096, 5, 4096, lanes={"2": 5}),
            planned("A", 4096, None, 0, kind="scatter"),
            planned("C", 100, None),
        ],
    },
]


@pytest.fixture
def report_file(lbhm, tmp_path):
    """A report with plans, of a program that is not here."""
    target = tmp_path / "report.json"
    assert lbhm("run", "--fast", "64K", "--json", str(target), "--", "./good").returncode == 0
    report = json.loads(target.read_text()) | {"plans": PLANS, "program": "./gone", "program_file": "/gone"}
    target.write_text(json.dumps(report))
    return target


def test_objects_of_one_name_are_one_row():
    rows = {row["name"]: row for row in planned_objects(PLANS, by_phase=False)}
    assert (rows["A"]["objects"], rows["A"]["bytes"], rows["A"]["accesses"]) == (2, 8192, 15)
    assert rows["A"]["by_lane"] == {"0": 4, "2": 11}
    assert (rows["A"]["planned_fast_bytes"], rows["A"]["planned_bytes"]) == (4096, 8192)
    assert rows["A"]["patterns"] == ["scatter", "stream"]
    assert rows["C"]["accesses"] is None


def test_phases_are_rows_of_their_own():
    rows = planned_objects(PLANS, by_phase=True)
    assert [(row["name"], row["phase"], row["kind"], row["accesses"]) for row in rows] == [
        ("A", "app+0x10", "", 10),
        ("B", "app+0x10", "", 300),
        ("A", "app+0x20", "ring", 5),
        ("C", "app+0x20", "ring", None),
    ]


def test_a_report_is_shown(lbhm, report_file, tmp_path):
    target = tmp_path / "objects.json"
    done = lbhm("objects", "--json", str(target), str(report_file))
    assert done.returncode == 0, done.stderr
    rows = [line.split() for line in done.stdout.splitlines() if line.startswith((" A ", " B ", " C "))]
    assert [row[0] for row in rows] == ["B", "A", "C"], "the most accesses first"
    assert rows[1] == ["A", "2", "8.00", "KiB", "15", "4.8", "%", "50.0", "%", "scatter", "stream"]
    assert "the program is not here, so places keep their offsets" in done.stdout
    found = json.loads(target.read_text())
    validator("objects").validate(found)
    assert found["source"] == "plans"


def test_lanes_and_phases(lbhm, report_file):
    done = lbhm("objects", "--lanes", "--phases", str(report_file))
    rows = [line.split() for line in done.stdout.splitlines() if line.startswith(" A ")]
    assert [row[:-1] for row in rows] == [
        ["A", "app+0x10", "1", "4.00", "KiB", "0", "4", "1.3"],
        ["A", "app+0x10", "1", "4.00", "KiB", "2", "6", "1.9"],
        ["A", "app+0x20,", "ring", "2", "8.00", "KiB", "2", "5", "1.6"],
    ]


def test_a_report_without_objects_says_what_to_do(lbhm, tmp_path):
    target = tmp_path / "report.json"
    lbhm("run", "--fast", "64K", "--json", str(target), "--", "./good")
    done = lbhm("objects", str(target))
    assert done.returncode == 0
    assert "the report has no objects" in done.stdout
    assert "lbhm objects -- ./app" in done.stdout


def test_the_status_is_the_programs(lbhm):
    done = lbhm("objects", "--no-heap", "--fast", "64K", "--", "./good", "fail")
    assert done.returncode == 3
    assert done.stdout.startswith("hello\n")
    assert "./good under lbhm on optane" in done.stdout


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "nothing is named; write a run report"),
        (["absent.json"], "absent.json: there is no such file"),
        (["--no-heap", "--fast", "0", "--", "./good"], "--fast 0"),
        (["--", "./good"], "liblbhm-heap.so is not built here"),
    ],
)
def test_bad_input(lbhm, words, said):
    done = lbhm("objects", *words)
    assert done.returncode == 2
    assert said in done.stderr


def test_another_file_of_json_is_refused_by_name(lbhm, tmp_path):
    (tmp_path / "other.json").write_text('{"schema": "lbhm.compare/1"}')
    done = lbhm("objects", str(tmp_path / "other.json"))
    assert done.returncode == 2
    assert "other.json: it is no run report, but a comparison, which lbhm report shows" in done.stderr


def counted(regions: tuple[str, ...] = ()) -> PageCounts:
    """Three objects of two sites, and a page that nobody manages. regions: their names, and those of more cells."""
    cells = {
        (0, 0, 0, 0): cell((0, 3), (2, 4)),
        (0, 0, 0, 1): cell((1, 5), (3, 100)),  # page 3: unmanaged
        (0, NO_REGION, 0, 0): cell((0, 1000)),  # the program's serial part
    }
    if regions:
        cells |= {(0, 1, 0, 1): cell((0, 7)), (3, 1, 0, 1): cell((0, 8)), (3, 1, 2, 0): cell((0, 20), (3, 1))}
    sites = [("aa", 0), ("aa", 1), ("bb", 0)]
    names = ["site aa", "site aa", "site bb"]
    died = np.zeros(3)
    header = {"page_bytes": 4096}
    return PageCounts(header, np.array([1, 1, 1]), died, sites, 1, 4, cells, names, regions=list(regions))


def cell(*pages: tuple[int, int]) -> Cell:
    numbers, accesses = np.array([at for at, _ in pages]), np.array([float(count) for _, count in pages])
    return Cell(1.0, numbers, accesses, accesses, accesses, accesses)


REPORT = {"program": "./app", "machine": "optane", "policy": "lbhm", "plans": []}


def test_exact_counts_are_by_site():
    rows = objects_json(REPORT, counted(), by_phase=False)["objects"]
    assert [(row["name"], row["objects"], row["bytes"], row["accesses"], row["by_lane"]) for row in rows] == [
        ("unmanaged", 0, 4096, 100, {"1": 100}),
        ("site aa", 2, 8192, 8, {"0": 3, "1": 5}),
        ("site bb", 1, 4096, 4, {"0": 4}),
    ]


def test_what_is_room_in_an_arena_is_no_size():
    """64 MiB that a program's own allocator hands out parts of: two of its pages were accessed."""
    cells = {(0, 0, 0, 0): cell((0, 3), (7, 4)), (0, NO_REGION, 0, 0): cell((7, 1))}
    one = PageCounts({"page_bytes": 4096}, np.array([16384]), np.zeros(1), [("aa", 0)], 0, 1, cells, ["site aa"])
    [row] = [row for row in objects_json(REPORT, one, by_phase=False)["objects"] if row["objects"]]
    assert (row["objects"], row["bytes"]) == (1, 8192)


REGIONS = ("app+0x10", "app+0x20")


def test_exact_counts_are_by_parallel_region():
    """Over all calls of LB_HM_config and barriers; of the region's own objects, with their lanes."""
    found = objects_json(REPORT, counted(REGIONS), by_phase=True)
    validator("objects").validate(found)
    rows = found["objects"]
    assert [
        (row["name"], row["phase"], row["objects"], row["bytes"], row["accesses"], row["by_lane"]) for row in rows
    ] == [
        ("unmanaged", "app+0x10", 0, 4096, 100, {"1": 100}),
        ("site aa", "app+0x20", 1, 4096, 35, {"1": 15, "0": 20}),
        ("site aa", "app+0x10", 2, 8192, 8, {"0": 3, "1": 5}),
        ("site bb", "app+0x10", 1, 4096, 4, {"0": 4}),
        ("unmanaged", "app+0x20", 0, 4096, 1, {"0": 1}),
    ]
    assert {row["kind"] for row in rows} == {""}, "as in rows of plans"
    whole = objects_json(REPORT, counted(REGIONS), by_phase=False)["objects"]
    assert sum(row["accesses"] for row in whole) == sum(row["accesses"] for row in rows)
    assert not any("phase" in row for row in whole)


def test_places_are_merged_within_their_region():
    sites = [site("aa", "app+0x1", "app+0x1", "app+0x9"), site("bb", "app+0x1", "app+0x1", "app+0x8")]
    rows = managed(objects_json(REPORT | {"sites": sites}, counted(REGIONS), by_phase=True))
    assert [(row["shown"], row["phase"], row["objects"], row["accesses"]) for row in rows] == [
        ("app+0x1", "app+0x20", 1, 35),
        ("app+0x1", "app+0x10", 3, 12),
    ]


def test_the_tree_stands_below_the_regions():
    found = objects_json(REPORT, counted(REGIONS), by_phase=True, by_site=True)
    root = tree_of(found["objects"])
    assert {name: node.accesses for name, node in root.calls.items()} == {"app+0x10": 112, "app+0x20": 36}
    assert root.calls["app+0x20"].calls["site aa"].objects == 1


def test_counts_without_regions_say_that_they_tell_no_phases():
    found = objects_json(REPORT, counted(), by_phase=True)
    assert len(found["objects"]) == 3
    said = [line for line in object_lines(found, named=True, phases=True) if line.startswith("--phases")]
    assert said == ["--phases: nothing can be told by phase, for the counts name no parallel region"]


def test_a_report_without_plans_says_that_it_tells_no_phases(lbhm, tmp_path):
    target = tmp_path / "report.json"
    lbhm("run", "--fast", "64K", "--json", str(target), "--", "./good")
    said = "--phases: nothing can be told by phase, for the report has no plans; lbhm objects --phases -- ./app counts"
    assert said in lbhm("objects", "--phases", str(target)).stdout
    assert "--phases" not in lbhm("objects", str(target)).stdout


def site(hash_: str, name: str, *calls: str) -> dict:
    return {"site": hash_, "name": name, "kind": "calls" if calls else "name", "calls": calls}


def managed(found: dict) -> list[dict]:
    return [row for row in found["objects"] if row.get("managed", True)]


def test_sites_have_the_names_of_the_report():
    """Two ways to one place are one row, or two by site."""
    sites = [site("aa", "app+0x10", "app+0x10", "app+0x90"), site("bb", "app+0x10", "app+0x10", "app+0x80")]
    found = objects_json(REPORT | {"sites": sites}, counted(), by_phase=False)
    validator("objects").validate(found)
    assert [
        (row["name"], row["shown"], row["objects"], row["accesses"], len(row["sites"])) for row in managed(found)
    ] == [("app+0x10", "app+0x10", 3, 12, 2)]
    by_site = managed(objects_json(REPORT | {"sites": sites}, counted(), by_phase=False, by_site=True))
    assert [(row["accesses"], row["sites"][0]["calls"]) for row in by_site] == [
        (8, ["app+0x10", "app+0x90"]),
        (4, ["app+0x10", "app+0x80"]),
    ]


def test_objects_stand_below_the_calls_that_led_to_them():
    sites = [site("aa", "app+0x10", "app+0x10", "app+0x90"), site("bb", "app+0x20", "app+0x20", "app+0x90")]
    root = tree_of(managed(objects_json(REPORT | {"sites": sites}, counted(), by_phase=False, by_site=True)))
    assert (root.objects, root.accesses, list(root.calls)) == (3, 12, ["app+0x90"])
    below = root.calls["app+0x90"]
    assert {name: node.accesses for name, node in below.calls.items()} == {"app+0x10": 8, "app+0x20": 4}


def test_objects_that_the_program_names_have_no_calls():
    sites = [site("aa", "matrix"), site("bb", "app+0x20", "app+0x20")]
    root = tree_of(managed(objects_json(REPORT | {"sites": sites}, counted(), by_phase=False, by_site=True)))
    assert {name: node.objects for name, node in root.calls.items()} == {"matrix": 2, "app+0x20": 1}


@pytest.fixture
def built(tmp_path):
    """built(options): the program, and where the call of malloc returns to."""

    def build(*options: str) -> tuple[Path, str]:
        (tmp_path / "blocks.c").write_text(SOURCE)
        program = tmp_path / "blocks"
        command = ["gcc", "-O1", "-fno-optimize-sibling-calls", *options, "-o", str(program), "blocks.c"]
        subprocess.run(command, cwd=tmp_path, check=True)
        lines = subprocess.run(
            ["objdump", "-d", program], capture_output=True, text=True, check=True
        ).stdout.splitlines()
        call = next(number for number, line in enumerate(lines) if "malloc@plt>" in line and "call" in line)
        return program, f"blocks+{int(lines[call + 1].split(':')[0], 16):#x}"

    return build


def test_places_have_lines_with_debug_information(built):
    program, place = built("-g")
    assert place_names([place, "B.values"], [program]) == {place: "blocks.c:3 (block)", "B.values": "B.values"}


def test_places_have_functions_without_it(built):
    program, place = built()
    assert place_names([place], [program]) == {place: "block"}


def test_places_keep_their_offsets_where_nothing_is_known(built):
    program, place = built("-s")
    assert place_names([place, "other.so+0x10"], [program]) == {place: place, "other.so+0x10": "other.so+0x10"}
