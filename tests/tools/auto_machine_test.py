"""Which machine does a command choose, with which threads, and does it say so?"""

import os

import pytest

from lbhm.library import said_by_environment

EMULATED = "the machine is optane, emulated; --machine host is this computer"
HOST = "the machine is this computer; for an emulated one build it with lbhm cc, c++ or fc --emulate"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("./good",), f"./good was built with LB-HM's plugin for emulation, so {EMULATED}"),
        (("./uninstrumented",), f"./uninstrumented was not built with LB-HM's plugin, so {HOST}"),
        (("./looked-at",), f"./looked-at was built with LB-HM's plugin, but without --emulate, so {HOST}"),
        (("./script",), EMULATED),
        (("sh", "-c", "./good"), EMULATED),
        (("sh", "-c", "exec ./uninstrumented"), "the machine is this computer; --machine optane is an emulated one"),
        (("env", "X=1", "./good"), EMULATED),
        (("--fast", "64K", "--", "sh", "-c", "true"), "--fast 64K is of emulated machines, so the machine is optane"),
    ],
)
def test_the_machine_is_chosen_by_how_the_program_was_built_and_said_once(lbhm, words, said):
    done = lbhm("run", *(words if words[0] == "--fast" else ("--", *words)))
    assert done.returncode == 0, done.stderr
    assert done.stderr.count(said) == 1


def test_a_machine_that_is_named_is_taken_and_nothing_said(lbhm):
    assert "the machine is" not in lbhm("run", "--machine", "optane", "--fast", "64K", "--", "./good").stderr
    assert "the machine is" not in lbhm("run", "--machine", "host", "--", "./good").stderr


@pytest.mark.parametrize(("given", "printed"), [({}, "(null)"), ({"OMP_NUM_THREADS": "4,2"}, "4,2")])
def test_threads_on_a_host_are_the_programs_own_matter(lbhm, given, printed):
    done = lbhm("run", "--machine", "host", "--", "./good", "threads", **given)
    assert f"threads {printed}\n" in done.stdout
    done = lbhm("run", "--machine", "host", "--threads", "3", "--", "./good", "threads", **given)
    assert "threads 3\n" in done.stdout


def test_dynamic_teams_on_a_host_are_the_programs_own_matter(lbhm):
    words = ("run", "--machine", "host", "--", "sh", "-c", "echo dynamic ${OMP_DYNAMIC-unset}; ./good")
    assert "dynamic unset\n" in lbhm(*words).stdout
    assert "dynamic true\n" in lbhm(*words, OMP_DYNAMIC="true").stdout


def test_variables_without_effect_are_said(lbhm):
    done = lbhm("run", "--fast", "64K", "--", "./good", LBHM_POLICY="memtis", LBHM_SAMPEL_PERIOD="9")
    assert "the variable LBHM_POLICY=memtis has no effect here: --policy or --policies says it" in done.stderr
    assert "the variable LBHM_SAMPEL_PERIOD is no setting of LB-HM and has no effect" in done.stderr


KNOWN = ["LBHM_POLICY", "LBHM_SAMPLE_PERIOD", "LBHM_TIERS", "LBHM_SEED"]


@pytest.mark.parametrize(
    ("name", "remedy"),
    [
        ("LBHM_THREADS", "--threads or OMP_NUM_THREADS says it"),
        ("LBHM_SAMPEL_PERIOD", "did you mean LBHM_SAMPLE_PERIOD?"),
        ("LBHM_POLICI", "--policy or --policies says it"),
        ("LBHM_VERBOSE", "lbhm settings lists all"),
        ("LBHM_TREES", "lbhm settings lists all"),
    ],
)
def test_a_variable_that_is_no_setting_has_a_hint_that_helps(monkeypatch, name, remedy):
    monkeypatch.setattr(said_by_environment, "settings", lambda: [{"environment": each} for each in KNOWN])
    for each in [each for each in os.environ if each.startswith("LBHM_")]:
        monkeypatch.delenv(each)
    monkeypatch.setenv(name, "4")
    wanted = f"the variable {name} is no setting of LB-HM and has no effect; {remedy}"
    assert list(said_by_environment.sentences(emulated=True)) == [wanted]
