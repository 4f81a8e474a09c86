"""Whoever is told to run ./quickstart: does it build what is missing?"""

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
BUILD = ROOT / "build" / "release"
QUICKSTART = (ROOT / "quickstart").read_text()
# A program's name, as it stands in the source of the command
PROGRAM = re.compile(r'"((?:lbhm-choose|lbhm-measure|stencil-probe|memory-probe)[a-z-]*)"')


def targets() -> set[str]:
    (words,) = re.findall(r"^targets=\(([^)]*)\)", QUICKSTART, re.MULTILINE)
    return set(words.split())


def programs_of_the_command() -> set[str]:
    return {name for file in (ROOT / "tools/lbhm").glob("*.py") for name in PROGRAM.findall(file.read_text())}


def test_all_programs_that_the_command_runs():
    assert {"lbhm-measure-node", "memory-probe-emu", "stencil-probe"} <= programs_of_the_command()
    assert programs_of_the_command() <= targets()


def test_all_libraries_that_the_command_names():
    named = set(re.findall(r'"lib(lbhm[a-z-]*)\.so"', (ROOT / "tools/lbhm/build_tree.py").read_text()))
    assert {"lbhm", "lbhm-heap", "lbhm-plugin"} <= named
    assert named <= targets()


@pytest.mark.parametrize("module", ["hwloc", "papi", "mimalloc"])
def test_the_modules_that_the_library_opens(module):
    if not (BUILD / "build.ninja").exists():
        pytest.skip("the release build is not configured")
    target = f"liblbhm-{module}.so"
    if target not in (BUILD / "build.ninja").read_text():
        pytest.skip(f"lib{module}-dev is not installed")
    commands = subprocess.run(
        ["ninja", "-C", BUILD, "-t", "commands", "lbhm"], capture_output=True, text=True, check=True
    )
    assert target in commands.stdout
