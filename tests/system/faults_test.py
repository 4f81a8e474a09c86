"""Does it stay harmless when the operating system refuses?"""

import pytest

SETTINGS = {"machine": "optane", "policy": "merchandiser-once", "fast_capacity": "8M"}


@pytest.mark.parametrize(
    "fault", ["move=EBUSY", "move=ENOMEM", "move=EPERM", "move=EFAULT", "reserve=ENOMEM", "samples=lost"]
)
def test_the_output_is_unchanged(runner, fault):
    plain = runner.run("twin_tasks", library=None)
    outcome = runner.run("twin_tasks", library="liblbhm-faulty.so", fault=fault, **SETTINGS)
    assert outcome.status == 0
    assert outcome.stdout == plain.stdout


@pytest.mark.parametrize("fault", ["move=EBUSY", "move=ENOMEM", "move=EPERM", "move=EFAULT"])
def test_failed_moves_are_in_the_report(runner, fault):
    report = runner.run("twin_tasks", library="liblbhm-faulty.so", fault=fault, **SETTINGS).report
    assert report["migrated_bytes"] == 0
    assert any(plan["failed_bytes"] > 0 and plan["first_failure"] for plan in report["plans"])


def test_lost_samples_are_in_the_report(runner):
    report = runner.run("twin_tasks", library="liblbhm-faulty.so", fault="samples=lost", **SETTINGS).report
    assert any("samples were lost" in remark for remark in report["remarks"])


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"machine": "no-such-machine"}, "no-such-machine"),
        ({"machine": "optane", "policy": "no-such-policy"}, "no-such-policy"),
        ({"machine": "optane", "fast_capacity": "many"}, "LBHM_FAST_CAPACITY=many"),
        ({"machine": "optane", "sample_period": "0"}, "LBHM_SAMPLE_PERIOD=0"),
        ({"machine": "/nowhere/machine.json"}, "/nowhere/machine.json"),
    ],
)
def test_a_bad_setting_is_one_line_and_the_program_runs(runner, settings, words):
    plain = runner.run("twin_tasks", library=None)
    outcome = runner.run("twin_tasks", **settings)
    assert outcome.status == 0
    assert outcome.stdout == plain.stdout
    lines = [line for line in outcome.stderr.splitlines() if line.startswith("lbhm: ")]
    assert len(lines) == 1 and words in lines[0]
    assert outcome.report is None


def test_a_report_that_cannot_be_written_is_one_line(runner, tmp_path):
    outcome = runner.run("twin_tasks", machine="optane", report=str(tmp_path / "no" / "folder" / "report.json"))
    assert outcome.status == 0
    assert "LBHM_REPORT" in outcome.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_program_without_instrumentation_says_so(runner):
    outcome = runner.run("twin_tasks_plain", machine="optane", policy="first-touch")
    assert outcome.status == 0
    assert any("not built with the plugin" in remark for remark in outcome.report["remarks"])


def test_on_the_host_regions_are_timed(runner):
    outcome = runner.run("twin_tasks_plain", machine="host")
    assert outcome.status == 0
    assert len(outcome.report["regions"]) == 4
    assert all(task["time_ns"] > 0 for region in outcome.report["regions"] for task in region["tasks"])
