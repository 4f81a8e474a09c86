"""Does a program run as without us when a thread of ours cannot be made, whichever it is?

libomp ends the program when it cannot have a thread: with OMP_THREAD_LIMIT=1 all threads are ours.
"""

import pytest

TWIN = ["twin_tasks_plain"]
ONE = {"OMP_THREAD_LIMIT": "1"}
MACHINES = {"host": {}, "optane": {"LBHM_MACHINE": "optane", "LBHM_POLICY": "lbhm"}}
MOST = 8  # threads of ours; nobody makes as many


@pytest.mark.parametrize("which", [f"#{n}-{n}" for n in range(1, MOST)] + [f"#{n}" for n in range(1, MOST)] + [""])
@pytest.mark.parametrize("machine", MACHINES)
def test_a_thread_that_cannot_be_made_is_done_without(faults, can_refuse, machine, which):
    alone = faults.run(TWIN, library=False, environment=ONE)
    faulty = faults.run(TWIN, (f"clone3{which}=EAGAIN",), environment=ONE | MACHINES[machine])
    assert (faulty.status, faulty.stdout) == (alone.status, alone.stdout), faulty.stderr
    assert len(faulty.lines) <= 1, faulty.lines
    if faulty.refused[0] > 0:
        assert any("no thread" in line for line in faulty.said), faulty.said
