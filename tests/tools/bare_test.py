"""What does the command say with Python's standard library alone?"""

import subprocess
import sys

import pytest


@pytest.fixture
def bare(lbhm):
    """bare(words): without any package of others (-S: no site-packages)."""

    def run(*words: str) -> subprocess.CompletedProcess:
        command = [sys.executable, "-S", "-m", "lbhm", *words]
        return subprocess.run(
            command, cwd=lbhm.programs, env=lbhm.environment, capture_output=True, text=True, check=False
        )

    return run


def test_version_and_help_are_told(bare, lbhm):
    assert bare("--version").stdout == lbhm("--version").stdout
    for words in ((), ("--help",), ("-h",)):
        done = bare(*words)
        assert done.returncode == 0, done.stderr
        assert "  compare     Run a program under several policies, side by side.\n" in done.stdout
        assert "has no package typer" in done.stdout


def test_the_doctor_finds_the_same(bare, lbhm):
    done = bare("doctor")
    found = {line.split("  ")[0] for line in done.stdout.splitlines()}
    assert {"runtime", "Python packages", "memory tiers"} <= found
    assert done.returncode == lbhm("doctor").returncode
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("words", [("policies",), ("run", "--", "./good"), ("compare", "--help")])
def test_all_else_says_where_to_get_what_it_needs(bare, words):
    done = bare(*words)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1 and "has no package typer; scripts/make-venv installs all" in done.stderr
