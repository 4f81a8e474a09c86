"""Does memory-mode behave like a cache: near fast memory while the data fit, slower when lines conflict?"""

import json
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SMALL = ("--kron", "8")


def makespan(runner, *arguments: str, **settings: str) -> float:
    outcome = runner.run("spgemm-emu", *arguments, machine="optane", threads=4, **settings)
    assert outcome.status == 0, outcome.stderr
    assert outcome.report["memory_mode"] == (settings.get("memory_mode") == "on")
    return outcome.report["makespan_ns"]


def test_a_cache_lies_between_the_memories_and_conflicts_cost(runner):
    arguments = ("--kron", "10", "--inputs", "8")  # lines are used often enough that first misses do not decide
    fast = makespan(runner, *arguments, policy="fast-only")
    slow = makespan(runner, *arguments, policy="slow-only")
    fits = makespan(runner, *arguments, policy="first-touch", memory_mode="on")
    conflicts = makespan(runner, *arguments, policy="first-touch", memory_mode="on", fast_capacity="1M")
    assert fast < fits < conflicts < slow
    assert (slow - fits) / (slow - fast) > 0.75, "the first access of a line misses, the others hit"


def test_every_run_is_the_same(runner):
    settings = {"policy": "first-touch", "memory_mode": "on", "fast_capacity": "128K"}
    assert len({makespan(runner, *SMALL, **settings) for _ in range(3)}) == 1


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"machine": "host"}, "is set in its firmware"),
        ({"machine": "optane", "policy": "merchandiser"}, "policy merchandiser has nothing to place"),
        ({"machine": "optane", "policy": "fast-only"}, "policy fast-only has nothing to place"),
        ({"machine": "optane", "policy": "memtis"}, "policy memtis has nothing to place"),
        ({"machine": "optane", "policy": "sparta"}, "policy sparta has nothing to place"),
        ({"machine": "optane", "memory_mode": "yes"}, "LBHM_MEMORY_MODE=yes is not on or off"),
    ],
)
def test_what_cannot_be_is_refused(runner, settings, sentence):
    outcome = runner.run("spgemm-emu", *SMALL, **({"memory_mode": "on", "policy": "first-touch"} | settings))
    assert outcome.status == 0, "the program runs all the same"
    assert sentence in outcome.stderr
    assert outcome.report is None


def test_a_machine_of_one_tier_has_no_cache(runner, tmp_path):
    machine = json.loads((ROOT / "emulator" / "presets" / "optane.json").read_text())
    machine["tiers"] = machine["tiers"][:1]
    machine["name"] = "one"
    file = tmp_path / "one.json"
    file.write_text(json.dumps(machine))
    outcome = runner.run("spgemm-emu", *SMALL, machine=str(file), policy="first-touch", memory_mode="on")
    assert "has one tier" in outcome.stderr
    assert outcome.report is None
