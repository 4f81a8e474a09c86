"""Does no program stay behind when the command is told to stop, whenever that comes?"""

import os
import signal
import subprocess

import pytest

from lbhm.base.errors import Refusal
from lbhm.base.signals import STOPPING, Stopped, stop_as_exception
from lbhm.execute import execute


@pytest.fixture
def stopping():
    before = {number: signal.getsignal(number) for number in STOPPING}
    stop_as_exception()
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


def start(*command: str):
    return execute._started([*command], dict(os.environ), None, subprocess.PIPE)


@pytest.mark.parametrize("number", STOPPING)
def test_a_program_that_has_just_been_started_is_ended(stopping, monkeypatch, number):
    """It runs, and nobody knows it yet."""
    programs = []

    class Started(subprocess.Popen):
        def __init__(self, *words, **options):
            super().__init__(*words, **options)
            programs.append(self)
            os.kill(os.getpid(), number)

    monkeypatch.setattr(execute.subprocess, "Popen", Started)
    with pytest.raises(Stopped), start("sleep", "60"):
        pytest.fail("it was let go on")
    assert programs[0].returncode == -signal.SIGKILL


def test_signals_come_as_before_once_it_runs_or_could_not_be_started(stopping):
    with pytest.raises(Refusal), start("/no/such/program"):
        pass
    with pytest.raises(Stopped):
        signal.raise_signal(signal.SIGTERM)
    with pytest.raises(Stopped), start("sleep", "60"):
        signal.raise_signal(signal.SIGTERM)
