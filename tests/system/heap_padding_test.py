"""Does LBHM_HEAP_PADDING move the blocks of the program's heap, and nothing else?"""

import pytest

PADDINGS = ("0", "208", "4000")
OPTANE = {"machine": "optane", "policy": "first-touch", "fast_capacity": "1M"}


def places(outcome) -> dict[str, int]:
    assert outcome.status == 0, outcome.stderr
    return {name: int(offset) for name, offset in (line.split(": ") for line in outcome.stdout.splitlines())}


def moved(before: dict[str, int], after: dict[str, int]) -> dict[str, int]:
    return {name: (after[name] - before[name]) % 4096 for name in before}


@pytest.mark.parametrize(("padding", "bytes_"), [("208", 224), ("4000", 4016)])  # malloc's header and alignment
def test_all_blocks_of_the_heap_move_and_managed_objects_do_not(runner, padding, bytes_):
    before = places(runner.run("heap_places", **OPTANE))
    after = places(runner.run("heap_places", **OPTANE, heap_padding=padding))
    assert moved(before, after) == {"static": bytes_, "main": bytes_, "large": bytes_, "managed": 0}


def test_nothing_else_changes(runner):
    """A program whose accesses are all to managed objects has the same report but for real clocks."""
    reports = [runner.run("heap_places", **OPTANE, heap_padding=padding).report for padding in PADDINGS]
    for report in reports:
        report["decision_ns"] = 0
    assert reports[0] == reports[1] == reports[2]


def test_results_do_not_depend_on_it_and_each_padding_repeats(runner):
    arguments = ["--kron", "9", "--inputs", "2"]
    runs = [runner.run("spgemm-emu", *arguments, **OPTANE, heap_padding=p) for p in (*PADDINGS, *PADDINGS)]
    assert len({run.stdout for run in runs}) == 1
    times = [run.report["makespan_ns"] for run in runs]
    assert times[:3] == times[3:]
    assert len(set(times)) > 1  # that is why there are paddings


def test_real_time_and_programs_without_us_have_none(runner):
    """There it would only take memory."""
    unset, set_ = (places(runner.run("heap_places", machine="host", **more)) for more in ({}, {"heap_padding": "208"}))
    assert unset["static"] == set_["static"]


def test_what_is_no_size_is_refused_by_name(runner):
    outcome = runner.run("heap_places", **OPTANE, heap_padding="some")
    assert outcome.status == 0
    assert "LBHM_HEAP_PADDING=some is not a number of bytes" in outcome.stderr
