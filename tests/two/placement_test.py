"""Are the two nodes two tiers, and are pages where plans say?"""

import pytest
from host import PAGE

MIB = 1 << 20
TWO_OBJECTS = ["kernel-planned", "4", "8,4"]  # MiB


def test_the_two_nodes_are_two_tiers(run_on_two_nodes):
    outcome = run_on_two_nodes(["kernel-planned", "1", "1"], policy="first-touch")
    assert outcome.status == 0, outcome.stderr
    assert outcome.report["machine"] == "host"
    assert 3 << 30 < outcome.report["fast_capacity_bytes"] < 4 << 30


def test_objects_fill_fast_memory_and_go_on_in_slow_memory(run_on_two_nodes):
    outcome = run_on_two_nodes(TWO_OBJECTS, policy="first-touch", env={"LBHM_FAST_CAPACITY": "6M"})
    assert outcome.pages("after-1") == (6 * MIB // PAGE, 6 * MIB // PAGE, 0)


def test_a_plan_moves_pages_and_the_report_says_which(run_on_two_nodes):
    sampled = {"LBHM_SAMPLER": "faults"}
    outcome = run_on_two_nodes(TWO_OBJECTS, policy="merchandiser-once", env=sampled)
    assert outcome.pages("after-0") == (0, 0, 12 * MIB // PAGE), "nobody has touched them yet"
    assert outcome.pages("before-1") == (0, 12 * MIB // PAGE, 0), "the base instance is in slow memory"
    assert outcome.pages("after-3")[0] > 0, outcome.said
    assert outcome.report["migrated_bytes"] == sum(moved(outcome)) * PAGE
    alone = run_on_two_nodes(TWO_OBJECTS, policy="first-touch")
    assert checksum(outcome) == checksum(alone)


@pytest.mark.parametrize("share", [0.25, 0.75])
def test_the_share_that_is_asked_for_is_in_fast_memory_by_chance(run_on_two_nodes, share):
    scattered = {"LBHM_FAST_SHARE": str(share)}
    outcome = run_on_two_nodes(TWO_OBJECTS, policy="scatter", env=scattered)
    fast, slow, absent = outcome.pages("after-3")
    assert (fast + slow, absent) == (12 * MIB // PAGE, 0)
    assert abs(fast / (fast + slow) - share) < 0.03, outcome.said
    assert outcome.pages("after-3") == run_on_two_nodes(TWO_OBJECTS, policy="scatter", env=scattered).pages("after-3")
    assert checksum(outcome) == checksum(run_on_two_nodes(TWO_OBJECTS, policy="first-touch"))


def test_processes_have_a_table_of_pages_each(two_nodes):
    """What one process moved says nothing of the same addresses of another."""
    slow, fast = two_nodes.start(TWO_OBJECTS, policy="slow-only"), two_nodes.start(TWO_OBJECTS, policy="fast-only")
    said = [process.communicate(timeout=60)[0] for process in (slow, fast)]
    assert "nodes after-3-object0 0 2048 0" in said[0]
    assert "nodes after-3-object0 2048 0 0" in said[1]


def moved(outcome) -> list[int]:
    """Pages that changed sides in the calls of LB_HM_config."""
    rows = [line.split() for line in outcome.stdout.splitlines() if line.startswith("moved after-")]
    return [int(row[2]) + int(row[3]) for row in rows]


def checksum(outcome) -> str:
    (line,) = (line for line in outcome.stdout.splitlines() if line.startswith("checksum "))
    return line
