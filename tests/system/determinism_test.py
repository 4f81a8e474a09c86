"""Is virtual time the same in every run, to the bit, with address randomisation on?"""

import os
from pathlib import Path

import pytest
from harness.determinism import without_real_clocks

BUILD = Path(os.environ.get("LBHM_BUILD", Path(__file__).resolve().parents[2] / "build" / "release"))


def test_address_randomisation_is_on():
    assert Path("/proc/sys/kernel/randomize_va_space").read_text().strip() == "2"


LOOPS = ["static", "dynamic", "guided", "barriers", "nested", "sections", "cancel"]
WAITS = ["critical", "locks", "test-locks", "spun-locks", "ordered", "doacross", "atomics"]
THREADS = ["mutexes", "tried-mutexes", "spin-locks", "shared-mutexes", "conditions", "timed-conditions"]
TASKS = ["tasks", "task-tree", "depend", "taskloop", "task-forms", "task-reduction", "detach"]


def test_tasks_of_threads_without_order_are_right(runner):
    plain = runner.run("shapes", "foreign-tasks", library=None)
    for _ in range(3):
        outcome = runner.run("shapes", "foreign-tasks", machine="optane", policy="first-touch", fast_capacity="3M")
        assert outcome.stdout == plain.stdout


def test_same_rounding_every_time(runner):
    """Small teams of libomp would combine the parts of a sum as they come."""
    settings = {"machine": "optane", "policy": "first-touch", "fast_capacity": "3M"}
    outcomes = {runner.run("shapes", "reductions", threads=4, **settings).stdout for _ in range(6)}
    assert len(outcomes) == 1


@pytest.mark.parametrize("threads", [2, 12])
@pytest.mark.parametrize("shape", LOOPS + WAITS + THREADS + TASKS)
def test_same_report_and_right_answer_every_time(runner, shape, threads):
    plain = runner.run("shapes", shape, library=None, threads=threads)
    settings = {"machine": "optane", "policy": "first-touch", "fast_capacity": "3M"}
    reports = set()
    for waiting in ("passive", None) * (1 if threads == 2 else 2):
        outcome = runner.run("shapes", shape, threads=threads, waiting=waiting, **settings)
        assert outcome.status == 0, outcome.stderr
        assert outcome.stdout == plain.stdout
        assert not outcome.report["remarks"]
        reports.add(without_real_clocks(outcome.report))
    assert len(reports) == 1


def test_static_variables_of_functions_are_made_in_order(runner):
    """Without order about one run in five differs."""
    plain = runner.run("first_callers", library=None)
    settings = {"machine": "optane", "policy": "slow-only"}
    outcomes = [runner.run("first_callers", **settings) for _ in range(12)]
    assert {outcome.stdout for outcome in outcomes} == {plain.stdout}
    assert len({without_real_clocks(outcome.report) for outcome in outcomes}) == 1


def test_locks_of_critical_constructs_take_no_room_on_a_heap(runner):
    """They would, of the lane that comes first: about every other run differed."""
    settings = {"machine": "optane", "policy": "slow-only"}
    outcomes = [runner.run("first_comers", **settings) for _ in range(12)]
    assert len({without_real_clocks(outcome.report) for outcome in outcomes}) == 1


def test_same_plans_and_moves_every_time(runner):
    settings = {"machine": "optane", "policy": "merchandiser", "fast_capacity": "8M"}
    reports = {without_real_clocks(runner.run("twin_tasks", **settings).report) for _ in range(4)}
    assert len(reports) == 1


@pytest.mark.parametrize("policy", ["slow-only", "merchandiser"])
def test_pauses_leave_the_same_caches_every_time(runner, policy):
    """bfs makes graphs and checks trees in pauses, between searches that are measured."""
    settings = {"machine": "optane", "policy": policy, "fast_capacity": "2M"}
    arguments = ["--crawl", "11", "--uniform", "10", "--sources", "3"]
    reports = {without_real_clocks(runner.run("bfs-emu", *arguments, **settings).report) for _ in range(4)}
    assert len(reports) == 1


UNCHANGED = {
    "xs-emu": ["--nuclides", "12", "--points", "600", "--histories", "3000"],
    "hydro-emu": ["--size", "96", "--steps", "6"],
    "fe-emu": ["--size", "12"],
    "bt-emu": ["--size", "20", "--steps", "4"],
    "bwaves-emu": ["--size", "12", "--steps", "1"],
    "amg-emu": ["--size", "14", "--steps", "1"],
}


@pytest.mark.parametrize("policy", ["first-touch", "memtis", "lbhm"])
@pytest.mark.parametrize("name", UNCHANGED)
def test_programs_that_nobody_changed_repeat(runner, name, policy):
    """Their blocks of malloc are objects. Two runs: unchanged_test.py has stored times of most of them."""
    if name in ("bt-emu", "bwaves-emu") and not (BUILD / "bin" / name).exists():
        pytest.skip(f"{name} is not built: flang-19 is not installed")
    settings = {"machine": "optane", "policy": policy, "fast_capacity": "512K", "pace": "0.001"}
    outcomes = [runner.run(name, *UNCHANGED[name], heap=True, **settings) for _ in range(2)]
    assert {outcome.status for outcome in outcomes} == {0}, outcomes[0].stderr
    assert len({without_real_clocks(outcome.report) for outcome in outcomes}) == 1
    assert len({outcome.stdout for outcome in outcomes}) == 1
    if policy != "first-touch":
        assert outcomes[0].report["migrated_bytes"] > 0


def test_the_environment_does_not_move_the_heap(runner, monkeypatch):
    """libomp copies all of it when it starts."""
    settings = {"machine": "optane", "policy": "first-touch", "fast_capacity": "1M"}
    reports = set()
    for length in (0, 100, 1000, 4090):
        monkeypatch.setenv("PADDING", "x" * length)
        reports.add(without_real_clocks(runner.run("bfs-emu", "--kron", "11", threads=4, **settings).report))
    assert len(reports) == 1


REGISTRATIONS = {"killed": "0x7fbc1a9fab98-cafeead1-libomp.so.5" + "\0" * 989, "killed before it was written": ""}


def leave(registration: str):
    """As libomp does when it is killed; the next process with this number finds it. An empty one is fatal to libomp."""
    path = Path(f"/dev/shm/__KMP_REGISTERED_LIB_{os.getpid()}_{os.getuid()}")
    path.write_text(registration)
    os.utime(path, (0, 0))


@pytest.mark.parametrize("registration", REGISTRATIONS.values(), ids=REGISTRATIONS)
def test_a_process_number_that_was_used_before_changes_nothing(runner, registration):
    settings = {"machine": "optane", "policy": "first-touch", "fast_capacity": "1M"}
    ways = (None, lambda: leave(registration))
    outcomes = [runner.run("spgemm-emu", "--kron", "7", before=before, **settings) for before in ways]
    assert {outcome.status for outcome in outcomes} == {0}
    assert len({without_real_clocks(outcome.report) for outcome in outcomes}) == 1
