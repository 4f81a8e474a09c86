"""Does a program that lbhm runs read what it would read without, on a terminal too?"""

import os
import pty
import subprocess
import sys

import pytest

TWO_RUNS = ("run", "--fast", "25%", "--", "./good", "copy")


def expected(lbhm, words: tuple[str, ...], **options) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "lbhm", *words],
        cwd=lbhm.programs,
        env=lbhm.environment,
        capture_output=True,
        text=True,
        timeout=60,
        **options,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("hello\none\ntwo\nchecksum: "), done.stdout


def test_every_run_reads_the_same_pipe(lbhm):
    expected(lbhm, TWO_RUNS, input="one\ntwo\n")


def test_every_run_reads_the_same_file_from_where_it_stood(lbhm, tmp_path):
    file = tmp_path / "input"
    file.write_text("zero\none\ntwo\n")
    with file.open("rb") as stdin:
        os.lseek(stdin.fileno(), 5, os.SEEK_SET)
        expected(lbhm, TWO_RUNS, stdin=stdin)


def test_compare_gives_every_policy_the_same_input(lbhm):
    command = [sys.executable, "-m", "lbhm", "compare", "--result", "(?s).*", "--", "./good", "copy"]
    done = subprocess.run(
        command, cwd=lbhm.programs, env=lbhm.environment, input="x\n" * 100_000, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr


def test_nobody_waits_for_input_that_is_not_read(lbhm):
    """A pipe that nobody writes to or closes."""
    reading, writing = os.pipe()
    command = [sys.executable, "-m", "lbhm", "compare", "--policies", "lbhm", "--", "./good"]
    done = subprocess.run(
        command, cwd=lbhm.programs, env=lbhm.environment, stdin=reading, capture_output=True, timeout=60
    )
    os.close(reading)
    os.close(writing)
    assert done.returncode == 0, done.stderr


def test_one_run_takes_no_more_input_than_the_program(lbhm):
    command = f"{sys.executable} -m lbhm run --fast 64K -- ./good one-line 2>/dev/null | grep line:; cat"
    done = subprocess.run(
        ["sh", "-c", command], cwd=lbhm.programs, env=lbhm.environment, input="1\n2\n", capture_output=True, text=True
    )
    assert done.stdout == "line: 1\n2\n"


@pytest.fixture
def on_terminal(lbhm):
    """on_terminal(words, keys): what it shows there and the exit status; keys are pressed when it says 'ready'."""

    def run(*words: str, keys: bytes = b"") -> tuple[str, int]:
        process, terminal = pty.fork()
        if process == 0:
            os.chdir(lbhm.programs)
            os.execvpe(sys.executable, [sys.executable, "-m", "lbhm", *words], lbhm.environment)
        shown = b""
        while True:
            try:
                data = os.read(terminal, 4096)
            except OSError:
                break
            if not data:
                break
            if b"ready" not in shown and b"ready" in shown + data:
                os.write(terminal, keys)
            shown += data
        os.close(terminal)
        return shown.decode(), os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])

    return run


def test_the_program_is_in_front_of_the_terminal(on_terminal):
    shown, status = on_terminal("run", "--fast", "64K", "--", sys.executable, "-c", IN_FRONT)
    assert "in front: True" in shown
    assert status == 0


def test_ctrl_c_is_for_the_program(on_terminal):
    """It handles it and goes on, as without lbhm; and its report is there."""
    shown, status = on_terminal("run", "--", sys.executable, "-c", HANDLES, keys=b"\x03")
    assert "handled" in shown
    assert status == 5


def test_ctrl_c_ends_a_program_that_does_not_handle_it(on_terminal):
    # exec: a shell that is ended between its fork and the child's first instruction leaves the child running.
    shown, status = on_terminal("run", "--", "sh", "-c", "echo ready; exec sleep 60", keys=b"\x03")
    assert status == 130
    assert "was ended by SIGINT" in shown


IN_FRONT = "import os; print('in front:', os.tcgetpgrp(0) == os.getpgrp())"
HANDLES = """
import sys, time
try:
    print("ready", flush=True)
    time.sleep(60)
except KeyboardInterrupt:
    print("handled")
    sys.exit(5)
"""
