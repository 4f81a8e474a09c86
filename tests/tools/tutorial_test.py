"""docs/tutorial.md, typed in as it stands: does every command work, and is what the text says of the times true?"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("LBHM_BUILD", ROOT / "build" / "release"))
TEXT = (ROOT / "docs" / "tutorial.md").read_text()
FILES = re.findall(r"`(\S+)`:\n\n```\w+\n(.*?)```", TEXT, re.S)
COMMANDS = re.findall(r"^\$ (.*)$", TEXT, re.M)
UNITS = {"s": 1e3, "ms": 1, "µs": 1e-3}


def times(table: str) -> dict[str, float]:
    """Milliseconds by policy."""
    rows = re.findall(r"^ *(\S+) +([\d.]+) (s|ms|µs) +[\d.]+×", table, re.M)
    return {policy: float(number) * UNITS[unit] for policy, number, unit in rows}


@pytest.fixture(scope="module")
def outputs(tmp_path_factory):
    """Of each command of the page."""
    if shutil.which("flang-new-19") is None:
        pytest.skip("flang 19 is missing (apt-get install flang-19)")
    folder = tmp_path_factory.mktemp("tutorial")
    for name, content in FILES:
        (folder / name).write_text(content)
    environment = {key: value for key, value in os.environ.items() if not key.startswith(("LBHM", "OMP_"))}
    environment |= {"LBHM": str(ROOT), "LBHM_BUILD": str(BUILD), "PATH": f"{ROOT}:{os.environ['PATH']}"}
    found = {}
    for command in COMMANDS:
        words = command.replace('"$LBHM/build/release/lib"', str(BUILD / "lib"))
        done = subprocess.run(
            words, shell=True, cwd=folder, env=environment, capture_output=True, text=True, timeout=300
        )
        assert done.returncode == 0, f"{command}: {done.stdout}{done.stderr}"
        found[command] = done.stdout
    return found


def test_the_page_has_its_files_and_commands():
    assert [name for name, _ in FILES] == ["lookup.c", "managed.c", "lookup.cpp", "lookup.f90"]
    assert len([command for command in COMMANDS if " compare " in command]) == 4


def test_lbhm_takes_less_than_half_of_first_touch_each_time(outputs):
    for command, output in outputs.items():
        if " compare " in command:
            took = times(output)
            assert took["lbhm"] < took["first-touch"] / 2, command


def test_a_sentence_says_why_pages_lie_where_they_lie(outputs):
    """What is worth most comes first: the tables, which tasks wait for."""
    for command, output in outputs.items():
        if " compare " in command:
            said = re.search(
                r"^ lbhm: in fast memory lay (\d+) % of .*, where a page saves [\d.]+ (µs|ns) of each ms", output, re.M
            )
            assert said and int(said[1]) > 80, output


def test_the_tables_are_the_second_block_of_main(outputs):
    (table,) = [output for command, output in outputs.items() if " objects " in command]
    assert re.search(r"main, call 2 +12 +3.00 MiB .* (100.0|99.\d) %", table), table
