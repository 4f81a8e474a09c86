"""One comparison: a program, a front and an ending."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import tempfile
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from harmless.fronts import ALONE, FAULTS, Front
from harmless.programs import REPORTED, Program

SECONDS = 90  # programs take one or two
# Outcomes of a program alone that are looked at before a difference is one: some depend on who comes first.
ALONE_AT_MOST = 4


@dataclass(frozen=True)
class Outcome:
    status: int | None  # None: it did not end in time; negative: a signal
    stdout: bytes
    stderr: bytes  # without what LB-HM said


@dataclass(frozen=True)
class Run:
    outcome: Outcome
    proof: str  # proof.cpp
    report: dict | None


def without_ours(stderr: bytes) -> bytes:
    lines = stderr.splitlines(keepends=True)
    return b"".join(line for line in lines if not line.startswith((b"lbhm: ", b"LB-HM: ")))


def environment_of(program: Program, front: Front, ending: str, folder: Path) -> dict[str, str]:
    unwanted = ("LBHM_", "OMP_", "KMP_", "LD_PRELOAD", "MALLOC_")
    environment = {key: value for key, value in os.environ.items() if not key.startswith(unwanted)}
    environment |= {"OMP_NUM_THREADS": "4", "OMP_WAIT_POLICY": "passive", "FAULTS_PROOF": str(folder / "proof")}
    if ending != "return":
        environment["FAULTS_ENDING"] = ending
    return environment | program.environment | front.environment(folder)


def start(words: list[str], environment: dict[str, str], folder: Path, seconds: int) -> Outcome:
    """Output goes to files: a child that stays behind would keep a pipe open."""
    from patience import PatientPopen  # says why it gets no session

    with (folder / "stdout").open("wb") as stdout, (folder / "stderr").open("wb") as stderr:
        process = PatientPopen(
            words, env=environment, stdin=subprocess.DEVNULL, stdout=stdout, stderr=stderr, process_group=0
        )
        try:
            status = process.wait(seconds)
        except subprocess.TimeoutExpired:
            status = None
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
    return Outcome(status, (folder / "stdout").read_bytes(), without_ours((folder / "stderr").read_bytes()))


def run(program: Program, front: Front, ending: str, seconds: int = SECONDS) -> Run:
    with tempfile.TemporaryDirectory(prefix="lbhm-faults-") as name:
        folder = Path(name)
        (folder / "results").mkdir()
        words = [word.format(plain=FAULTS / "plain") for word in program.arguments]
        environment = environment_of(program, front, ending, folder)
        outcome = start([str(front.program(program.name)), *words], environment, folder, seconds)
        proof, report = folder / "proof", folder / "results" / "report.json"
        return Run(
            outcome,
            proof.read_text() if proof.exists() else "not written",
            json.loads(report.read_text()) if report.exists() else None,
        )


@cache
def alone(program: Program, ending: str, number: int = 0) -> Outcome:
    """The program without LB-HM, run for the n-th time."""
    return run(program, ALONE, ending).outcome


def missing_proof(found: Run, program: Program, front: Front, ending: str) -> str | None:
    """Why the run says nothing of LB-HM, if so."""
    if found.proof != "in":
        return f"LB-HM was not in ({found.proof})"
    if not (front.report and program.report and ending in REPORTED):
        return None
    if found.report is None:
        return "no report"
    if front.tiers and not found.report["fast_capacity_bytes"] < 1 << 62:
        return "one memory only"
    return None


def how(status: int | None) -> str:
    if status is None:
        return f"hangs (not ended within {SECONDS} s of a quiet computer)"
    return signal.Signals(-status).name if status < 0 else f"status {status}"


def difference(found: Outcome, expected: Outcome) -> str:
    if found.status != expected.status:
        return f"{how(found.status)}, alone {how(expected.status)}"
    return "other output" if found.stdout != expected.stdout else "other errors"


def compare(program: Program, front: Front, ending: str) -> str:
    """`same`, or what differs."""
    found = run(program, front, ending)
    reason = missing_proof(found, program, front, ending)
    seen: list[Outcome] = []
    while found.outcome not in seen and len(seen) < ALONE_AT_MOST:
        seen.append(alone(program, ending, len(seen)))
    if seen[0].status is None:
        return "hangs alone: nothing is compared"
    if found.outcome in seen:
        return reason or "same"
    return difference(found.outcome, seen[0])
