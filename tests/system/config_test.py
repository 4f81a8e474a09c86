"""Does LB_HM_config refuse what it cannot plan for, and say why?"""

import pytest

MISTAKES = {
    "null lists": "null list",
    "empty list": "no objects",
    "size 0": "size 0 for object 0",
    "size -7": "size -7 for object 0",
    "too large": "1048577 bytes, but only 1048576 are allocated",
    "unknown size": "its size is unknown",
    "null array": "null list of objects",
    "absurd count": "there is no memory for the list of objects",
    "null object": "object 0 of LB_HM_config ((nil)) is null: give the address",
    "wrapping range": "18446744073709547519 bytes, more than there are addresses behind it",
    "not mapped": "its size is unknown",
}


@pytest.mark.parametrize("machine", ["optane", "host"])
def test_mistakes_are_refused_with_a_sentence(runner, machine):
    outcome = runner.run("bad_config", machine=machine)
    assert outcome.status == 0, outcome.stderr
    answers = dict(line.split(": ", 1) for line in outcome.stdout.splitlines())
    for mistake, words in MISTAKES.items():
        if mistake == "too large" and machine == "host":
            continue  # nothing is managed there, so nobody knows what was allocated
        assert answers[mistake].startswith("refused: "), mistake
        assert words in answers[mistake]


@pytest.mark.parametrize("machine", ["optane", "host"])
def test_sizes_may_come_from_the_registry_or_the_caller(runner, machine):
    """Of what lbhm_managed allocated, also where nothing is placed: the refusals say to use it."""
    answers = runner.run("bad_config", machine=machine).stdout
    for known in ("registered size", "size of a small one", "size of an aligned one", "unmanaged with a size"):
        assert f"{known}: planned" in answers


def test_a_program_that_asks_first_runs_without_us(runner):
    outcome = runner.run("bad_config", library=None)
    assert (outcome.status, outcome.stdout) == (0, "LB-HM is not loaded\n")
