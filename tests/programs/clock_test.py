"""Do the program's clocks show virtual time where there is one, and real time elsewhere?"""

import os
import subprocess
import time
from pathlib import Path

import patience
import pytest

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("LBHM_BUILD", ROOT / "build" / "release"))


@pytest.fixture
def clocks(program, run):
    def start(what: str, **settings):
        outcome = run(program("clocks"), what, **settings)
        assert outcome.status == 0, outcome.stderr
        return outcome

    return start


def values(text: str) -> dict[str, int]:
    return {name: int(value) for name, value in (line.split() for line in text.splitlines())}


def test_every_clock_measures_the_same_work(clocks):
    outcome = clocks("durations")
    durations = values(outcome.stdout)
    assert len(durations) == 14
    regions = [region["time_ns"] for region in outcome.report["regions"]][1:]  # the first one is not measured
    for (name, duration), region in zip(durations.items(), regions, strict=True):
        assert duration == pytest.approx(region, rel=0.05), name


def test_two_runs_print_the_same_durations(clocks):
    assert len({clocks("durations").stdout for _ in range(3)}) == 1


def test_ticks_of_times_are_virtual(clocks):
    printed = {clocks("ticks").stdout for _ in range(3)}
    assert len(printed) == 1
    took = values(printed.pop())
    assert took["monotonic"] > 250e6
    assert all(took[name] == pytest.approx(took["monotonic"], abs=1e7) for name in ("wall", "user"))


def test_another_clock_changes_ratios(clocks):
    """And shows the same in every run: lbhm compare takes for a time whatever it changes."""
    even, bent = clocks("ratio"), [clocks("ratio", other_clock="1") for _ in range(3)]
    assert float(even.stdout) == pytest.approx(2, rel=0.05)
    assert len({outcome.stdout for outcome in bent}) == 1
    assert not 1.8 < float(bent[0].stdout) < 2.2
    assert bent[0].report["makespan_ns"] != even.report["makespan_ns"], "each lane has a speed of its own"


def test_a_loop_that_waits_for_a_time_ends(clocks):
    assert clocks("wait").stdout == "waited 0.001000 turns some\n"


def test_sleep_passes_in_virtual_time_only(clocks):
    with patience.Quiet() as took:
        slept = values(clocks("sleep").stdout)
    assert took.seconds < 3, "3 s of sleep really passed"
    assert all(
        us == pytest.approx(1e6 if "clock" in name or name == "sleep" else 250e3, rel=1e-3)
        for name, us in slept.items()
    )


def test_deadlines_are_near_after_an_hour_of_sleep(clocks):
    with patience.Quiet() as took:
        waited = values(clocks("deadlines").stdout)
    assert took.seconds < 20, "an hour really passed in part"
    assert all(us == pytest.approx(20e3, rel=0.01) for name, us in waited.items() if name != "timed_mutex")


def test_the_clock_of_the_wall_begins_at_real_time(clocks):
    before = int(time.time())
    assert before <= int(clocks("now").stdout) <= time.time() + 5


def test_the_clock_of_the_wall_begins_where_it_is_told_to(clocks):
    assert clocks("now", clock_begin="1000000000").stdout == "1000000000\n"


def test_all_runs_of_a_comparison_begin_with_the_same_date(program):
    """So a result that begins with srand(time(0)) can be compared; it used to be another in each run."""
    command = [ROOT / "lbhm", "compare", "--threads", "2", "--policies", "first-touch,lbhm", "--result", "\\d+"]
    done = subprocess.run([*command, "--", program("clocks"), "now"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("machine", [None, "host"])
def test_clocks_are_real_without_virtual_time(clocks, machine):
    begin = time.monotonic()
    slept = values(clocks("sleep", machine=machine).stdout)
    assert time.monotonic() - begin > 2.9
    assert slept["sleep"] >= 1e6


INTERPOSED = [
    "clock_gettime",
    "gettimeofday",
    "time",
    "timespec_get",
    "clock",
    "times",
    "getrusage",
    "omp_get_wtime",
    "omp_get_wtick",
    "omp_get_wtime_",
    "omp_get_wtick_",
    "nanosleep",
    "clock_nanosleep",
    "usleep",
    "sleep",
    "sched_yield",
    "pthread_cond_timedwait",
    "pthread_cond_clockwait",
    "pthread_mutex_timedlock",
    "pthread_mutex_clocklock",
    "sem_timedwait",
    "_ZNSt6chrono3_V212steady_clock3nowEv",
    "_ZNSt6chrono3_V212system_clock3nowEv",
]


def test_functions_are_exported_without_a_version():
    """A version of ours would keep the loader from putting them in front of libc's and libomp's."""
    words = ["nm", "-D", "--defined-only", str(BUILD / "lib/liblbhm.so")]
    names = {line.split()[-1] for line in subprocess.run(words, capture_output=True, text=True).stdout.splitlines()}
    assert set(INTERPOSED) - names == set()
