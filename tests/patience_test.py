"""Is a limit one of a quiet computer, and is it said where it was reached?"""

import subprocess
import sys
import time

import patience
import pytest


@pytest.fixture
def wanting(monkeypatch, tmp_path):
    """wanting(threads): so many want to run."""
    load = tmp_path / "loadavg"
    monkeypatch.setattr(patience, "LOAD", load)
    monkeypatch.setattr(patience.os, "cpu_count", lambda: 2)

    def write(threads: int) -> None:
        load.write_text(f"9.00 5.00 1.00 {threads}/500 4711\n")

    write(1)
    return write


def test_tests_wait_for_programs_that_way():
    assert subprocess.Popen is patience.PatientPopen


@pytest.mark.parametrize(("threads", "share"), [(0, 1), (1, 1), (2, 1), (4, 0.5), (20, 0.1)])
def test_a_second_is_what_a_thread_gets_of_it(wanting, threads, share):
    wanting(threads)
    assert patience.share() == share


def test_a_slow_program_ends_on_a_busy_computer(wanting):
    wanting(8)
    done = subprocess.run(["sh", "-c", "sleep 0.8; cat"], input=b"told", capture_output=True, timeout=0.4)
    assert done.stdout == b"told"


def test_one_that_hangs_is_ended_and_the_limit_named(wanting):
    begin = time.monotonic()
    with pytest.raises(subprocess.TimeoutExpired, match=r"sleep.*limit of 0.2 s on a quiet computer was reached"):
        subprocess.run(["sleep", "60"], timeout=0.2)
    assert time.monotonic() - begin >= 0.2


def test_however_busy_it_is_there_is_an_end(wanting):
    wanting(1_000_000)
    with pytest.raises(subprocess.TimeoutExpired, match="limit"):
        subprocess.run(["sleep", "60"], timeout=0.05)


def test_output_is_kept_over_all_looks(wanting):
    code = "import time\nfor i in range(4): print(i, flush=True); time.sleep(0.3)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=30)
    assert done.stdout == "0\n1\n2\n3\n"


def test_until_waits_and_gives_up(wanting):
    assert patience.until(lambda: "there", 1) == "there"
    assert not patience.until(lambda: None, 0.05)


def test_time_is_taken_in_seconds_of_a_quiet_computer(wanting):
    wanting(20)
    with patience.Quiet() as took:
        time.sleep(0.3)
    assert 0.03 <= took.seconds < 0.3
