"""Does lbhm compare --jobs N say and write what it does with one, and does it leave nothing behind?"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import CancelledError
from pathlib import Path

import patience
import pytest

from lbhm.base.signals import STOPPING, Stopped, stop_as_exception
from lbhm.execute import execute
from lbhm.execute.side_by_side import Programs, SideBySide

from .commands_test import is_gone

POLICIES = ("--policies", "slow-only,fast-only,first-touch,merchandiser,lbhm")
TEXT = "".join(f"{number}\n" for number in range(60_000))  # more than a pipe holds


def compared(lbhm, tmp_path: Path, jobs: int, *words: str, **environment: str) -> tuple[int, str, str, str]:
    """Status, what was printed, and the JSON as it was written."""
    target = tmp_path / "compare.json"
    target.unlink(missing_ok=True)
    options = ("--jobs", str(jobs), *POLICIES, "--json", str(target))
    done = lbhm("compare", *options, *words, LBHM_CLOCK_BEGIN="7", **environment)
    return done.returncode, done.stdout, done.stderr, target.read_text() if target.exists() else ""


@pytest.mark.parametrize(
    ("words", "status"),
    [
        (("--fast", "25%", "--", "./good"), 0),
        (("--fast", "10%,25%,50%", "--", "./good"), 0),
        (("--", "./good", "times", "none"), 0),  # runs again, with other clocks
        (("--", "./good", "times", "lbhm"), 1),  # another result
        (("--", "./good", "fail"), 3),
        (("--", "./good", "crash-under", "merchandiser"), 139),
        (("--", "./good", "crash-under", "slow-only"), 139),
        (("--fast", "25%,2M", "--", "./good"), 2),
        (("--result", "nothing like that", "--", "./good"), 2),
    ],
)
def test_jobs_change_nothing_that_is_said_or_written(lbhm, tmp_path, words, status):
    alone = compared(lbhm, tmp_path, 1, *words)
    assert alone[0] == status, alone[2]
    assert compared(lbhm, tmp_path, 2, *words) == alone
    assert compared(lbhm, tmp_path, 7, *words) == alone


@pytest.mark.parametrize("fake", ["broken", "none"])
def test_reports_that_are_missing_or_wrong_are_told_alike(lbhm, tmp_path, fake):
    alone = compared(lbhm, tmp_path, 1, "--", "./good", FAKE_REPORT=fake)
    assert alone[0]
    assert compared(lbhm, tmp_path, 3, "--", "./good", FAKE_REPORT=fake) == alone


def test_runs_really_are_side_by_side(lbhm, tmp_path):
    """Each waits for the other."""
    script = tmp_path / "meets"
    script.write_text(
        f"#!/bin/sh\ncd {tmp_path}\ngood={lbhm.programs}/good\n"
        "case $LBHM_POLICY in first-touch) me=a you=b;; lbhm) me=b you=a;; *) exec $good;; esac\n"
        "touch $me\nfor i in $(seq 600); do [ -e $you ] && exec $good; sleep 0.1; done\nexit 9\n"
    )
    script.chmod(0o755)
    words = ("--machine", "optane", "--policies", "first-touch,lbhm", "--", str(script))
    done = lbhm("compare", "--jobs", "2", *words)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("through", ["pipe", "file", "deleted file"])
def test_every_run_reads_the_same_input(lbhm, tmp_path, through):
    deck = tmp_path / "deck"
    deck.write_text(TEXT)
    words = [sys.executable, "-m", "lbhm", "compare", "--jobs", "3", *POLICIES, "--result", "(?s).*"]
    words += ["--json", str(tmp_path / "c.json"), "--", "./good", "copy"]
    with deck.open() as file:
        if through == "deleted file":
            deck.unlink()
        given = {"input": TEXT} if through == "pipe" else {"stdin": file}
        done = subprocess.run(
            words, cwd=lbhm.programs, env=lbhm.environment, capture_output=True, text=True, check=False, **given
        )
    assert done.returncode == 0, done.stderr
    result = json.loads((tmp_path / "c.json").read_text())
    assert result["result"]["differences"] == []
    assert len({run["checksum"] for run in result["runs"]}) == 1


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_stopping_ends_all_and_the_same_command_then_runs_from_the_start(lbhm, tmp_path, number):
    """A comparison keeps nothing of what was interrupted."""
    script = tmp_path / "sleeps"
    script.write_text(
        f'#!/bin/sh\n[ $LBHM_POLICY = slow-only ] || [ -n "$AWAKE" ] && exec ./good\n'
        f"exec ./good sleep {tmp_path}/$LBHM_POLICY.pid\n"
    )
    script.chmod(0o755)
    words = ("compare", "--jobs", "2", "--machine", "optane", *POLICIES, "--json", str(tmp_path / "c.json"))
    process = lbhm.start(*words, "--", str(script))
    notes = [tmp_path / f"{policy}.pid" for policy in ("fast-only", "first-touch")]
    assert patience.until(lambda: all(note.exists() and note.read_text().endswith("\n") for note in notes), 10)
    process.send_signal(number)
    _, stderr = process.communicate(timeout=10)
    assert process.returncode == 128 + number
    assert stderr.endswith("lbhm: stopped; the program was ended, and nothing was written\n")
    assert all(is_gone(int(note.read_text())) for note in notes)
    assert not (tmp_path / "merchandiser.pid").exists(), "it began although all was stopped"
    assert not (tmp_path / "c.json").exists()
    assert lbhm(*words, "--", str(script), AWAKE="1").returncode == 0
    assert len(json.loads((tmp_path / "c.json").read_text())["runs"]) == 5


def test_on_the_host_it_is_refused(lbhm):
    done = lbhm("compare", "--jobs", "2", "--machine", "host", "--", "./uninstrumented")
    assert done.returncode == 2
    sentence = "--jobs 2: on a real machine programs side by side disturb each other; leave it out"
    assert done.stderr.splitlines()[-1] == f"lbhm: {sentence}"
    assert " done" not in done.stderr


@pytest.mark.parametrize("wrong", ["0", "-1", "two"])
def test_what_no_number_of_jobs_is(lbhm, wrong):
    done = lbhm("compare", "--jobs", wrong, "--", "./good")
    assert done.returncode == 2
    assert f"--jobs: '{wrong}'" in done.stderr


def test_with_one_job_nothing_begins_before_it_is_asked_for():
    began = []
    with SideBySide(1) as side_by_side:
        first, second = (side_by_side.begin(lambda number=number: began.append(number)) for number in (1, 2))
        assert began == []
        second()
        second()
        first()
    assert began == [2, 1]


def test_who_waits_for_what_never_begins_is_not_left_waiting():
    blocked = threading.Event()
    with SideBySide(2) as side_by_side:
        first = side_by_side.begin(lambda: blocked.wait(60))
        side_by_side.begin(lambda: first())
        last = side_by_side.begin(lambda: 3)
        begin = time.monotonic()
        threading.Timer(0.2, blocked.set).start()
    assert time.monotonic() - begin < 30
    with pytest.raises(CancelledError):
        last()


def test_what_a_run_raises_is_its_callers():
    def fails() -> None:
        raise Stopped(signal.SIGTERM)

    with SideBySide(2) as side_by_side:
        failing, well = side_by_side.begin(fails), side_by_side.begin(lambda: 7)
        assert well() == 7
        with pytest.raises(Stopped):
            failing()


def test_no_program_begins_once_all_were_ended():
    programs = Programs()
    child = programs.started(lambda: subprocess.Popen(["sleep", "60"], start_new_session=True))
    programs.end()
    assert child.wait() == -signal.SIGKILL
    with pytest.raises(CancelledError):
        programs.started(lambda: pytest.fail("it began"))


def test_a_signal_ends_the_programs_of_all_workers():
    """While the main thread waits for a result."""
    before = {number: signal.getsignal(number) for number in STOPPING}
    stop_as_exception()
    children: list[subprocess.Popen] = []

    def run() -> None:
        with execute._started(["sleep", "60"], dict(os.environ), None, subprocess.PIPE) as child:
            children.append(child)
            child.communicate()

    try:
        with pytest.raises(Stopped), SideBySide(2) as side_by_side:
            begun = [side_by_side.begin(run) for _ in range(3)]
            assert patience.until(lambda: len(children) == 2, 10)
            threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGTERM)).start()
            begun[0]()
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    assert [child.wait() for child in children] == [-signal.SIGKILL] * 2
