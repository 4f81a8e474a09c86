"""Whoever is told to run ./quickstart: does it build what is missing?"""

import json
import re
import subprocess
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
BUILD = ROOT / "build" / "release"
QUICKSTART = (ROOT / "quickstart").read_text()
# A program's name, as it stands in the source of the command
PROGRAM = re.compile(r'"((?:lbhm-choose|lbhm-measure|stencil-probe|memory-probe|load-probe)[a-z-]*)"')


def targets() -> set[str]:
    (words,) = re.findall(r"^targets=\(([^)]*)\)", QUICKSTART, re.MULTILINE)
    return set(words.split())


def programs_of_the_command() -> set[str]:
    return {name for file in (ROOT / "tools/lbhm").rglob("*.py") for name in PROGRAM.findall(file.read_text())}


def test_all_programs_that_the_command_runs():
    assert {"lbhm-measure-node", "memory-probe-emu", "load-probe", "stencil-probe"} <= programs_of_the_command()
    assert programs_of_the_command() <= targets()


def test_all_libraries_that_the_command_names():
    named = set(re.findall(r'"lib(lbhm[a-z-]*)\.so"', (ROOT / "tools/lbhm/base/build_tree.py").read_text()))
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


RULE = "rule compile\n  command = sleep 0.1 && touch $out && : -c $in -o $out\n"


def test_it_says_how_long_the_build_takes(tmp_path):
    """Of 60 files that take a tenth of a second, and of none."""
    names = [f"{number}.o" for number in range(60)]
    (tmp_path / "build.ninja").write_text(RULE + "".join(f"build {name}: compile\n" for name in names))
    ask = [ROOT / "scripts/how-long", tmp_path / "said.json", tmp_path, *names]
    sentence = subprocess.run(ask, capture_output=True, text=True, check=True).stdout
    assert re.fullmatch(r"about .* from here: \d+ seconds to build, .* for five runs\n", sentence)
    assert len(list(tmp_path.glob("*.o"))) == 10  # every sixth
    begin = time.time()
    subprocess.run(["ninja", "-C", tmp_path], capture_output=True, check=True)
    took = time.time() - begin
    said = json.loads((tmp_path / "said.json").read_text())["said_build_seconds"]
    assert took / 3 < said < 3 * took
    subprocess.run(ask, capture_output=True, text=True, check=True)
    assert json.loads((tmp_path / "said.json").read_text())["said_build_seconds"] == 0
