"""Are the accesses of a base instance those that LBHM_BASE_PROFILE says: samples, or accessed bits?"""

import pytest
from harness.determinism import without_real_clocks

SETTINGS = {"machine": "optane", "policy": "merchandiser", "fast_capacity": "8M"}


def run(runner, **settings: str):
    outcome = runner.run("twin_tasks", **(SETTINGS | settings))
    assert outcome.status == 0, outcome.stderr
    return outcome


def share_of_second(report: dict) -> float:
    """Of what Eq. 1 expects of both arrays, in the first instance that was planned."""
    expected = {each["name"]: each["estimated_accesses"] for each in report["plans"][0]["objects"]}
    return expected["second"] / sum(expected.values())


def about_profiles(report: dict) -> list[str]:
    return [remark for remark in report["remarks"] if "LBHM_BASE_PROFILE" in remark]


def test_bits_say_for_how_long_pages_were_in_use_and_not_how_often(runner):
    """Lane 1 gathers four times as often as lane 0, and from slow memory: it takes more than ten times as long."""
    samples = run(runner)
    bits = run(runner, base_profile="bits")
    assert bits.stdout == samples.stdout
    assert share_of_second(samples.report) == pytest.approx(0.8, abs=0.02)
    assert 0.9 < share_of_second(bits.report) < 0.95
    assert about_profiles(bits.report) == []


def test_every_run_is_the_same(runner):
    reports = set()
    for _ in range(3):
        reports.add(without_real_clocks(run(runner, base_profile="bits").report))
    assert len(reports) == 1


def test_samples_are_the_default(runner):
    plans = [run(runner, **more).report["plans"] for more in ({}, {"base_profile": "samples"})]
    assert plans[0] == plans[1]


@pytest.mark.parametrize("policy", ["merchandiser-once", "lbhm"])
def test_where_nobody_scans_samples_count_and_one_remark_says_so(runner, policy):
    bits = run(runner, policy=policy, base_profile="bits")
    assert about_profiles(bits.report) == [
        f"LBHM_BASE_PROFILE=bits: policy {policy} scans no accessed bits on machine optane, so samples count the "
        "accesses of base instances"
    ]
    assert bits.stderr.count("LBHM_BASE_PROFILE") == 1
    assert share_of_second(bits.report) == pytest.approx(0.8, abs=0.02)


def test_a_policy_without_forecasts_has_nothing_to_count(runner):
    outcome = run(runner, policy="first-touch", base_profile="bits")
    assert about_profiles(outcome.report) == []


def test_another_value_is_refused_by_name(runner):
    outcome = runner.run("twin_tasks", base_profile="pages", **SETTINGS)
    assert "LBHM_BASE_PROFILE=pages is not samples or bits; correct it or unset it" in outcome.stderr
