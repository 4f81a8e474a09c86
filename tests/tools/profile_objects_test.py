"""Does lbhm objects PROFILE tell who served the touches, when objects were used, and by how many lanes?"""

from __future__ import annotations

import json

import pytest

from lbhm.base.errors import Refusal
from lbhm.files.use_rows import Use
from lbhm.objects.profile_objects import used_lines, used_rows, used_table
from lbhm.optimize.optimize import read_profile

PAGE = 4096
SITE, OTHER = "00000000000000a1", "00000000000000b2"


def item(site: str, nth: int, uses: list[list], born: float = 0.0, dies: float = 40.0) -> dict:
    life = {"born_ns": born, "dies_ns": dies, "first_phase": 0, "last_phase": 1}
    return {"site": site, "nth": nth, "bytes": 2 * PAGE, "uses": uses} | life


def levels(l1=0, l2=0, llc=0, prefetcher=0, memory=0, latency=0.0) -> list[list]:
    return [[l1, 1.0], [l2, 5.0], [llc, 20.0], [prefetcher, 30.0], [memory, latency]]


@pytest.fixture
def profile() -> dict:
    objects = [
        item(SITE, 0, [[0, 8, 2, 6, 2, 10.0, 14.0, 5, levels(l1=4, prefetcher=2, memory=4, latency=300.0)]]),
        item(SITE, 1, [[1, 10, 0, 0, 0, 22.0, 30.0, 1, levels(memory=10, latency=200.0)]]),
        item(OTHER, 0, []),
    ]
    section = {
        "page_bytes": PAGE,
        "line_bytes": 64,
        "period": 100.0,
        "end_ns": 40.0,
        "phases": [{"name": "start", "begin_ns": 0.0}, {"name": "solve", "begin_ns": 20.0}],
        "objects": objects,
        "elsewhere": [],
        "sites": [{"site": SITE, "name": "app+0x10", "kind": "calls", "calls": ["app+0x10"], "portable": None}],
        "heap": True,
        "modules": {},
    }
    return {
        "schema": "lbhm.profile/2",
        "machine": "optane",
        "times": "virtual",
        "command": ["./app"],
        "threads": 4,
        "footprint_bytes": 9 * PAGE,
        "objects": section,
        "blocks": None,
        "why": [],
    }


def test_a_site_is_the_sum_of_its_objects(profile):
    row, other = used_rows(profile, by_phase=False)
    assert (row.name, row.objects, row.bytes, row.touches) == ("app+0x10", 2, 4 * PAGE, 20)
    assert row.levels == [4, 0, 0, 2, 14]
    assert row.latency_ns == pytest.approx((4 * 300 + 10 * 200) / 14)
    assert (row.used_ns, row.there_ns) == (4 + 8, 80)
    assert row.touches / row.most == pytest.approx(20 / 6)
    assert (other.name, other.touches) == (f"site {OTHER}", 0)


def test_phases_are_rows_of_their_own_and_measured_by_their_length(profile):
    first, second = used_rows(profile, by_phase=True)
    assert [row.phase for row in (first, second)] == ["0: start", "1: solve"]
    assert (first.used_ns, first.there_ns, second.used_ns, second.there_ns) == (4, 20, 8, 20)


def test_a_profile_of_an_older_version_is_shown_without_what_it_does_not_know(profile):
    for of in profile["objects"]["objects"]:
        of["uses"] = [row[:5] for row in of["uses"]]
    assert not used_rows(profile, by_phase=False)[0].timed
    assert used_table(profile, by_phase=False).row_count == 2
    assert "does not tell when" in used_lines(profile, by_phase=False)[-1]


def test_the_command_shows_a_profile_and_refuses_what_is_not_for_it(profile, lbhm, tmp_path):
    file = tmp_path / "p.json"
    file.write_text(json.dumps(profile))
    assert read_profile(file) == profile
    shown = lbhm("objects", "--phases", str(file))
    assert shown.returncode == 0, shown.stderr
    assert "1: solve" in shown.stdout
    assert "one touch in 100 was sampled" in shown.stdout
    refused = lbhm("objects", "--lanes", str(file))
    assert (refused.returncode, "--lanes: is for run reports" in refused.stderr) == (2, True)
    file.write_text(json.dumps(profile | {"threads": 0}))
    refused = lbhm("objects", str(file))
    assert (refused.returncode, "malformed at $.threads" in refused.stderr) == (2, True)


@pytest.mark.parametrize(
    ("use", "expected"),
    [
        (Use(0, 2, 1, 0, 0, 10.0, 20.0, 3, None), 20.0),  # three even draws cover half of the time on average
        (Use(0, 99, 0, 0, 0, 10.0, 20.0, 3, None), 10.0 * 100 / 98),
        (Use(0, 1, 0, 0, 0, 10.0, 10.0, 1, None), 100.0),  # one sample tells nothing
        (Use(0, 5, 0, 0, 0), 100.0),  # nor does an older profile
    ],
)
def test_how_long_an_object_was_used(use, expected):
    assert use.during_ns(100.0) == pytest.approx(expected)


@pytest.mark.parametrize(
    "row",
    [
        [0, 1, 1, 0],
        [0, 1, 1, 0, -1],
        [0, 1, 1, 0, True],
        [0, 1, 1, 0, 0, 1.0, 2.0, 1],
        [0, 1, 1, 0, 0, "1", 2.0, 1, levels()],
        [0, 1, 1, 0, 0, 1.0, 2.0, 1, levels()[:4]],
        [0, 1, 1, 0, 0, 1.0, 2.0, 1, [[0.5, 1.0]] * 5],
        "row",
    ],
)
@pytest.mark.parametrize("of", ["uses", "elsewhere"])
def test_what_is_no_row_is_refused(profile, tmp_path, row, of):
    section = profile["objects"]
    (section["objects"][2] if of == "uses" else section)[of] = [row]
    file = tmp_path / "p.json"
    file.write_text(json.dumps(profile))
    with pytest.raises(Refusal, match=rf"malformed at \$\.objects\..*{of}\[0\]"):
        read_profile(file)
