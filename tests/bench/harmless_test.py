"""Does the benchmark count what its tools answer, and is nothing left out that they find?"""

from pathlib import Path
from types import SimpleNamespace

import pytest
from harness import harmless
from harness.errors import BenchError

CELL = {"program": "exceptions", "front": "plain", "ending": "return", "result": "same"}
ANSWERS = {
    "tests/faults/run": {"cells": [CELL, CELL | {"front": "two", "result": "hangs, alone status 0"}]},
    "tests/faults/fork_storm.py": {"forks": 2000, "hung": 3},
    "tests/faults/malloc_sweep": {
        "host": {"points": 1800, "tried": 600, "different": {}},
        "after": {"points": 300, "tried": 300, "different": {"17": [-6, ""]}},
    },
    "scripts/fuzz": {"fuzz-machine": 70, "fuzz-traits": 30},
}


@pytest.fixture
def answered(monkeypatch):
    """The tools answer as above; the words that they were called with."""
    calls: list[tuple[str, ...]] = []

    def answer(tool: harmless.Tool, build) -> dict:
        calls.append(tool.words)
        return ANSWERS[tool.words[0]] | {"found_something": False}

    monkeypatch.setattr(harmless.Tool, "answer", answer)
    return calls


def test_everything_that_is_found_is_a_finding(answered):
    fields = harmless.measure(None, SimpleNamespace(nightly=False)).fields
    assert (fields["programs"], fields["different"]) == (2, 1)
    assert (fields["malloc_points"], fields["fork_hangs"]) == (900, 3)
    assert fields["findings"] == [
        "exceptions under two, return: hangs, alone status 0",
        "malloc_sweep, after: allocation 17 fails and the program ends with -6",
        "3 of 2000 forked children hung or failed",
    ]


def test_the_nightly_form_meets_every_ending_and_wants_ten_million_inputs(answered):
    fields = harmless.measure(None, SimpleNamespace(nightly=True)).fields
    assert ("tests/faults/run", "--endings", "all") in answered
    assert "scripts/fuzz: 100 inputs are fewer than 10000000" in fields["findings"]
    assert fields["fuzz_inputs"] == {"fuzz-machine": 70, "fuzz-traits": 30}


def test_a_tool_that_is_missing_is_no_success():
    with pytest.raises(BenchError, match="no-such-tool is not there"):
        harmless.Tool(("no-such-tool",)).answer(SimpleNamespace(folder=Path("build")))
