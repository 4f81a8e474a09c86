"""Runs programs under liblbhm.so on this computer while the operating system refuses."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("LBHM_BUILD", ROOT / "build" / "release"))
PROGRAMS = BUILD / "tests" / "programs"
SECONDS = 60  # programs take less than one


@dataclass
class Outcome:
    stdout: str
    stderr: str
    status: int
    report: dict | None = None
    refused: list[int] = field(default_factory=list)  # how often each rule applied

    @property
    def lines(self) -> list[str]:
        """What LB-HM said."""
        return [line for line in self.stderr.splitlines() if line.startswith("lbhm: ")]

    @property
    def said(self) -> list[str]:
        """... with the remarks of the report."""
        return self.lines + (self.report or {}).get("remarks", [])


def binary(name: str) -> Path:
    for folder in (PROGRAMS, BUILD / "bin"):  # an absolute path stays what it is
        if (folder / name).exists():
            return folder / name
    pytest.fail(f"{name} is not built in {BUILD}: run ./check, or set LBHM_BUILD")


def finish(words: list[str], environment: dict[str, str], before: Callable[[], None] | None) -> tuple[str, str, int]:
    """Output, errors and exit status. One that hangs is ended with all that it started, and the test fails."""
    process = subprocess.Popen(
        words,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=before,
        process_group=0,  # not a session: see patience.py
    )
    try:
        stdout, stderr = process.communicate(timeout=SECONDS)
    except subprocess.TimeoutExpired as late:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        pytest.fail(f"it hangs: {late}")
    return stdout, stderr, process.returncode


class Faults:
    def __init__(self, folder: Path):
        self.folder = folder

    def open_to_others(self) -> None:
        """Lets programs of other users write their reports: pytest's own folders are for nobody else."""
        self.folder.chmod(0o777)
        for parent in self.folder.parents:
            if parent.stat().st_uid == os.getuid() and parent.name.startswith(("pytest-", "popen-")):
                parent.chmod(0o755)

    def run(
        self,
        command: list[str],
        rules: tuple[str, ...] = (),
        *,
        library: bool = True,
        before: Callable[[], None] | None = None,
        launcher: tuple[str, ...] = (),
        environment: dict[str, str] | None = None,
        **settings: str,
    ) -> Outcome:
        """Runs a program; `settings` become LBHM_* variables.

        rules: as `refuse` takes them. before: called in the new process. launcher: words in front of the
        program, which alone has the library. environment: on top of everything else.
        """
        report, refused = self.folder / "report.json", self.folder / "refused"
        for file in (report, refused):
            file.unlink(missing_ok=True)
        given = environment or {}
        environment = {k: v for k, v in os.environ.items() if not k.startswith(("LBHM_", "OMP_", "LD_PRELOAD"))}
        preload = [f"LD_PRELOAD={BUILD / 'lib' / 'liblbhm.so'}"] if library else []
        words = [*launcher, "env", *preload, str(binary(command[0])), *command[1:]]
        if library:
            environment |= {"LBHM_REPORT": str(report), "LBHM_MACHINE": "host"}
            environment |= {f"LBHM_{key.upper()}": value for key, value in settings.items()}
        environment |= given
        if rules:
            words = [str(binary("refuse")), *rules, "--", *words]
            environment["LBHM_REFUSED"] = str(refused)
        stdout, stderr, status = finish(words, environment, before)
        counts = [int(line) for line in refused.read_text().split()] if refused.exists() else []
        content = json.loads(report.read_text()) if report.exists() else None
        return Outcome(stdout, stderr, status, content, counts)


@pytest.fixture
def faults(tmp_path):
    return Faults(tmp_path)


@pytest.fixture(scope="session")
def can_refuse():
    """Skips where the kernel does not ask anybody (before 5.5), or a container forbids it."""
    done = subprocess.run([binary("refuse"), "mbind=EPERM", "--", "true"], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        pytest.skip(f"no seccomp user notification here: {done.stderr.strip()}")
