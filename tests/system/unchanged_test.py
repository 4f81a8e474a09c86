"""Are virtual times what they were, and do they depend on the program and the settings alone?"""

import itertools
import json
import os
import re
import shutil
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import virtual_times  # noqa: E402 (it stands beside this file)

BUILD = Path(os.environ.get("LBHM_BUILD", HERE.parents[1] / "build" / "release"))
STORED = json.loads((HERE / "virtual_times.json").read_text())
ADVICE = """Where a change is meant to alter these (the core model, the emulated memory, a policy, a program) and every
difference can be explained, store the new table and list the differences in the commit:
    python3 tests/system/virtual_times.py build/release > tests/system/virtual_times.json
Anywhere else they are a fault: something now depends on real time, or moves the program's blocks."""


def need(program: str) -> None:
    if not virtual_times.is_built(BUILD, program):
        pytest.skip(f"{program} is not built: flang-19 is not installed")


@pytest.mark.parametrize("program", virtual_times.PROGRAMS)
def test_virtual_times_are_as_stored(program):
    need(program)
    found = virtual_times.table(BUILD, [program])
    lines = [
        f"{cell}: was {STORED.get(cell)}\n    now {value}" for cell, value in found.items() if STORED.get(cell) != value
    ]
    assert not lines, "\n".join([*lines, ADVICE])


def test_the_table_has_no_other_cells():
    assert set(STORED) == virtual_times.names_of_cells(), ADVICE


@pytest.fixture(scope="module")
def far_away(tmp_path_factory):
    """A folder with a long name that holds copies of what is loaded."""
    folder = tmp_path_factory.mktemp("far") / ("a" * 200) / ("b" * 200)
    (folder / "lib").mkdir(parents=True)
    for library in ("liblbhm.so", "liblbhm-heap.so", "libclock-at-end.so"):
        shutil.copy(BUILD / "lib" / library, folder / "lib")
    shutil.copytree(BUILD / "share", folder / "share")
    return folder


def surroundings(program: str, far_away: Path) -> dict[str, dict[str, str]]:
    """Settings that must not change anything, by what they are."""
    return {
        **{f"{bytes_more} bytes more": {"PADDING": "x" * bytes_more} for bytes_more in (1, 100, 5000)},
        "longer settings": {"LBHM_MACHINE": str(far_away / "share" / "lbhm" / "machines" / "optane.json")},
        "longer report path": {"LBHM_REPORT": str(far_away / "report.json")},
        "no report": {"LBHM_REPORT": ""},
        "what libomp keeps on the heap": {"KMP_SETTINGS": "0"},
        "lanes that spin": {"OMP_WAIT_POLICY": "active", "KMP_BLOCKTIME": "200"},
        "another folder": {"LD_PRELOAD": preloaded(far_away, program)},
    }


# One run asks about all of a line; where it ends otherwise, each is tried alone.
TOGETHER = [
    ("1 bytes more", "longer settings", "longer report path"),
    ("100 bytes more", "what libomp keeps on the heap", "lanes that spin"),
    ("5000 bytes more", "no report", "another folder"),
]


def preloaded(folder: Path, program: str) -> str:
    return f"{folder / 'lib' / 'libclock-at-end.so'} {virtual_times.libraries(folder, program)}"


def end(program: str, settings: dict[str, str]) -> str:
    """What a run printed, and its clock at the end. lbhm plans, and learns from samples."""
    settings = {"LBHM_POLICY": "lbhm", "LD_PRELOAD": preloaded(BUILD, program)} | settings
    done, _ = virtual_times.run(BUILD, program, **settings)
    clock = re.search(r"ended at [0-9.]+", done.stderr)
    assert clock, done.stderr
    return clock[0] + "\n" + virtual_times.CLOCKS.sub("", done.stdout)


@pytest.mark.parametrize("program", virtual_times.PROGRAMS)
def test_surroundings_change_no_virtual_time(program, far_away):
    need(program)
    cases = surroundings(program, far_away)
    assert sorted(cases) == sorted(itertools.chain(*TOGETHER))
    with ThreadPoolExecutor(2) as pool:
        runs = [dict(item for name in names for item in cases[name].items()) for names in ([], *TOGETHER)]
        plain, *ends = pool.map(lambda settings: end(program, settings), runs)
    suspects = [name for names, found in zip(TOGETHER, ends, strict=True) if found != plain for name in names]
    alone = {name: end(program, cases[name]) for name in suspects}
    assert not suspects, f"plain: {plain}\neach alone: {alone}"


def with_another_build_id(program: Path, folder: Path) -> Path:
    """A copy of it as a linker would make it somewhere else: sites have other ids."""
    content = bytearray(program.read_bytes())
    note = b"\x04\0\0\0\x14\0\0\0\x03\0\0\0GNU\0"  # sizes of name and id, NT_GNU_BUILD_ID, name
    at = content.index(note) + len(note)
    content[at : at + 20] = bytes(255 - byte for byte in content[at : at + 20])
    copy = folder / program.name
    copy.write_bytes(content)
    copy.chmod(0o755)
    return copy


@pytest.mark.parametrize("policy", ["sicm", "lbhm"])  # both go by sites
@pytest.mark.parametrize("program", virtual_times.HEAP)
def test_another_build_id_changes_no_virtual_time(program, policy, tmp_path):
    need(program)
    built = virtual_times.binary(BUILD, virtual_times.PROGRAMS[program][1])
    ways = [None, with_another_build_id(built, tmp_path)]
    with ThreadPoolExecutor(2) as pool:
        plain, other = pool.map(lambda way: virtual_times.outcome(BUILD, program, way, LBHM_POLICY=policy), ways)
    assert other == plain


@pytest.mark.parametrize("program", ["spgemm", "taskloop"])
def test_the_processor_changes_no_virtual_time(program):
    """How libomp finds out about it hangs on who made it. Variables of equal length: libomp keeps them on the heap."""
    ways = ("flat", "cpuid_leaf4", "cpuid_leaf11")
    longest = max(map(len, ways))
    cases = [{"KMP_TOPOLOGY_METHOD": way, "KMP_PADDING": "x" * (1 + longest - len(way))} for way in ways]
    ends = [virtual_times.run(BUILD, program, LBHM_POLICY="lbhm", **case)[1]["makespan_ns"] for case in cases]
    assert len(set(ends)) == 1, dict(zip(ways, ends, strict=True))
