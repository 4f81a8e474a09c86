"""Does LB-HM make no system call any more when the program has forbidden itself nearly all?"""

import json

import pytest

MACHINES = {"two": {}, "emulated": {"LBHM_MACHINE": "optane"}}
WAYS = [("start", "seccomp"), ("start", "prctl"), ("start", "strict")]
WAYS += [("regions", "seccomp"), ("regions", "prctl"), ("regions", "leaving"), ("regions", "strict")]


@pytest.mark.parametrize("heap", [False, True])
@pytest.mark.parametrize(("when", "how"), WAYS)
@pytest.mark.parametrize("machine", MACHINES)
def test_a_filter_that_kills_meets_nothing_of_ours(two_nodes, machine, when, how, heap):
    # One thread where the filter is of this thread alone: others end the process beside it.
    settings = {"OMP_NUM_THREADS": "1" if how in ("prctl", "strict") else "2"}
    program = ["two-sandboxed", when, how]
    alone = two_nodes.run(program, policy=None, env=settings)
    assert (alone.status, alone.stdout) == (0, "before\nbehind\n"), alone
    preload = two_nodes.environment("lbhm", MACHINES[machine])["LD_PRELOAD"]
    if heap:
        preload += f":{two_nodes.library.with_name('liblbhm-heap.so')}"
    ours = two_nodes.run(program, env={"LD_PRELOAD": preload} | settings | MACHINES[machine])
    assert (ours.status, ours.stdout, ours.stderr) == (0, alone.stdout, ""), ours.stderr
    assert (ours.report is None) == (when == "start")
    if ours.report:
        assert len(ours.report["regions"]) > 0
        assert "forbids itself system calls" in json.dumps(ours.report["remarks"])
