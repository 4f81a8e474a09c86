"""Does what a program and its user say of memory come before what LB-HM would do with it?"""

import ctypes
import os
import re

import pytest

PAGES = 1024
ALL_SLOW, ALL_FAST = (0, PAGES), (PAGES, 0)
WAYS = {
    "mbind": ALL_SLOW,
    "touched": ALL_SLOW,
    "half": (PAGES // 2, PAGES // 2),
    "grown": ALL_SLOW,
    "by-turns": (PAGES // 2, PAGES // 2),
    "libnuma": ALL_SLOW,
    "home": ALL_SLOW,
    "moved": ALL_SLOW,
    "thread": ALL_SLOW,
    "before": ALL_SLOW,
}
BIND, PREFERRED, INTERLEAVE = 2, 1, 3
SET_MEMPOLICY = 238  # x86-64


@pytest.fixture
def run(two_nodes):
    """run("mbind"): the lines of the program by their first word, and the remarks."""

    def run(how, *, policy="lbhm", **more):
        heap = two_nodes.library.with_name("liblbhm-heap.so")
        preload = f"{two_nodes.environment(policy)['LD_PRELOAD']}:{heap}"
        outcome = two_nodes.run(["two-said", how], policy=policy, env={"LD_PRELOAD": preload}, **more)
        assert (outcome.status, outcome.stderr) == (0, ""), outcome.stderr
        rows = [line.split() for line in outcome.stdout.splitlines()]
        return {row[0]: (int(row[1]), int(row[2]), row[3]) for row in rows}, "\n".join(outcome.said)

    return run


@pytest.mark.parametrize("how", WAYS)
def test_what_is_bound_stays_and_the_next_block_is_not(run, how):
    rows, said = run(how)
    assert rows["said"] == (*WAYS[how], "stayed")
    assert rows["next"] == (*ALL_FAST, "moved")
    bound = int(re.search(r"(\d+) bytes of managed memory are bound", said).group(1))
    assert bound >= PAGES * 4096 // (2 if how == "half" else 1)


@pytest.mark.parametrize("how", ["nothing", "back"])
def test_what_nothing_is_said_of_moves(run, how):
    rows, _ = run(how)
    assert rows == {"said": (*ALL_FAST, "moved"), "next": (*ALL_FAST, "moved")}


@pytest.mark.parametrize("policy", ["slow-only", "memtis", "lbhm"])
@pytest.mark.parametrize(
    ("mode", "nodes", "pages"),
    [(BIND, 1, ALL_FAST), (BIND, 2, ALL_SLOW), (PREFERRED, 2, ALL_SLOW), (INTERLEAVE, 3, (PAGES // 2, PAGES // 2))],
)
def test_a_process_that_its_user_has_bound_is_left_alone(two_nodes, policy, mode, nodes, pages):
    """As numactl starts it."""
    outcome = two_nodes.run(
        ["two-said", "nothing"],
        policy=policy,
        env={"LD_PRELOAD": two_nodes.environment(policy)["LD_PRELOAD"] + ":" + heap_of(two_nodes)},
        preexec_fn=lambda: set_policy(mode, encoded(nodes)),
    )
    assert outcome.status == 0, outcome.stderr
    rows = {line.split()[0]: line.split() for line in outcome.stdout.splitlines()}
    for moment in ("said", "next"):
        assert rows[moment][1:] == [str(pages[0]), str(pages[1]), "stayed"], rows
    assert re.search(r"\d+ (bytes of managed memory are bound|KiB in memory are placed)", "\n".join(outcome.said))


def heap_of(two_nodes) -> str:
    return str(two_nodes.library.with_name("liblbhm-heap.so"))


def encoded(nodes: int) -> tuple[int, int]:
    """As shim/said.c keeps nodes that this computer does not have: (flags of the mode, nodes)."""
    return (0x8000, 1 | 1 << 40 | nodes << 43)


def set_policy(mode: int, kept: tuple[int, int]) -> None:
    mask = (ctypes.c_ulong * 16)(kept[1])
    if ctypes.CDLL(None, use_errno=True).syscall(SET_MEMPOLICY, mode | kept[0], mask, 1024) != 0:
        os._exit(99)
