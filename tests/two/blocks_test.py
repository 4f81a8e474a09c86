"""What do blocks of a tier cost a program that allocates many?"""

import pytest
from host import BUILD

# Of processor time. Without a second node it is 100 to 300; reading the files of a node costs tens of microseconds.
MOST_NANOSECONDS = 2_000


def costs(outcome) -> dict[int, int]:
    return {int(size): int(cost) for size, cost in (line.split() for line in outcome.stdout.splitlines())}


def test_blocks_up_to_a_mebibyte_come_from_heaps(two_nodes):
    if not (BUILD / "lib" / "liblbhm-mimalloc.so").exists():
        pytest.skip("libmimalloc-dev is not installed: blocks are objects of their own")
    best: dict[int, int] = {}
    for _ in range(3):  # others use this computer, too
        for size, cost in costs(two_nodes.run(["two-blocks"])).items():
            best[size] = min(cost, best.get(size, cost))
    assert set(best) == {64, 4096, 65536, 1 << 20}
    assert max(best.values()) < MOST_NANOSECONDS, best


def test_without_the_heaps_a_block_reads_no_files(two_nodes):
    """A mapping of its own, and page faults: tens of microseconds, not milliseconds."""
    two_nodes.without_modules()
    best = min(costs(two_nodes.run(["two-blocks"]))[4096] for _ in range(3))
    assert best < 100_000


@pytest.mark.parametrize("first", ["first", "passing"])
def test_threads_that_come_and_go_leave_their_memory_to_the_next(two_nodes, first):
    """mimalloc knows its main thread by an address that a later thread may have."""
    outcome = two_nodes.run(["two-passing-threads", first])
    said = dict(line.split() for line in outcome.stdout.splitlines())
    assert (outcome.status, said.get("wrong")) == (0, "0"), outcome
    assert int(said["grown"]) <= 1024  # KiB
