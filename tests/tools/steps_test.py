"""Whoever waits for ./quickstart or ./check: do they see how far it is, and where it failed?"""

import os
import pty
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
# Says what ninja, ctest and pytest would, and takes its time.
WORK = "echo before; echo '{said}'; sleep 2.5; exit {status}"


def run(folder: Path, script: str, terminal: bool) -> tuple[int, str]:
    """Its exit status, and what it printed."""
    words = ["bash", "-euo", "pipefail", "-c", f"source scripts/steps.sh; start_log {folder}/log; {script}"]
    if not terminal:
        done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False)
        return done.returncode, done.stdout + done.stderr
    ours, theirs = pty.openpty()
    process = subprocess.Popen(words, cwd=ROOT, stdin=theirs, stdout=theirs, stderr=theirs)
    os.close(theirs)
    text = b""
    while True:
        try:
            part = os.read(ours, 4096)
        except OSError:  # nobody holds the other end any more
            break
        text += part
    os.close(ours)
    return process.wait(timeout=60), text.decode()


@pytest.mark.parametrize(
    ("said", "shown"),
    [("[12/345] Building", "[12/345]"), (" 7/1767 Test #8: a.b", "7/1767"), ("....... [ 12%]", "[ 12%]")],
)
def test_a_terminal_shows_how_far_a_step_is(tmp_path, said, shown):
    status, text = run(tmp_path, f'step "building" bash -c "{WORK.format(said=said, status=0)}"', terminal=True)
    assert status == 0
    assert re.search(rf"building +{re.escape(shown)} +\d+ s", text), text
    assert re.fullmatch(r"  building +done +\d+ s", re.split(r"\x1b\[K|\r", text.strip("\r\n"))[-1]), text


def test_a_file_gets_a_line_a_step(tmp_path):
    script = f'step "building" bash -c "{WORK.format(said="[12/345] Building", status=0)}"'
    status, text = run(tmp_path, script, terminal=False)
    assert status == 0
    assert re.fullmatch(r"  building +done +\d+ s\n", text), text


@pytest.mark.parametrize("terminal", [True, False])
def test_a_step_that_fails_shows_its_own_output_and_ends_the_script(tmp_path, terminal):
    failing = WORK.format(said="no such file", status=3)
    script = f'step "first" echo one; step "building" bash -c "{failing}"; step "never" true'
    status, text = run(tmp_path, script, terminal)
    assert status == 3
    assert "FAILED (exit status 3)" in text
    assert "| no such file" in text
    assert "| one" not in text
    assert "never" not in text
