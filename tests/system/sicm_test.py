"""Does SICM's guidance find the site that matters while the program runs, and from a profile, and repeat?"""

from __future__ import annotations

import json

import pytest
from harness.determinism import without_real_clocks

MACHINE = ("--machine", "clx-optane", "--threads", "4", "--heap")
FAST = "1280K"  # for one of the two arrays of 1 MiB


def run(runner, policy="sicm", **settings):
    settings = {"machine": "clx-optane", "fast_capacity": FAST} | settings
    outcome = runner.run("hot_and_cold", threads=4, heap=True, policy=policy, **settings)
    assert outcome.status == 0, outcome.stderr
    return outcome


@pytest.mark.parametrize("chooser", ["thermos", "knapsack"])
def test_the_hot_site_comes_and_every_run_is_the_same(runner, chooser):
    first = run(runner, "first-touch")
    guided = [run(runner, sicm_chooser=chooser) for _ in range(2)]
    assert [outcome.stdout for outcome in guided] == [first.stdout] * 2
    assert len({without_real_clocks(outcome.report) for outcome in guided}) == 1
    report = guided[0].report
    assert report["makespan_ns"] < 0.8 * first.report["makespan_ns"]
    # Two arrays of 256 pages, and nothing comes back.
    assert report["migrated_bytes"] <= 2 * 256 * 4096
    assert any("policy sicm: its recommendations were enforced at" in line for line in report["remarks"])


def test_hotset_lets_the_cold_site_crowd_the_hot_one_out(runner):
    """It recommends both, more than fits; that is what the paper has thermos for."""
    assert run(runner, sicm_chooser="hotset").report["migrated_bytes"] < 256 * 4096


def test_without_moves_watching_costs_little(runner):
    watched = run(runner, without="moves").report
    assert watched["migrated_bytes"] == 0
    assert watched["makespan_ns"] < 1.05 * run(runner, "first-touch").report["makespan_ns"]


def test_a_longer_interval_moves_later(runner):
    assert run(runner).report["makespan_ns"] < run(runner, pace="30").report["makespan_ns"]


def test_what_a_setting_cannot_be_is_said(runner):
    for setting in ({"sicm_chooser": "coldset"}, {"sicm_keep": "2"}):
        outcome = runner.run("hot_and_cold", policy="sicm", machine="clx-optane", **setting)
        assert f"LBHM_{next(iter(setting)).upper()}" in outcome.stderr


def test_offline_guidance_is_profiled_first_and_names_the_same_site(command_with, tmp_path):
    target = tmp_path / "compare.json"
    words = ("compare", *MACHINE, "--fast", FAST, "--policies", "first-touch,sicm,sicm-offline", "--json", str(target))
    command_with(words, "hot_and_cold")
    runs = {run["policy"]: run for run in json.loads(target.read_text())["runs"]}
    assert runs["sicm-offline"]["makespan_ns"] < runs["sicm"]["makespan_ns"] < runs["first-touch"]["makespan_ns"]
    assert "a run before this one, its profile" in json.dumps(runs["sicm-offline"])


@pytest.mark.parametrize(("keep", "back"), [("0.5", True), ("1", False)])
def test_where_old_samples_are_forgotten_a_site_that_becomes_hot_is_fast_five_intervals_later(runner, keep, back):
    """At half time the other one of two arrays of 1 MiB becomes the one that is read."""
    settings = {"machine": "clx-optane", "policy": "sicm", "fast_capacity": FAST, "sicm_keep": keep}
    outcome = runner.run("roles", "40", threads=4, heap=True, **settings)
    assert outcome.status == 0, outcome.stderr
    report = outcome.report
    interval = 10e9 * report["footprint_bytes"] / 66.2e9
    swap = next(region["begin_ns"] for region in report["regions"] if region["instance"] == 40)
    assert swap > 4 * interval
    line = report["timeline"]
    at_swap, later = (sum(time <= swap + wait for time in line["times_ns"]) - 1 for wait in (0, 5 * interval))
    # Bytes in fast memory: first of the array that is not read yet.
    becomes_hot, was_hot = sorted((array["tiers_bytes"][0] for array in line["objects"]), key=lambda of: of[at_swap])
    assert becomes_hot[at_swap] < 0.3 * was_hot[at_swap]
    assert (becomes_hot[later] >= 0.9 * (1 << 20)) == back
