"""Is a program what it was when the limits of its process (setrlimit) are small?

The limits are such that the program alone still runs; what LB-HM needs beyond that, it has to do without.
"""

import os
import resource

import pytest

TWIN = ["twin_tasks_plain"]
MIB = 1 << 20


def limited(which: int, value: int):
    return lambda: resource.setrlimit(which, (value, value))


def runs_alone(faults, alone, which: int, value: int) -> bool:
    outcome = faults.run(TWIN, library=False, before=limited(which, value))
    return (outcome.status, outcome.stdout) == (alone.status, alone.stdout)


def smallest(faults, alone, which: int, values: list[int]) -> int:
    """The first of `values` with which the program alone runs."""
    for value in values:
        if runs_alone(faults, alone, which, value):
            return value
    pytest.fail(f"the program does not run with any of {values}")


@pytest.mark.parametrize(
    ("which", "values"),
    [
        (resource.RLIMIT_NOFILE, [4, 5, 6, 8, 16, 64]),
        (resource.RLIMIT_MEMLOCK, [0]),
        (resource.RLIMIT_STACK, [256 * 1024, MIB, 8 * MIB]),
        (resource.RLIMIT_FSIZE, [0, 1024, 4096]),
        (resource.RLIMIT_SIGPENDING, [0]),
    ],
    ids=["NOFILE", "MEMLOCK", "STACK", "FSIZE", "SIGPENDING"],
)
def test_the_program_is_what_it_was(faults, which, values):
    alone = faults.run(TWIN, library=False)
    value = smallest(faults, alone, which, values)
    faulty = faults.run(TWIN, before=limited(which, value))
    assert (faulty.status, faulty.stdout) == (alone.status, alone.stdout), faulty.stderr
    assert len(faulty.lines) <= 1, faulty.lines


# What liblbhm.so itself takes of the address space, its libraries included; RLIMIT_AS counts reservations, too.
OUR_ADDRESS_SPACE = 64 * MIB


def test_little_address_space(faults):
    alone = faults.run(TWIN, library=False)
    value = smallest(faults, alone, resource.RLIMIT_AS, [n * MIB for n in range(24, 400, 8)])
    faulty = faults.run(TWIN, before=limited(resource.RLIMIT_AS, value + OUR_ADDRESS_SPACE))
    assert (faulty.status, faulty.stdout) == (alone.status, alone.stdout), faulty.stderr
    assert len(faulty.lines) <= 1, faulty.lines


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become a user who has no other process")
def test_no_more_threads_for_this_user(faults):
    """Root is not held to RLIMIT_NPROC; the program alone does with one thread, as we have to."""
    faults.open_to_others()
    nobody_else = str(60_000 + os.getpid() % 5_000)
    one = {"OMP_THREAD_LIMIT": "1"}
    launcher = ("setpriv", "--reuid", nobody_else, "--clear-groups")
    alone = faults.run(
        TWIN, library=False, before=limited(resource.RLIMIT_NPROC, 1), launcher=launcher, environment=one
    )
    assert alone.status == 0, alone.stderr
    managing = {"LBHM_MACHINE": "optane", "LBHM_POLICY": "lbhm"}  # its policy has a thread, on one memory, too
    faulty = faults.run(TWIN, before=limited(resource.RLIMIT_NPROC, 1), launcher=launcher, environment=one | managing)
    assert (faulty.status, faulty.stdout) == (0, alone.stdout), faulty.stderr
    assert len(faulty.lines) == 1 and "raise the limit of threads (ulimit -u)" in faulty.lines[0], faulty.lines
