"""bench/run heap: are runs with and without compared in pairs, and are all ways measured in turn?"""

import json
import subprocess
from pathlib import Path

import pytest
from harness import heap
from harness.overhead import Run

ROOT = Path(__file__).resolve().parents[2]


class FakeBuild:
    library = Path("lib/liblbhm.so")

    def program(self, name):
        return Path("bin") / name


def test_ways_take_turns(monkeypatch):
    asked = []

    def run_json(command, **settings):
        asked.append(settings.get("LBHM_MACHINE", "none"))
        assert [str(word) for word in command] == ["bin/bench-heap", "small", "64"]
        assert settings.get("LD_PRELOAD", "") == ("lib/liblbhm.so:lib/liblbhm-heap.so" if settings else "")
        return {"64": len(asked)}

    monkeypatch.setattr(heap, "run_json", run_json)
    found = heap.micro(FakeBuild(), 2, "small", ["64"])
    assert asked == ["none", "host", "optane"] * 2
    assert found == {"glibc": [{"64": 1}, {"64": 4}], "host": [{"64": 2}, {"64": 5}], "objects": [{"64": 3}, {"64": 6}]}


def test_each_pair_is_compared_on_its_own():
    """The machine became three times as slow after the first pair."""
    assert heap.ratio([{"9": 11}, {"9": 33}, {"9": 36}], [{"9": 10}, {"9": 30}, {"9": 30}], "9") == 1.1
    runs = [(Run(1, 2, 100), Run(1.1, 2, 104)), (Run(3, 6, 100), Run(3.3, 6, 105)), (Run(3, 6, 100), Run(3.3, 6, 109))]
    fields = heap.program_fields({"xs": runs})
    assert (fields["run_ratio"], fields["memory_ratio"]) == ({"xs": 1.1}, {"xs": 1.05})


def test_medians_are_by_number_and_by_what_was_done():
    assert heap.medians([{"64": 3}, {"64": 1}, {"64": 2}]) == {"64": 2}
    assert heap.medians([{"9": {"malloc": 1, "free": 5}}, {"9": {"malloc": 3, "free": 7}}]) == {
        "9": {"malloc": 2, "free": 6}
    }


@pytest.mark.parametrize("case", ["small", "threads", "large", "sites", "live"])
def test_the_program_says_what_blocks_cost(case):
    """A figure for every number."""
    program = ROOT / "build" / "release" / "bin" / "bench-heap"
    if not program.exists():
        pytest.skip("benchmarks are not built")
    done = subprocess.run([program, case, "512", "1024"], capture_output=True, text=True, check=True, timeout=120)
    found = json.loads(done.stdout)
    assert list(found) == ["512", "1024"]
    for figure in found.values():
        assert all(ns >= 0 for ns in (figure.values() if isinstance(figure, dict) else [figure]))


def test_an_unknown_program_is_answered_with_those_that_exist():
    words = [ROOT / "bench" / "run", "heap", "--programs", "xs,lulesh", "--repetitions", "1", "--blocks", "1000"]
    done = subprocess.run(words, capture_output=True, text=True, cwd=ROOT, check=False)
    assert done.returncode == 2
    assert "--programs: there is no 'lulesh'; there are xs" in done.stderr
