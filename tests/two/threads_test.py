"""On two nodes LB-HM has threads of its own. Does a program run as without us when one of them cannot be made?"""

import pytest
from host import binary

MOST = 4  # threads of ours; nobody makes as many
SAMPLERS = ["auto", "hints"]


@pytest.mark.parametrize("which", [f"#{n}-{n}" for n in range(1, MOST)] + ["#2", ""])
@pytest.mark.parametrize("sampler", SAMPLERS)
def test_a_thread_that_cannot_be_made_is_done_without(two_nodes, sampler, which):
    """With OMP_THREAD_LIMIT=1 libomp makes none, and all are ours."""
    settings = {"OMP_THREAD_LIMIT": "1", "LBHM_SAMPLER": sampler}
    planned = [str(binary("kernel-planned")), "3", "8,4"]
    alone = two_nodes.run(planned, policy="lbhm", env=settings)
    preload = two_nodes.environment("lbhm")["LD_PRELOAD"]
    launched = {**settings, "LBHM_PRELOAD": preload, "LD_PRELOAD": "", "LBHM_REFUSED": str(two_nodes.tree / "refused")}
    faulty = two_nodes.run(["refuse", f"clone3{which}=EAGAIN", "--", *planned], policy="lbhm", env=launched)
    assert faulty.status == alone.status == 0, faulty.stderr
    assert faulty.stdout.splitlines()[-1] == alone.stdout.splitlines()[-1], "the checksum"
    if int((two_nodes.tree / "refused").read_text()) > 0:
        assert any("thread" in line for line in faulty.said), faulty.said
