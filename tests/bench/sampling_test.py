"""What bench/run sampling makes of the figures of its runs, with answers by hand."""

import pytest
from harness import sampling
from harness.errors import BenchError


def run(without: float, with_sampler: float, samples: int, lost: int = 0) -> dict:
    return {"without": without, "with": with_sampler, "samples": samples, "lost": lost}


def test_lost_samples_have_cost_time_too():
    cost, slowdown, samples = sampling.summary([run(1.0, 1.5, 300_000, 200_000)])
    assert cost == pytest.approx(1000)
    assert slowdown == pytest.approx(1.5)
    assert samples == 500_000


def test_the_median_run_counts():
    runs = [run(1.0, 1.1, 100), run(1.0, 1.2, 100), run(1.0, 9.0, 100)]
    cost, slowdown, _ = sampling.summary(runs)
    assert cost == pytest.approx(0.2e9 / 100)
    assert slowdown == pytest.approx(1.2)


def test_without_samples_there_is_no_price():
    cost, slowdown, samples = sampling.summary([run(1.0, 1.0, 0)])
    assert cost is None
    assert (slowdown, samples) == (1.0, 0)


class Programs:
    """A build whose program is a script."""

    def __init__(self, script):
        self.script = script

    def program(self, _name):
        return self.script


def script(tmp_path, text):
    file = tmp_path / "program"
    file.write_text("#!/bin/sh\n" + text)
    file.chmod(0o755)
    return Programs(file)


def test_a_sampler_that_does_not_work_here_is_left_out(tmp_path):
    build = script(tmp_path, "echo needs an Intel processor >&2; exit 3\n")
    assert sampling.run_once(build, "pebs", 1000) == "needs an Intel processor"


def test_a_program_that_fails_is_an_error(tmp_path):
    with pytest.raises(BenchError, match="ended with status 1"):
        sampling.run_once(script(tmp_path, "exit 1\n"), "faults", 1)
