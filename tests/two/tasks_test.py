"""In real time libomp executes explicit tasks where a thread waits. Are they known, and is their time their own?"""


def test_explicit_tasks_are_known_by_their_constructs(run_on_two_nodes):
    outcome = run_on_two_nodes(["two-tasks"], policy="lbhm")
    assert outcome.status == 0, outcome.stderr
    (region,) = outcome.report["regions"]
    named = [task for task in region["tasks"] if task["name"]]
    assert all(task["name"].startswith("two-tasks+0x") for task in named)
    times = sorted(task["time_ns"] / 1e6 for task in named)  # of several threads: their mean
    assert len(times) == 3
    waits_for_another, loop, long = times
    assert 40 <= waits_for_another < 200, "what it waited for is not its own"
    assert loop >= 80 / 2
    assert long >= 200
