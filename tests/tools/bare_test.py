"""What does the command say with Python's standard library alone?"""

import json
import subprocess
import sys

import pytest
import typer

from lbhm.bare_help import commands, help_of
from lbhm.cli import application


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
        assert "  compare           Run a program under several policies, side by side.\n" in done.stdout
        assert "has no package typer" in done.stdout


def test_the_doctor_finds_the_same(bare, lbhm):
    done = bare("doctor")
    found = {line.split("  ")[0] for line in done.stdout.splitlines()}
    assert {"runtime", "Python packages", "memory tiers"} <= found
    assert done.returncode == lbhm("doctor").returncode
    assert "Traceback" not in done.stderr
    assert "All commands but doctor, --version and --help need packages: " in done.stdout
    packages = next(line for line in done.stdout.splitlines() if line.startswith("Python packages"))
    assert "not installed: typer, rich" in packages


def test_the_doctor_writes_the_same(bare, lbhm, tmp_path):
    """As far as the two Pythons have the same."""
    for command, name in ((bare, "bare.json"), (lbhm, "all.json")):
        command("doctor", "--json", str(tmp_path / name))
    told = [json.loads((tmp_path / name).read_text()) for name in ("bare.json", "all.json")]
    names = [[finding["what"] for finding in doctor["findings"]] for doctor in told]
    assert names[0] == names[1] and told[0]["schema"] == told[1]["schema"] == "lbhm.doctor/1"
    assert bare("doctor", "--json", "nowhere/x").returncode == 2
    assert bare("doctor", "--json=-").stdout.startswith("{")


def test_the_help_of_every_command_has_its_options(bare):
    """In one process: the source of all commands is read as --help has it with the packages."""
    with typer.Context(group := typer.main.get_command(application()), info_name="lbhm") as context:
        known = dict(leaves(group, context))
    assert set(commands()) == set(known) - {"cc", "c++", "fc"}
    for words in commands():
        shown = help_of(words)
        assert known[words].help.partition("\n")[0] in shown
        for param in known[words].params:
            assert param.param_type_name == "argument" or param.opts[0] in shown, words
            assert not (about := getattr(param, "help", None)) or about[:40] in " ".join(shown.split()), words
    assert bare("run", "--help").stdout.startswith("Usage: lbhm run [OPTIONS] -- PROGRAM\n")
    assert bare("machine", "list", "-h").stdout.startswith("Usage: lbhm machine list [OPTIONS]\n")


def leaves(group, context, before=""):
    for name, command in group.commands.items():
        inner = getattr(command, "commands", None)
        yield from leaves(command, context, f"{name} ") if inner else [(before + name, command)]


@pytest.mark.parametrize("words", [("policies",), ("run", "--", "./good"), ("doctor", "--fats")])
def test_all_else_says_where_to_get_what_it_needs(bare, words):
    done = bare(*words)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1 and "has no package typer; scripts/make-venv installs all" in done.stderr
