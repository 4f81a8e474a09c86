"""Do programs that ask memkind for memory get it under LB-HM, as objects that begin where they wished, also on machines
without such memory, and does every block go back where it came from?"""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
BUILD = Path(os.environ.get("LBHM_BUILD", ROOT / "build" / "release"))
PLUGIN = f"-fpass-plugin={BUILD / 'lib' / 'liblbhm-plugin.so'}"
PRELOAD = f"{BUILD / 'lib' / 'liblbhm.so'}:{BUILD / 'lib' / 'liblbhm-heap.so'}"
OPENMP = ["-O2", "-fopenmp", PLUGIN, "-Wl,-rpath,/usr/lib/llvm-19/lib"]
PROGRAMS = {
    "high_bandwidth": ["clang-19", "-O1", "high_bandwidth.c", "-lmemkind"],
    "finds_memkind": ["clang++-19", "-std=c++23", "-O1", "finds_memkind.cpp", "-ldl"],
    "memkind_answers": ["clang-19", "-O1", "memkind_answers.c", "-lmemkind"],
    "wished_memory": ["clang++-19", "-std=c++20", *OPENMP, "wished_memory.cpp", "-lmemkind"],
}
MACHINES = ["host", "optane", "xeon-max"]


@pytest.fixture(scope="module")
def programs(tmp_path_factory):
    if not Path("/usr/include/memkind.h").exists():
        pytest.skip("libmemkind-dev is not installed")
    folder = tmp_path_factory.mktemp("memkind")
    for name, words in PROGRAMS.items():
        subprocess.run([*words, "-o", folder / name], cwd=HERE / "programs", check=True)
    return folder


def run(words: list, **settings: str) -> tuple[int, str, str]:
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("LBHM_", "OMP_", "LD_PRELOAD", "MEMKIND_"))}
    done = subprocess.run(words, env=kept | settings, capture_output=True, text=True, timeout=240, check=False)
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("case", ["default", "kinds", "hbw", "own-kinds"])
def test_a_linked_program_gets_what_it_asks_for(programs, case, machine):
    done = run([programs / "high_bandwidth", case], LD_PRELOAD=PRELOAD, LBHM_MACHINE=machine)
    assert done == (0, f"{case}: right\n", "")


@pytest.mark.parametrize("machine", ["optane", "xeon-max"])
def test_it_answers_as_libmemkind(programs, machine):
    """Alone, libmemkind takes node 0 for memory of high bandwidth; beside LB-HM it knows of none, or of node 0."""
    alone = run([programs / "memkind_answers"], MEMKIND_HBW_NODES="0")
    assert alone[0] == 0
    emulated = {"LD_PRELOAD": PRELOAD, "LBHM_MACHINE": machine}
    assert run([programs / "memkind_answers"], **emulated) == alone
    assert run([programs / "memkind_answers"], MEMKIND_HBW_NODES="0", **emulated) == alone


@pytest.mark.parametrize("case", ["default", "own-kinds"])
def test_the_cases_are_right_without_lbhm(programs, case):
    """The others need high-bandwidth memory."""
    assert run([programs / "high_bandwidth", case]) == (0, f"{case}: right\n", "")


def test_large_blocks_are_objects_on_two_tiers_alone(programs):
    for machine, status in (("optane", 0), ("xeon-max", 0), ("host", 1)):
        assert run([programs / "high_bandwidth", "objects"], LD_PRELOAD=PRELOAD, LBHM_MACHINE=machine)[0] == status


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("way", ["loaded", "found"])
def test_a_program_that_looks_for_it_at_run_time_is_right(programs, way, machine):
    done = run([programs / "finds_memkind", way], LD_PRELOAD=PRELOAD, LBHM_MACHINE=machine)
    assert done == (0, f"{way}: right\n", "")
    assert run([programs / "finds_memkind", way])[0] == 0


@pytest.mark.parametrize("machine", ["optane", "xeon-max"])
def test_memory_of_high_bandwidth_is_the_fastest(programs, tmp_path, machine):
    """The policy would have everything in slow memory."""
    assert fast_share(programs, tmp_path, "hbw", "slow-only", machine) > 0.95
    assert fast_share(programs, tmp_path, "plain", "slow-only", machine) < 0.05


def test_memory_of_high_capacity_is_the_slowest(programs, tmp_path):
    """The array has room in fast memory."""
    assert fast_share(programs, tmp_path, "capacity", "first-touch", "optane") < 0.05
    assert fast_share(programs, tmp_path, "plain", "first-touch", "optane") > 0.95


def fast_share(programs: Path, folder: Path, wish: str, policy: str, machine: str) -> float:
    """The share of accesses that fast memory served."""
    report = folder / "report.json"
    settings = {"LBHM_MACHINE": machine, "LBHM_POLICY": policy, "LBHM_FAST_CAPACITY": "16M"}
    settings |= {"LBHM_REPORT": str(report), "OMP_NUM_THREADS": "2", "OMP_WAIT_POLICY": "passive"}
    status, out, err = run([programs / "wished_memory", wish], LD_PRELOAD=PRELOAD, **settings)
    assert (status, out, err) == (0, "sum 9437166.0\n", ""), (status, out, err)
    return json.loads(report.read_text())["fast_access_share"]
