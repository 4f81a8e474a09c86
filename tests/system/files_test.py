"""Do outputs and inputs of every kind leave the program, the terminal and what stands there as they were?"""

import json
import os
import stat
import subprocess

import pytest

from .conftest import BUILD, program

PROGRAM = "twin_tasks_plain"


def ends_as_without(runner, outcome) -> bool:
    plain = runner.run(PROGRAM, library=None, threads=2)
    return (outcome.status, outcome.stdout) == (plain.status, plain.stdout)


def said(outcome) -> list[str]:
    """Lines of ours; the program itself prints what last_error told it."""
    return [line for line in outcome.stderr.split("\n")[:-1] if not line.startswith("not planned: LB-HM did not start")]


def run(runner, **settings):
    return runner.run(PROGRAM, threads=2, **settings)


def test_a_device_is_written_to_and_stays_one(runner, tmp_path):
    null = tmp_path / "null"
    try:
        os.mknod(null, stat.S_IFCHR | 0o666, os.makedev(1, 3))
    except PermissionError:
        pytest.skip("needs root, to make a device")
    outcome = run(runner, report=str(null))
    assert ends_as_without(runner, outcome)
    assert outcome.stderr == ""
    assert stat.S_ISCHR(null.stat().st_mode)


@pytest.mark.parametrize("name", ["-", "/dev/stdout", "/dev/fd/1"])
def test_the_report_on_the_standard_output(runner, name):
    plain = runner.run(PROGRAM, library=None, threads=2).stdout
    outcome = run(runner, report=name)
    assert outcome.status == 0
    start = outcome.stdout.index('{\n "schema": "lbhm.report/1"')
    report, end = json.JSONDecoder().raw_decode(outcome.stdout[start:])
    assert report["machine"]
    assert outcome.stdout[:start] + outcome.stdout[start + end + 1 :] == plain


@pytest.mark.parametrize("report", ["folder", "pipe", "folder/none/report.json", "/dev/full"])
def test_outputs_that_cannot_be_written(runner, tmp_path, report):
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")
    outcome = run(runner, report=str(tmp_path / report))
    assert ends_as_without(runner, outcome)
    assert len(said(outcome)) == 1
    assert "LBHM_REPORT" in outcome.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["folder", "pipe"]


def test_nothing_that_was_planted_is_followed(runner, tmp_path):
    """Temporary files had the name report.json.PID.tmp: whoever guessed it chose where we wrote."""
    treasure = tmp_path / "treasure"
    treasure.write_text("mine")
    outcome = runner.run(
        PROGRAM,
        threads=2,
        before=lambda: (tmp_path / f"r.json.{os.getpid()}.tmp").symlink_to(treasure),
        report=str(tmp_path / "r.json"),
    )
    assert outcome.status == 0
    assert treasure.read_text() == "mine"
    assert json.loads((tmp_path / "r.json").read_text())["schema"] == "lbhm.report/1"


INPUTS = [
    ("patterns", {}),
    ("placement", {"machine": "optane", "policy": "oracle"}),
    ("alpha", {}),
    ("profile", {}),
    ("machine", {}),
]
CONTENTS = ["folder", "pipe", "/dev/zero", "deep", "binary", "empty"]


@pytest.mark.parametrize("content", CONTENTS)
@pytest.mark.parametrize(("setting", "others"), INPUTS)
def test_inputs_that_are_none(runner, tmp_path, setting, others, content):
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "deep").write_text("[" * 3_000_000)
    (tmp_path / "binary").write_bytes(bytes(range(256)))
    (tmp_path / "empty").touch()
    path = str(tmp_path / content)
    outcome = run(runner, **others, **{setting: path})
    assert ends_as_without(runner, outcome)
    assert len(said(outcome)) == 1
    assert path in outcome.stderr


EVIL = "a\nlbhm: all is well\x1b[2J\x9b"


@pytest.mark.parametrize(
    "settings",
    [{name: EVIL} for name in ("machine", "policy", "without", "fast_capacity", "blocks")]
    + [{name: "/nowhere/" + EVIL} for name in ("patterns", "report", "alpha", "machine")]
    + [{"presets": EVIL, "machine": "x"}],
)
def test_what_a_setting_says_is_one_line_of_text(runner, settings):
    outcome = run(runner, **settings)
    assert ends_as_without(runner, outcome)
    assert [line[:6] for line in said(outcome)] == ["lbhm: "]
    assert not set(outcome.stderr) & set("\x1b\x9b")


def test_the_file_of_counts_is_whole_or_not_there(runner, tmp_path):
    """A shell that inherits the settings counts, too, and must not write over what its child did."""
    counts = tmp_path / "counts"
    environment = {"machine": "optane", "page_counts": str(counts)}
    outcome = runner.run("twin_tasks", threads=2, **environment)
    assert outcome.status == 0
    alone = counts.read_bytes()
    counts.unlink()
    runner.run("/bin/true", threads=2, **environment)
    assert not counts.exists()
    assert alone.endswith(b"}\n")
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".lbhm")] == []


def test_a_reader_that_goes_away_changes_nothing():
    """`program 2>&1 >/dev/null | true`, with the report there: no SIGPIPE of ours."""
    reader, writer = os.pipe()
    os.close(reader)
    settings = {"LD_PRELOAD": str(BUILD / "lib/liblbhm.so"), "LBHM_REPORT": "/dev/stderr", "OMP_NUM_THREADS": "2"}
    done = subprocess.run([program(PROGRAM)], env={**os.environ, **settings}, stdout=subprocess.DEVNULL, stderr=writer)
    os.close(writer)
    assert done.returncode == 0
