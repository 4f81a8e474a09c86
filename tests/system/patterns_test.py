"""Do patterns reach the plans, from the compiler or from samples, and are stale files noticed?"""

import json

import pytest

EXPECTED = {"stream": "stream", "grid": "stencil", "table": "gather", "points": "strided", "index": "stream"}
SMALL_CACHES = {"machine": "optane", "policy": "merchandiser-once", "fast_capacity": "64K"}


def objects_of(report, plan=-1):
    return {each["name"]: each for each in report["plans"][plan]["objects"]}


def patterns_file(runner, command, change):
    """The file of `lbhm patterns`, after `change(content)`."""
    target = runner.folder / "patterns.json"
    command("patterns", "--json", target, "known_patterns")
    content = json.loads(target.read_text())
    change(content)
    target.write_text(json.dumps(content))
    return str(target)


def test_each_object_has_the_pattern_that_its_loop_has(runner):
    report = runner.run("known_patterns", **SMALL_CACHES, threads=4).report
    found = {name: each["kind"] for name, each in objects_of(report).items()}
    assert found == EXPECTED


def test_the_accesses_of_the_lanes_are_those_of_the_object(runner):
    report = runner.run("known_patterns", **SMALL_CACHES, threads=4).report
    for each in objects_of(report, 0).values():
        lanes = each["counted_by_lane"]
        assert lanes.keys() <= {"0", "1", "2", "3"}
        assert sum(lanes.values()) == pytest.approx(each["counted_accesses"], abs=len(lanes))
        assert each["planned_fast_bytes"] <= each["bytes"]
    assert any(len(each["counted_by_lane"]) == 4 for each in objects_of(report, 0).values())


def test_without_the_compilers_help_samples_tell(runner):
    settings = SMALL_CACHES | {"sample_period": "7"}
    report = runner.run("known_patterns_unanalysed", **settings, threads=4).report
    found = {name: each["kind"] for name, each in objects_of(report).items()}
    assert found["stream"] == "stream"
    assert found["table"] == "gather"
    assert found["index"] == "stream"


def test_streams_are_predicted_from_their_sizes(runner):
    report = runner.run("known_patterns", **SMALL_CACHES, sample_period="1", threads=4).report
    for plan in (0, 1):
        stream = objects_of(report, plan)["stream"]
        assert stream["alpha"] == pytest.approx(1, rel=0.05)
        assert stream["estimated_accesses"] == pytest.approx(stream["counted_accesses"], rel=0.05)


def test_both_rules_of_scaling_are_reported_and_either_can_be_planned_by(runner):
    sizes = [str(1 << 18), str(1 << 19)]
    plans = {}
    for rule in ("sizes", "cosine"):
        report = runner.run("known_patterns", *sizes, **SMALL_CACHES, scaling=rule, threads=4).report
        plans[rule] = report["plans"][-1]["tasks"]
    for rule, tasks in plans.items():
        for task in tasks:
            assert task["slow_only_ns"] == task[rule]["slow_only_ns"]
            assert task["fast_only_ns"] == task[rule]["fast_only_ns"]
            # All objects are twice as large: the cosine cannot see it.
            assert task["sizes"]["slow_only_ns"] == pytest.approx(2 * task["cosine"]["slow_only_ns"], rel=0.1)


def test_random_accesses_are_refined_by_what_was_counted(runner):
    sizes = [str(1 << bits) for bits in (18, 19, 20, 19)]
    report = runner.run("known_patterns", *sizes, **SMALL_CACHES, sample_period="1", threads=4).report
    table = objects_of(report)["table"]
    assert table["estimated_accesses"] == pytest.approx(table["counted_accesses"], rel=0.15)


def test_a_file_takes_the_programs_place(runner, command):
    def change(content):
        for module in content["modules"]:
            for nest in module["nests"]:
                for access in nest["accesses"]:
                    access["kind"] = "scatter"

    report = runner.run(
        "known_patterns", **SMALL_CACHES, patterns=patterns_file(runner, command, change), threads=4
    ).report
    assert objects_of(report)["stream"]["kind"] == "scatter"
    assert not any("another build" in remark for remark in report["remarks"])


def test_a_file_of_another_build_is_named_and_not_used(runner, command):
    def change(content):
        for module in content["modules"]:
            module["id"] = "123"
            for nest in module["nests"]:
                nest["accesses"] = []

    report = runner.run(
        "known_patterns", **SMALL_CACHES, patterns=patterns_file(runner, command, change), threads=4
    ).report
    assert objects_of(report)["stream"]["kind"] == "stream"
    assert any("patterns.json" in remark and "another build" in remark for remark in report["remarks"])


@pytest.mark.parametrize(
    "content", ["", "{", '{"schema": "lbhm.patterns/9"}', '{"schema": "lbhm.patterns/1", "modules": [{}]}']
)
def test_a_malformed_file_is_one_line_and_the_program_runs(runner, content):
    file = runner.folder / "broken.json"
    file.write_text(content)
    outcome = runner.run("known_patterns", **SMALL_CACHES, patterns=str(file), threads=2)
    assert outcome.status == 0
    assert outcome.stdout.startswith("checksum")
    lines = [line for line in outcome.stderr.splitlines() if line.startswith("lbhm:")]
    assert len(lines) == 1
    assert str(file) in lines[0]


def test_a_missing_file_is_one_line_and_the_program_runs(runner):
    outcome = runner.run("known_patterns", **SMALL_CACHES, alpha="/nowhere/alpha.json", threads=2)
    assert outcome.status == 0
    assert "LBHM_ALPHA=/nowhere/alpha.json" in outcome.stderr


def test_the_program_runs_without_us(runner):
    assert runner.run("known_patterns", library=None).stdout.startswith("checksum")
