"""Does a program go on that a sampler's signals interrupt anywhere, in LB-HM too?"""

import re

import pytest


@pytest.mark.parametrize(("machine", "repetitions"), [(None, "300"), ("host", "300"), ("optane", "20")])
def test_a_sampler_of_signals_runs_beside_us(build, run, machine, repetitions):
    emulated = machine == "optane"
    program = build("sampled.c", "sampler_tool.c", emulated=emulated)
    right = f"{12 * int(repetitions)} {2047 * int(repetitions)}\n"
    for _ in range(3):
        outcome = run(program, repetitions, machine=machine)
        assert (outcome.status, outcome.stdout) == (0, right), outcome.stderr
        found = re.search(r"(\d+) samples, (\d+) in regions, (\d+) backward", outcome.stderr)
        assert found, outcome.stderr
        samples, in_regions, backward = map(int, found.groups())
        assert samples > 10 and in_regions > 0
        assert backward == 0 or emulated  # there a thread takes the clock of the lane that it becomes
        assert len([lanes for _, lanes in outcome.regions if lanes == 4]) == int(repetitions)
