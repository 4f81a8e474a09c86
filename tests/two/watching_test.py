"""Does a program that goes its own way with signals and memory end as without us, watched or not?"""

import pytest

WAYS = ("blocked", "barrier", "handler", "default", "freed", "forked")
FRONTS = {
    "unasked": ("merchandiser", {}),
    "hints": ("merchandiser", {"LBHM_SAMPLER": "hints", "LBHM_ACCESSED": "idle"}),
    "hints and faults": ("merchandiser", {"LBHM_SAMPLER": "hints", "LBHM_HINT_FAULTS": "on"}),
    "faults": ("tpp", {"LBHM_ACCESSED": "faults", "LBHM_PACE": "0.02"}),
}


@pytest.mark.parametrize("front", FRONTS)
@pytest.mark.parametrize("way", WAYS)
def test_it_ends_as_without_us(run_on_two_nodes, way, front):
    policy, settings = FRONTS[front]
    alone = run_on_two_nodes(["two-own-way", way], policy=None)
    assert alone.status == 0, alone.stdout
    assert "wrong 0," in alone.stdout
    ours = run_on_two_nodes(["two-own-way", way], policy=policy, env=settings | {"LBHM_FAST_CAPACITY": "6M"})
    assert (ours.status, ours.stdout) == (alone.status, alone.stdout), ours.stderr


def accesses(outcome) -> int:
    return sum(thing["counted_accesses"] for plan in outcome.report["plans"] for thing in plan["objects"])


def test_pages_are_watched_where_nothing_is_in_the_way(run_on_two_nodes):
    """Otherwise the tests above would show nothing."""
    outcome = run_on_two_nodes(["two-own-way", "handler"], policy="merchandiser", env={"LBHM_SAMPLER": "hints"})
    assert accesses(outcome) > 0


def test_the_report_says_why_nothing_was_watched(run_on_two_nodes):
    outcome = run_on_two_nodes(["two-own-way", "blocked"], policy="merchandiser", env={"LBHM_SAMPLER": "hints"})
    assert accesses(outcome) == 0
    assert any("blocks SIGSEGV" in line and "sigdelset" in line for line in outcome.said)


@pytest.mark.parametrize("policy", ["tpp", "memory-optimizer"])
def test_a_policy_that_needs_hint_faults_says_how_to_allow_them(run_on_two_nodes, policy):
    """Without them: accessed bits of the kernel may be there, and suffice memory-optimizer."""
    outcome = run_on_two_nodes(["two-own-way", "handler"], policy=policy)
    said = [line for line in outcome.stderr.splitlines() if "LBHM_HINT_FAULTS=on" in line]
    assert said or policy == "memory-optimizer"
    assert all("system call" in line and "docs/sampling.md" in line for line in said)
