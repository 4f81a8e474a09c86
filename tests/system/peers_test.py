"""Do the peers run beside a real program: same result, same times in every run, and do they move something?"""

import pytest

ARGUMENTS = ("--kron", "10", "--inputs", "8")
CAPACITY = "1M"  # of about 8 MiB


def run(runner, policy, again=False, **more):
    settings = {"machine": "optane", "policy": policy, "fast_capacity": CAPACITY} | more
    outcome = (runner.run if again else runner.once)("spgemm-emu", *ARGUMENTS, **settings)
    assert outcome.status == 0, outcome.stderr
    return outcome


def without_times(stdout: str) -> list[str]:
    return [line for line in stdout.splitlines() if "time" not in line and " s" not in line]


@pytest.mark.parametrize("policy", ["memory-optimizer", "tpp", "alto"])
def test_a_peer_moves_pages_and_changes_no_result(runner, policy):
    plain = run(runner, "first-touch")
    first, second = (run(runner, policy, again) for again in (False, True))
    assert without_times(first.stdout) == without_times(plain.stdout)
    assert first.report["migrated_bytes"] > 0 == plain.report["migrated_bytes"]
    for key in ("makespan_ns", "migrated_bytes", "fast_access_share"):
        assert first.report[key] == second.report[key]


@pytest.mark.parametrize("policy", ["memory-optimizer", "tpp"])
def test_a_peer_brings_up_what_first_touch_left_in_slow_memory(runner, policy):
    """Each input of SpGEMM is touched in its turn: fast memory is full of the first ones when the others are used."""
    first, peer = (run(runner, p, fast_capacity="3M").report for p in ("first-touch", policy))
    assert peer["fast_access_share"] > first["fast_access_share"] + 0.05
    assert peer["makespan_ns"] < 0.95 * first["makespan_ns"]


@pytest.mark.parametrize("policy", ["memory-optimizer", "tpp", "alto"])
def test_a_quicker_pace_moves_more(runner, policy):
    slow = run(runner, policy, pace="100").report["migrated_bytes"]
    assert slow < run(runner, policy).report["migrated_bytes"]


def test_interleave_spreads_pages_over_both_memories_and_moves_none(runner):
    plain, spread = (run(runner, policy, fast_capacity="64M") for policy in ("first-touch", "interleave"))
    again = run(runner, "interleave", True, fast_capacity="64M")
    assert without_times(spread.stdout) == without_times(plain.stdout)
    assert plain.report["fast_access_share"] == 1
    assert 0.5 < spread.report["fast_access_share"] < 0.95  # 26 of 31 pages of each object
    assert spread.report["migrated_bytes"] == 0
    assert again.report["makespan_ns"] == spread.report["makespan_ns"]


@pytest.mark.parametrize("policy", ["memory-optimizer", "memtis"])
def test_a_daemon_moves_what_malloc_gave(runner, policy):
    """A program that manages nothing: its heap, its globals and its stacks are all that there is."""
    settings = {"machine": "optane", "policy": policy, "fast_capacity": "512K", "pace": "0.001", "threads": 12}
    first, second = (runner.run("shapes", "tasks", **settings).report for _ in range(2))
    assert first["migrated_bytes"] > 0
    assert first["makespan_ns"] == second["makespan_ns"]


def test_the_policy_memory_mode_is_the_setting(runner):
    policy = run(runner, "memory-mode").report
    setting = run(runner, "first-touch", memory_mode="on").report
    assert policy["memory_mode"]
    assert policy["makespan_ns"] == pytest.approx(setting["makespan_ns"], rel=0.01)  # variables move blocks by bytes


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"policy": "tpp", "memory_mode": "on"}, "policy tpp has nothing to place"),
        ({"policy": "memory-optimizer", "memory_mode": "on"}, "policy memory-optimizer has nothing to place"),
        ({"policy": "memory-mode", "machine": "host"}, "is set in its firmware"),
    ],
)
def test_what_cannot_be_is_refused(runner, settings, sentence):
    outcome = runner.run("spgemm-emu", "--kron", "6", **({"machine": "optane"} | settings))
    assert outcome.status == 0, "the program runs all the same"
    assert sentence in outcome.stderr
    assert outcome.report is None


def test_memory_mode_may_be_asked_for_twice(runner):
    outcome = run(runner, "memory-mode", memory_mode="on")
    assert outcome.report["memory_mode"]


def test_a_part_that_a_policy_does_not_have_is_named(runner):
    outcome = runner.run("spgemm-emu", "--kron", "6", machine="optane", policy="merchandiser", without="goals,hope")
    assert outcome.stderr.count("\n") == 1
    assert (
        "LBHM_WITHOUT: policy merchandiser has no part 'hope' to leave out; docs/policies.md lists them"
        in outcome.stderr
    )
