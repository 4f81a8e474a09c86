"""Do the peers that sample or know objects work on a real program: same answer, same run every time, moved pages?"""

import pytest
from harness.determinism import without_real_clocks

PEERS = ["memtis", "colloid", "hybridtier", "pact", "soar", "sparta", "warpx-pm"]


def run(runner, policy, again=False, **settings):
    """Fast memory for a part of the objects only."""
    settings = {"machine": "optane", "threads": 4, "fast_capacity": "1536K", "policy": policy} | settings
    outcome = (runner.run if again else runner.once)("spgemm-emu", "--kron", "9", **settings)
    assert outcome.status == 0, outcome.stderr
    return outcome


@pytest.mark.parametrize("policy", PEERS)
def test_the_answer_stays_and_every_run_is_the_same(runner, policy):
    plain = run(runner, "slow-only").stdout
    outcomes = [run(runner, policy, again) for again in (False, True)]
    assert [outcome.stdout for outcome in outcomes] == [plain, plain]
    assert len({without_real_clocks(outcome.report) for outcome in outcomes}) == 1


@pytest.mark.parametrize("policy", PEERS)
def test_it_moves_pages_and_uses_fast_memory(runner, policy):
    report = run(runner, policy).report
    assert report["migrated_bytes"] > 0
    assert report["fast_access_share"] > 0


@pytest.mark.parametrize("policy", ["soar", "sparta"])
def test_placements_of_objects_help_the_program(runner, policy):
    assert run(runner, policy).report["makespan_ns"] < run(runner, "slow-only").report["makespan_ns"]


@pytest.mark.parametrize("policy", ["memtis", "colloid", "hybridtier", "pact"])
def test_daemons_keep_the_pace_that_they_are_given(runner, policy):
    slower = run(runner, policy, pace="100").report["migrated_bytes"]
    assert slower < run(runner, policy).report["migrated_bytes"]
