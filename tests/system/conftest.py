"""How the system tests run a program: the real library, the real libomp, the emulated machine."""

import json
import os
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import pytest

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("LBHM_BUILD", ROOT / "build" / "release"))


@dataclass
class Outcome:
    stdout: str
    stderr: str
    status: int
    report: dict | None


def program(name: str) -> Path:
    for folder in (BUILD / "tests" / "programs", BUILD / "bin"):
        if (folder / name).exists():
            return folder / name
    pytest.fail(f"{name} is not built in {BUILD}: run ./check, or set LBHM_BUILD")


def lbhm_ended(*words: str | Path) -> subprocess.CompletedProcess:
    environment = os.environ | {"LBHM_BUILD": str(BUILD)}
    return subprocess.run(
        [ROOT / "lbhm", *words], env=environment, capture_output=True, text=True, timeout=300, check=False
    )


def lbhm(*words: str | Path) -> str:
    """Runs ./lbhm, which must succeed; what it prints."""
    done = lbhm_ended(*words)
    assert done.returncode == 0, done.stderr
    return done.stdout


class Runner:
    command = staticmethod(lbhm)
    _known: ClassVar[dict[tuple, Outcome]] = {}

    def __init__(self, folder: Path):
        self.folder = folder

    def run(
        self,
        name: str,
        *arguments: str,
        library: str | None = "liblbhm.so",
        threads: int = 12,
        heap: bool = False,
        before: Callable[[], None] | None = None,
        waiting: str | None = "passive",
        **settings: str,
    ):
        """Runs a program; `settings` become LBHM_* variables, upper-cased. `heap`: its blocks of malloc are objects.
        `before`: called in its process. `waiting`: OMP_WAIT_POLICY, passive as `lbhm run` sets it; None: unset, and
        lanes spin for a while."""
        report = self.folder / "report.json"
        report.unlink(missing_ok=True)
        environment = {k: v for k, v in os.environ.items() if not k.startswith(("LBHM_", "OMP_"))}
        environment |= {"OMP_NUM_THREADS": str(threads)} | ({"OMP_WAIT_POLICY": waiting} if waiting else {})
        if library:
            libraries = [library, *(["liblbhm-heap.so"] if heap else [])]
            environment["LD_PRELOAD"] = ":".join(str(BUILD / "lib" / name) for name in libraries)
            environment["LBHM_REPORT"] = str(report)
            environment |= {f"LBHM_{key.upper()}": value for key, value in settings.items()}
        done = subprocess.run(
            [program(name), *arguments],
            env=environment,
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
            preexec_fn=before,
        )
        content = json.loads(report.read_text()) if report.exists() else None
        return Outcome(done.stdout, done.stderr, done.returncode, content)

    def once(self, name: str, *arguments: str, **settings: str) -> Outcome:
        """As run, once for all tests that ask the same; determinism_test.py asks whether runs repeat."""
        key = (name, arguments, tuple(sorted(settings.items())))
        if key not in self._known:
            self._known[key] = self.run(name, *arguments, **settings)
        return self._known[key]


@pytest.fixture
def runner(tmp_path):
    return Runner(tmp_path)


@pytest.fixture(scope="session")
def command():
    """./lbhm with these words, the last of which names a program of the tests."""
    return lambda *words: lbhm(*words[:-1], program(words[-1]))


@pytest.fixture(scope="session")
def lbhm_words():
    """./lbhm with these words, none of which is a program."""
    return lbhm


@pytest.fixture(scope="session")
def lbhm_refuses():
    """./lbhm with these words, which must end with status 2; what it says."""

    def said(*words: str | Path) -> str:
        done = lbhm_ended(*words)
        assert done.returncode == 2, done.stdout + done.stderr
        return done.stderr

    return said


@pytest.fixture(scope="session")
def lbhm_fails(tmp_path_factory):
    """./lbhm with these options on a program that ends with status 3 after its work; what it printed."""
    script = tmp_path_factory.mktemp("fails") / "fails"
    script.write_text('#!/bin/sh\n"$@"\nexit 3\n')
    script.chmod(0o755)

    def said(options: tuple[str, ...], name: str, *arguments: str) -> subprocess.CompletedProcess:
        done = lbhm_ended(*options, "--", script, program(name), *arguments)
        assert done.returncode == 3, done.stdout + done.stderr
        assert "the program ended with exit status 3 under" in done.stderr
        return done

    return said


@pytest.fixture(scope="session")
def command_with():
    """./lbhm with these options, then the program of that name with its arguments."""
    return lambda options, name, *arguments: lbhm(*options, "--", program(name), *arguments)
