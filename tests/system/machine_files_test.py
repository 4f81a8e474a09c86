"""Do the machine files' schema and the emulated machine refuse the same files, and do commands name the user's file?"""

import copy
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from lbhm.compare.other_clock import slow_down

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("LBHM_BUILD", ROOT / "build" / "release"))
SCHEMA = Draft202012Validator(json.loads((ROOT / "emulator/presets/machine.schema.json").read_text()))
WRONG = [-1, 0, 0.5, 1.5, 65, 1e7, 1e14, 1e30, "x", "", " \t", True, None, [], {}]
# What depends on two numbers at once is beyond a schema.
TWO_NUMBERS = "|".join(
    [
        r"it must be 64 bytes x \d+ ways x",
        r"it must be \d+ ways x a power of two",
        r"caches\.(l2|llc)\.latency_cycles\.value is .*; it must be from",  # no faster than the level before
        r"copy_bandwidth_gb_per_s\.value is .*; it must be from",  # reads and writes
        r"row of the tier's curves has it",
        r"it must be room for a block or more",
        r"which stands (before it|in the row before)",
        r"must be a list of \d, one for each of the curves' uses",
    ]
)
ASK = """
import ctypes, sys
ask = ctypes.CDLL(sys.argv[1]).lbhm_machine_complaint
ask.restype = ctypes.c_char_p
for line in sys.stdin:
    print(ask(line.strip().encode()).decode())
"""


def complaints(folder: Path, machines: list[dict]) -> list[str]:
    """What the emulated machine says of each; empty: it is right."""
    files = []
    for number, machine in enumerate(machines):
        files.append(folder / f"{number}.json")
        files[-1].write_text(json.dumps(machine))
    command = [sys.executable, "-c", ASK, BUILD / "lib" / "liblbhm.so"]
    asked = subprocess.run(command, input="\n".join(map(str, files)), capture_output=True, text=True, check=True)
    return asked.stdout.splitlines()


def complete_machine() -> dict:
    """One tier with curves, one without, and every key that may be left out."""
    machine = json.loads((ROOT / "emulator/presets/epyc-7742.json").read_text())
    machine["core"]["addition_cycles"] = {"value": 4, "source": "made up"}
    for level in ("l2", "llc"):
        machine["caches"][level]["cycles_per_line"] = {"value": 2, "source": "made up"}
    read, write = (machine["tiers"][1][f"{way}_bandwidth_gb_per_s"]["value"] for way in ("read", "write"))
    machine["tiers"][1]["copy_bandwidth_gb_per_s"] = {"value": 2 / (1 / read + 1 / write), "source": "made up"}
    return machine


def places(value: object, place: tuple = ()) -> Iterator[tuple]:
    """Of everything in a machine file. Of the entries of a curve the first one stands for all."""
    if place:
        yield place
    entries = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, member in entries:
        if not (isinstance(key, int) and key > 0 and "curves" in place):
            yield from places(member, (*place, key))


def holder(machine: dict, place: tuple) -> dict | list:
    for key in place[:-1]:
        machine = machine[key]
    return machine


def damaged() -> Iterator[tuple[str, dict]]:
    """Every value replaced, every key left out, a key too many in every object."""
    whole = complete_machine()
    for place in places(whole):
        name = ".".join(map(str, place))
        for value in WRONG:
            machine = copy.deepcopy(whole)
            holder(machine, place)[place[-1]] = value
            yield f"{name} = {value!r}", machine
        machine = copy.deepcopy(whole)
        del holder(machine, place)[place[-1]]
        yield f"without {name}", machine
        if isinstance(holder(whole, place)[place[-1]], dict):
            machine = copy.deepcopy(whole)
            holder(machine, place)[place[-1]]["more"] = 1
            yield f"{name}.more", machine


def test_schema_and_emulated_machine_refuse_the_same_files(tmp_path):
    assert complaints(tmp_path, [complete_machine()]) == [""]
    names, machines = zip(*damaged(), strict=True)
    said = complaints(tmp_path, list(machines))
    looser, stricter = [], []
    for name, machine, complaint in zip(names, machines, said, strict=True):
        by_schema = not SCHEMA.is_valid(machine)
        if complaint and not by_schema and not re.search(TWO_NUMBERS, complaint):
            looser.append(f"{name}: {complaint}")
        if by_schema and not complaint:
            stricter.append(name)
    assert (looser, stricter) == ([], [])
    assert len(names) > 1000


@pytest.mark.parametrize("times", [1, 3, 7])
def test_a_slower_machine_is_one_that_can_be(tmp_path, times):
    """What a tier says twice, of its bandwidth and of its copies or curves, is slowed down together (lbhm compare)."""
    machine = complete_machine()
    slow_down(machine, times)
    assert complaints(tmp_path, [machine]) == [""]
