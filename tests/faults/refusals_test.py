"""Is a program what it was when the operating system refuses one call after the other?

Each is run three times: alone, alone with the refusal (what the refusal does to the program or to libomp is not our
doing), and under liblbhm.so with the refusal. What it prints and its exit status must not differ.
"""

import os
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))

from words import expected_words

TWIN = ["twin_tasks_plain"]
SPGEMM = ["spgemm", "--kron", "8", "--inputs", "3", "--threads", "2"]

# What fails, how
MEMORY_CALLS = [
    ("move_pages", "EPERM ENOSYS ENOMEM EBUSY"),
    ("mbind", "EPERM ENOSYS ENOMEM EINVAL"),
    ("set_mempolicy", "EPERM ENOSYS"),
    ("get_mempolicy", "EPERM ENOSYS"),
    ("perf_event_open", "EACCES ENOSYS EMFILE"),
    ("userfaultfd", "EPERM"),
    ("madvise", "EINVAL"),
]
# Files that are not there, or cannot be opened
FILES = [
    "path:/sys/*=ENOENT",
    "path:/sys/*=EACCES",
    "path:/proc/*=ENOENT",
    "path:/proc/self/*=EACCES",
    "path:/dev/shm*=EACCES",
    "openat:/sys/*=EMFILE",
    "openat:/proc/*=EMFILE",
]
# A machine that manages objects on a computer of one memory, too
EMULATED = {"LBHM_MACHINE": "optane", "LBHM_POLICY": "lbhm"}
# What is mapped then and not by TWIN alone, in bytes: its managed objects, a thread's stack, the emulator's tables
OUR_SIZES = [8 << 20, (8 << 20) + 4096, 131072, 294912, 1 << 28, 1 << 40]
# Our modules, and the libraries that they are linked with
LIBRARIES = [
    "liblbhm-hwloc",
    "liblbhm-papi",
    "liblbhm-mimalloc",
    "liblbhm-memkind",
    "libhwloc",
    "libpapi",
    "libmimalloc",
    "libmemkind",
    "libnuma",
]

RULES = [f"{call}={error}" for call, errors in MEMORY_CALLS for error in errors.split()] + FILES
RULES += [f"openat:*/{library}*=ENOENT" for library in LIBRARIES]


def same(faulty, alone):
    assert (faulty.status, faulty.stdout) == (alone.status, alone.stdout), faulty.stderr
    assert len(faulty.lines) <= 1, faulty.lines  # one line says what is off; the report may say more
    assert len(set(faulty.said)) == len(faulty.said)


@pytest.mark.parametrize("rule", RULES)
def test_the_program_is_what_it_was(faults, can_refuse, rule):
    alone = faults.run(TWIN, library=False)
    assert faults.run(TWIN, (rule,), library=False).stdout == alone.stdout
    faulty = faults.run(TWIN, (rule,))
    same(faulty, alone)
    assert faulty.report["regions"]  # it is watched all the same


@pytest.mark.parametrize("rule", ["move_pages=EPERM", "mbind=ENOMEM", "path:/sys/*=ENOENT", "path:/proc/*=ENOENT"])
def test_an_application_verifies_its_result(faults, can_refuse, rule):
    alone = faults.run(SPGEMM, library=False)
    assert alone.status == 0
    same(faults.run(SPGEMM, (rule,), policy="merchandiser"), alone)


def sentence_with(said, words):
    return next((sentence for sentence in said if all(word in sentence for word in words)), None)


@pytest.mark.parametrize("row", expected_words("host"), ids=str)
def test_what_is_off_is_named_with_the_remedy(faults, can_refuse, row):
    """The same on two tiers: tests/kernel/refusals."""
    alone = faults.run(TWIN, library=False, environment=row.settings)
    usual = faults.run(TWIN, environment=row.settings)
    faulty = faults.run(TWIN, row.rules, environment=row.settings)
    same(faulty, alone)
    assert sum(faulty.refused) > 0
    assert sentence_with(usual.said, row.words) is None, "it is said anyhow"
    assert sentence_with(faulty.said, row.words), faulty.said


@pytest.mark.parametrize("size", OUR_SIZES)
def test_memory_of_our_sizes_is_refused(faults, can_refuse, size):
    """As much as fails to be mapped is missing; what the program prints is not."""
    rule = f"mmap:{size}=ENOMEM"
    alone = faults.run(TWIN, (rule,), library=False)
    if alone.status != 0:
        pytest.skip("the program itself maps as much")
    same(faults.run(TWIN, (rule,), environment=EMULATED), alone)


def test_everything_at_once(faults, can_refuse):
    rules = tuple(f"{call}={errors.split()[0]}" for call, errors in MEMORY_CALLS)
    rules += ("path:/sys/*=ENOENT", "path:/proc/*=ENOENT", "openat:*/liblbhm-*=ENOENT")
    same(faults.run(TWIN, rules), faults.run(TWIN, library=False))


def test_the_launcher_refuses_what_it_is_told_to(faults, can_refuse):
    """The tests above would pass with a launcher that does nothing."""
    outcome = faults.run(["/bin/cat", "/proc/version"], ("path:/proc/*=EACCES",), library=False)
    assert outcome.status == 1 and "Permission denied" in outcome.stderr
    assert faults.run(TWIN, ("openat:/sys/*=ENOENT",), library=False).refused[0] > 0


def test_the_exit_status_of_a_program_that_is_killed(faults, can_refuse):
    assert faults.run(["/bin/sh", "-c", "kill -9 $$"], ("mbind=EPERM",), library=False).status == 128 + 9


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give rights up")
@pytest.mark.parametrize("user", [(), ("--reuid", "65534", "--clear-groups")])
def test_without_capabilities(faults, user):
    """As in a container without capabilities, and as an ordinary user."""
    faults.open_to_others()
    launcher = ("setpriv", *user, "--bounding-set", "-all", "--inh-caps", "-all", "--no-new-privs")
    same(faults.run(TWIN, launcher=launcher), faults.run(TWIN, library=False))
