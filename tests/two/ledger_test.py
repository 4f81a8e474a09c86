"""Does a program go on whatever somebody does to the file that processes share in /dev/shm?"""

import os
import resource
import struct
from pathlib import Path

import pytest

PAGES_OF_MIB = 256
LIMIT = {"LBHM_FAST_CAPACITY": "8M"}


def truncate_to_nothing(file: Path) -> None:
    os.truncate(file, 0)


def truncate_to_half(file: Path) -> None:
    os.truncate(file, file.stat().st_size // 2)


def fill_with_nonsense(file: Path) -> None:
    file.write_bytes(b"\xa5" * 100_000)


def remove(file: Path) -> None:
    file.unlink()


def put_a_directory(file: Path) -> None:
    file.unlink()
    file.mkdir()


def put_a_fifo(file: Path) -> None:
    file.unlink()
    os.mkfifo(file)


def put_a_link(file: Path) -> None:
    file.unlink()
    file.symlink_to("/dev/zero")


ATTACKS = [
    truncate_to_nothing,
    truncate_to_half,
    fill_with_nonsense,
    remove,
    put_a_directory,
    put_a_fifo,
    put_a_link,
]


class Steps:
    """The program two-steps, asked for one object after the other."""

    def __init__(self, two_nodes, **more):
        self.process = two_nodes.start(["two-steps"], policy="first-touch", env=LIMIT, **more)

    def allocate(self, mib: int) -> tuple[int, int]:
        """How many of its pages are fast, and how many slow."""
        self.process.stdin.write(f"{mib}\n")
        self.process.stdin.flush()
        words = self.process.stdout.readline().split()
        assert words, f"the program ended with {self.process.wait(10)}: {self.process.stderr.read()}"
        return int(words[2]), int(words[3])

    def end(self) -> int:
        self.process.communicate(timeout=30)
        return self.process.returncode


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.__name__)
def test_a_program_goes_on_with_what_it_has(two_nodes, attack):
    program = Steps(two_nodes)
    assert program.allocate(3) == (3 * PAGES_OF_MIB, 0)
    attack(two_nodes.ledger)
    assert program.allocate(3) == (3 * PAGES_OF_MIB, 0)
    assert program.allocate(3) == (2 * PAGES_OF_MIB, 1 * PAGES_OF_MIB), "8 MiB are the limit, as before"
    assert program.end() == 0


@pytest.mark.parametrize("attack", [truncate_to_nothing, remove], ids=lambda attack: attack.__name__)
def test_programs_that_come_later_know_of_it(two_nodes, attack):
    first = Steps(two_nodes)
    assert first.allocate(3) == (3 * PAGES_OF_MIB, 0)
    attack(two_nodes.ledger)
    assert first.allocate(3) == (3 * PAGES_OF_MIB, 0)
    second = Steps(two_nodes)
    assert second.allocate(3) == (2 * PAGES_OF_MIB, 1 * PAGES_OF_MIB)
    assert (first.end(), second.end()) == (0, 0)


@pytest.mark.parametrize("attack", [fill_with_nonsense, put_a_directory, put_a_fifo, put_a_link])
def test_what_is_no_ledger_is_left_alone_and_said(two_nodes, attack):
    Steps(two_nodes).end()
    attack(two_nodes.ledger)
    outcome = two_nodes.run(["kernel-planned", "2", "6"], policy="first-touch", env=LIMIT)
    assert outcome.status == 0
    assert outcome.pages("after-1") == (6 * PAGES_OF_MIB, 0, 0)
    assert any(str(two_nodes.ledger.name) in line for line in outcome.said), outcome.said


def test_a_limit_of_file_sizes_ends_no_program(two_nodes):
    """A write beyond it is a signal, SIGXFSZ."""
    started = int(Path("/proc/self/stat").read_text().rsplit(")", 1)[1].split()[19])
    others = struct.pack("<qQ8Q", os.getpid(), started, *[0] * 8) * 60
    two_nodes.ledger.write_bytes(struct.pack("<QQ", 0x6C62686D6C656402, 60) + others)
    program = Steps(two_nodes, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096)))
    assert program.allocate(3) == (3 * PAGES_OF_MIB, 0)
    assert program.end() == 0


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        ("pwrite64=ENOSPC", "could not be read or written (No space left on device); make /dev/shm writable and not full"),
        ("openat:*/dev/shm/lbhm*=EACCES", "could not be opened (Permission denied)"),
        ("openat:*/dev/shm/lbhm*=EMFILE", "could not be opened (Too many open files)"),
    ],
)
def test_a_file_that_cannot_be_used_is_said_with_the_remedy(two_nodes, rule, words):
    outcome, refused = two_nodes.run_refused(rule, ["kernel-planned", "2", "6"], policy="first-touch", env=LIMIT)
    assert outcome.status == 0 and refused > 0
    assert outcome.pages("after-1") == (6 * PAGES_OF_MIB, 0, 0), "the process counts for itself"
    assert any(words in line and "LBHM_FAST_CAPACITY" in line for line in outcome.said), outcome.said
