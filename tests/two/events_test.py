"""Is PAPI, which takes milliseconds to start, left alone by policies that look at no events?"""

import pytest


def said_of_events(two_nodes, policy: str) -> list[str]:
    """Without its modules LB-HM says that events are not counted as soon as it wants them."""
    two_nodes.without_modules()
    outcome = two_nodes.run(["two-own-way", "handler"], policy=policy, env={"LBHM_SAMPLER": "none"})
    assert outcome.status == 0, outcome.stderr
    return [line for line in outcome.said if "liblbhm-papi.so" in line]


@pytest.mark.parametrize("policy", ["first-touch", "memtis"])
def test_nobody_asks_for_events(two_nodes, policy):
    assert said_of_events(two_nodes, policy) == []


@pytest.mark.parametrize("policy", ["lbhm", "merchandiser", "soar"])
def test_policies_that_predict_or_profile_have_them(two_nodes, policy):
    assert len(said_of_events(two_nodes, policy)) == 1
