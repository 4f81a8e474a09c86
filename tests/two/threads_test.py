"""On two nodes LB-HM has threads of its own. Does a program run as without us when one of them cannot be made?"""

import pytest

MOST = 4  # threads of ours; nobody makes as many
SAMPLERS = ["auto", "hints"]
PLANNED = ["kernel-planned", "3", "8,4"]


@pytest.mark.parametrize("which", [f"#{n}-{n}" for n in range(1, MOST)] + ["#2", ""])
@pytest.mark.parametrize("sampler", SAMPLERS)
def test_a_thread_that_cannot_be_made_is_done_without(two_nodes, sampler, which):
    """With OMP_THREAD_LIMIT=1 libomp makes none, and all are ours."""
    settings = {"OMP_THREAD_LIMIT": "1", "LBHM_SAMPLER": sampler}
    usual = two_nodes.run(PLANNED, policy="lbhm", env=settings)
    faulty, refused = two_nodes.run_refused(f"clone3{which}=EAGAIN", PLANNED, policy="lbhm", env=settings)
    assert faulty.status == usual.status == 0, faulty.stderr
    assert faulty.stdout.splitlines()[-1] == usual.stdout.splitlines()[-1], "the checksum"
    if refused > 0:
        assert any("thread" in line for line in faulty.said), faulty.said
