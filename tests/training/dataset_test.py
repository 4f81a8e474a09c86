"""Is f recovered from times, and is every region counted once?"""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from lbhm_training.dataset import dataset
from lbhm_training.series import BadData, read, select, series_of


def test_a_known_f_is_recovered(content, machine):
    (series,) = series_of(content(lambda r: 1.5 - r), machine)
    assert series.r == pytest.approx([round(0.05 + 0.1 * number, 2) for number in range(10)])
    assert series.f == pytest.approx([1.5 - r for r in series.r], rel=1e-12)


@pytest.mark.parametrize(
    ("change", "why"),
    [({"slow": 5e4, "fast": 2e4}, "too short"), ({"slow": 1e6, "fast": 0.0}, "no time in fast memory")],
)
def test_what_says_nothing_is_left_out(content, change, why, machine):
    assert series_of(content(**change), machine) == [], why


def test_a_region_that_is_never_wholly_in_fast_memory_is_left_out(content, machine):
    made = content()
    made["train"]["regions"][0]["runs"][-1]["self"]["fast_share"] = 0.9
    assert series_of(made, machine) == []


def test_a_region_whose_own_time_is_not_known_is_left_out(content, machine):
    """Regions nested in it ran too often to be measured."""
    for part in ("seed", "train"):
        made = content()
        made[part]["regions"][0]["runs"][0]["self"] |= {"executions": 0, "time_ns": None, "work_ns": None}
        assert series_of(made, machine) == []


def test_serial_code_counts_once_and_parallel_code_per_number_of_threads(content, machine):
    serial = [*series_of(content(), machine), *series_of(content(threads=12), machine)]
    assert len(select(serial).series) == 1
    parallel = [*series_of(content(), machine), *series_of(content(threads=12, lanes=12), machine)]
    assert len(select(parallel).series) == 2


def test_times_that_go_back_on_their_way_from_slow_to_fast_are_told_and_left_out(made_up):
    def other_way(one):  # fast memory has more bandwidth, and a longer latency
        return replace(one, slow_ns=one.fast_ns, fast_ns=one.slow_ns, time_ns=one.time_ns[::-1])

    good = made_up(4)
    rising = replace(good[0], time_ns=[*good[0].time_ns[:-1], 0.99e6])
    falling = other_way(replace(good[1], time_ns=[good[1].fast_ns, *good[1].time_ns[1:]]))
    found = select([rising, falling, other_way(good[2]), good[3]])
    assert (len(found.series), found.disturbed) == (2, 2)


def test_the_digest_is_of_the_rows(made_up):
    def digest(seed: int = 3) -> str:
        return dataset(select(made_up(seed=seed))).digest

    assert digest() == digest() != digest(seed=4)


def test_a_file_that_is_no_data_is_named(tmp_path, machine):
    file = tmp_path / "cg-1.json"
    file.write_text('{"train": 3}')
    with pytest.raises(BadData, match=r"cg-1.json: this is no training data"):
        read([file], machine)


def test_data_of_two_machines_is_refused(content, tmp_path, machine):
    other = content()
    other["train"]["machine_fingerprint"] = "f" * 16
    for number, made in enumerate((content(), other)):
        (tmp_path / f"{number}.json").write_text(json.dumps(made))
    with pytest.raises(BadData, match="several machines"):
        read(tmp_path.glob("*.json"), machine)
