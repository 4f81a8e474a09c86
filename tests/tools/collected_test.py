"""Is what a program printed and what it took of the processor collected whole?"""

from __future__ import annotations

import resource
import subprocess
import sys

from lbhm.execute.ending import collected

PRINTS = "import sys; sys.stdout.write('o' * 300_000); sys.stderr.write('e' * 300_000); sys.exit(3)"
WORKS = "import time\nwhile time.process_time() < {}: pass"
STARTS = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {WORKS.format(0.6)!r}])"


def start(text: str, pipe: int | None = subprocess.PIPE) -> subprocess.Popen:
    return subprocess.Popen([sys.executable, "-c", text], stdout=pipe, stderr=pipe)


def test_both_outputs_and_the_status_come_whole():
    child = start(PRINTS)
    stdout, stderr, _ = collected(child)
    assert (stdout, stderr, child.returncode) == (b"o" * 300_000, b"e" * 300_000, 3)


def test_a_signal_is_told_as_subprocess_does():
    child = start("import os; os.kill(os.getpid(), 11)")
    assert (collected(child)[0], child.returncode) == (b"", -11)


def test_outputs_that_are_no_pipes_are_empty():
    child = start("", None)
    assert collected(child)[:2] == (b"", b"")
    assert child.returncode == 0


def test_the_processor_time_is_the_programs_and_of_what_it_started():
    other = start(WORKS.format(0.5))  # at the same time
    assert collected(start(STARTS))[2] >= 0.6
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = collected(other)[2]
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert seconds >= 0.5
    assert abs(seconds - sum(getattr(after, key) - getattr(before, key) for key in ("ru_utime", "ru_stime"))) < 0.01
