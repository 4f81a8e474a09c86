"""On a host with two memory nodes: are blocks of malloc what was asked for when large ones are objects there?"""

import subprocess
from pathlib import Path

import pytest

PROGRAMS = Path(__file__).resolve().parents[1] / "libc-ext" / "programs"

CASES = ["contents", "zeroed", "alignments", "limits", "threads", "forks", "signals", "cpp", "system-calls", "at-exit"]
CASES += ["mappings", "small"]


@pytest.fixture
def run(two_nodes, built_blocks):
    """run("contents", LBHM_HINT_FAULTS="on"): with the front of malloc."""
    preload = f"{two_nodes.environment('lbhm')['LD_PRELOAD']}:{two_nodes.library.with_name('liblbhm-heap.so')}"
    return lambda *words, **settings: two_nodes.run(
        [built_blocks / "blocks", *words], env={"LD_PRELOAD": preload} | settings
    )


def test_large_blocks_are_objects(run):
    outcome = run("objects", "new-objects", *CASES)
    assert (outcome.status, outcome.stderr) == (0, ""), outcome.stdout


def test_nothing_of_ours_appears_where_the_program_unmapped_something(run):
    outcome = run("objects", *["mappings"] * 40)
    assert (outcome.status, outcome.stderr) == (0, ""), outcome.stdout


def test_small_blocks_are_of_arenas(run):
    assert run("apart").status == 0
    outcome = run(*CASES, LBHM_ARENA_MINIMUM="64K")
    assert (outcome.status, outcome.stderr) == (0, ""), outcome.stdout
    assert run("apart", LBHM_ARENA_MINIMUM="0").status == 1


def test_arenas_begin_by_what_all_threads_ask_for(run):
    outcome = run("together")
    assert (outcome.status, outcome.stderr) == (0, ""), outcome.stdout


@pytest.fixture
def run_source(two_nodes, tmp_path):
    """run_source("little_stack", "threads"): a program of tests/libc-ext, built, with the front of malloc."""
    preload = f"{two_nodes.environment('lbhm')['LD_PRELOAD']}:{two_nodes.library.with_name('liblbhm-heap.so')}"

    def run(name: str, *words: str):
        program = tmp_path / name
        flags = ["-O1", "-fno-builtin", "-fopenmp", "-Wl,-rpath,/usr/lib/llvm-19/lib", "-ldl", "-pthread"]
        for more in (["-fPIC", "-shared", "-DPLUGIN", "-o", tmp_path / "plugin.so"], ["-o", program]):
            subprocess.run(["clang-19", PROGRAMS / f"{name}.c", *flags, *more], check=True)
        outcome = two_nodes.run([program, *words], env={"LD_PRELOAD": preload})
        return outcome.status, outcome.stdout, outcome.stderr

    return run


@pytest.mark.parametrize("way", ["libc-names", "looked-up", "behind", "past-us", "lazy"])
def test_a_block_may_reach_glibc(run_source, tmp_path, way):
    assert run_source("foreign_calls", way, str(tmp_path / "plugin.so")) == (0, f"{way}: objects, right\n", "")


def test_growth_touches_nothing(run_source):
    assert run_source("sparse_growth", "12288") == (0, "100, small\n", "")


def test_threads_and_coroutines_with_little_stack_may_allocate(run_source):
    assert run_source("little_stack", "threads") == (0, "right\n", "")


def test_they_are_not_watched_where_system_calls_would_fail(run):
    outcome = run(*CASES, LBHM_HINT_FAULTS="on")
    assert outcome.status == 0, outcome.stdout
    assert "blocks of malloc stay with the system" in outcome.stderr
    assert run("objects", LBHM_HINT_FAULTS="on").status == 1


@pytest.mark.parametrize(("policy", "column"), [("slow-only", 1), ("fast-only", 0)])
def test_variables_and_mappings_appear_where_the_policy_says(two_nodes, policy, column):
    preload = f"{two_nodes.environment('lbhm')['LD_PRELOAD']}:{two_nodes.library.with_name('liblbhm-heap.so')}"
    outcome = two_nodes.run(["two-variables"], policy=policy, env={"LD_PRELOAD": preload})
    assert outcome.status == 0, outcome.stderr
    assert outcome.stdout.splitlines()[-1] == "right"
    assert outcome.pages("variable")[column] == 512
    assert outcome.pages("rest")[column] == 64
