"""Do threads that wait in other ways than OpenMP's take the time that the wait takes, the same in each run?"""

import os
import re
import subprocess
import time
from pathlib import Path

import pytest

BUILD = Path(os.environ.get("LBHM_BUILD", Path(__file__).resolve().parents[2] / "build" / "release"))

# Each with the slack that its way of asking again takes: loops look every 400 ns, in lanes more often.
PARTS = {
    "meetings": 0.005,
    "library_meetings": 0.005,
    "hand_outs": 0.01,
    "conditions": 0.01,
    "once": 0.02,
    "files": 0.005,
    "exclusions": 0.01,
    "joins": 0.02,
    "deadlines": 0.001,
    "kernel": 0.3,  # a quantum
}


def rows(text: str) -> dict[str, tuple[int, int]]:
    cells = [line.rsplit(" ", 2) for line in text.splitlines()]
    return {name: (int(wanted), int(took)) for name, wanted, took in cells}


@pytest.fixture
def waits(program, run):
    def start(part: str) -> dict[str, tuple[int, int]]:
        outcome = run(program("waits"), part)
        assert outcome.status == 0, outcome.stderr
        assert not outcome.remarks("was let go")
        found = rows(outcome.stdout)
        assert found.pop("verified") == (0, 0)
        return found

    return start


@pytest.mark.parametrize("part", PARTS)
def test_waits_take_what_they_wait_for(waits, part):
    """'wanted' is what the same work takes with OpenMP's constructs, in main, or what the deadline says."""
    found = waits(part)
    assert found
    wrong = {
        name: f"{took} ns instead of {wanted}"
        for name, (wanted, took) in found.items()
        if took != pytest.approx(wanted, rel=PARTS[part])
    }
    assert not wrong


# Not library_meetings: std::barrier begins at a place that the address of the thread decides, and std::latch looks
# whether anybody waits before it wakes.
@pytest.mark.parametrize("part", ["meetings", "hand_outs", "conditions", "once", "files", "exclusions"])
def test_lanes_that_wait_for_lanes_repeat_to_the_nanosecond(waits, part):
    first = waits(part)
    assert all(waits(part) == first for _ in range(4))


def test_what_no_lane_ends_comes_all_the_same(waits):
    """A child's end, bytes of another process: nobody takes that for a deadlock."""
    assert waits("others") == {}


def test_waits_in_the_kernel_are_found_out_and_said(program, run):
    outcome = run(program("waits"), "kernel")
    assert outcome.remarks("waited in the kernel")
    assert not run(program("waits"), "hand_outs").remarks("waited in the kernel")


def test_programs_without_openmp_wait_in_real_time(run):
    """A shell that waits for the outside world; the clock that it reads is the same one."""
    begin = time.monotonic()
    outcome = run(Path("/bin/bash"), "-c", "before=$(date +%s%N); sleep 0.3; echo $(($(date +%s%N) - before))")
    assert time.monotonic() - begin >= 0.3
    assert int(outcome.stdout) >= 300_000_000


@pytest.mark.parametrize("lines", [True, False], ids=["with lines", "without"])
def test_a_lane_that_keeps_the_others_waiting_is_named_after_a_second(program, tmp_path, lines):
    file = program("waits")
    if not lines:
        file = tmp_path / "waits"
        subprocess.run(["strip", "--strip-debug", "-o", file, program("waits")], check=True)
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("LBHM_", "OMP_"))}
    environment |= {"LD_PRELOAD": str(BUILD / "lib/liblbhm.so"), "LBHM_MACHINE": "optane", "OMP_NUM_THREADS": "4"}
    with subprocess.Popen(
        ["timeout", "60", file, "stuck"], env=environment, stderr=subprocess.PIPE, text=True
    ) as stuck:
        sentence = stuck.stderr.readline()
        stuck.terminate()
    assert "for 1 s all other threads have been waiting for one, last seen in " in sentence
    assert "stuck()" in sentence
    if lines:  # of the last note that the plugin's code took before it
        assert re.search(r" at \S*(lanes\.cpp|waits\.h):\d+: it looks", sentence)
    else:
        assert f"addr2line -ie {file} 0x" in sentence


def test_leagues_are_as_without_us(program, run):
    """Of one team with a reduction, of several, with regions inside, on the host's device; without the plugin, too."""
    plain = run(program("leagues", "native"), machine=None)
    assert plain.stdout.endswith("verified\n")
    for way in ("native", "emulated"):
        outcomes = [run(program("leagues", way)) for _ in range(2)]
        assert all(outcome.stdout == plain.stdout for outcome in outcomes)
        assert not any(outcome.remarks("let go") for outcome in outcomes)
        assert outcomes[0].report["makespan_ns"] == outcomes[1].report["makespan_ns"]
