"""Runs of the measured programs."""

import json
import os
import subprocess
import tempfile
from pathlib import Path

from harness.errors import BenchError


def clean_environment(**settings: str) -> dict[str, str]:
    """The user's environment without anything that would bring LB-HM or another tool in, plus `settings`."""
    unwanted = ("LBHM_", "OMP_", "KMP_", "LD_PRELOAD", "MALLOC_", "MEMKIND_")
    return {k: v for k, v in os.environ.items() if not k.startswith(unwanted)} | settings


def shown(command: list[str | Path], settings: dict[str, str]) -> str:
    """The command as one would type it."""
    return " ".join([f"{key}={value}" for key, value in settings.items()] + [str(word) for word in command])


def run_text(command: list[str | Path], **settings: str) -> str:
    """What the command prints. Raises BenchError if it fails."""
    words = [str(word) for word in command]
    done = subprocess.run(words, env=clean_environment(**settings), capture_output=True, text=True)
    if done.returncode != 0:
        name = shown(command, settings)
        raise BenchError(f"`{name}` ended with status {done.returncode}:\n{done.stderr.strip()}")
    return done.stdout


def run_json(command: list[str | Path], **settings: str) -> dict:
    """The JSON that the command prints. Raises BenchError if it fails or prints something else."""
    text = run_text(command, **settings)
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise BenchError(f"`{shown(command, settings)}` did not print JSON ({error}):\n{text[:500]}") from error


def peak_memory(command: list[str | Path], **settings: str) -> int:
    """Bytes of memory that the command had at most. Raises BenchError if it fails.

    Not less than this process has: exec passes that on. So it is of use for programs with much more.
    """
    words = [str(word) for word in command]
    with tempfile.TemporaryFile() as errors:
        environment = clean_environment(**settings)
        process = subprocess.Popen(words, env=environment, stdout=subprocess.DEVNULL, stderr=errors)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            errors.seek(0)
            said = errors.read().decode(errors="replace").strip()
            raise BenchError(f"`{shown(command, settings)}` ended with status {process.returncode}:\n{said}")
    return usage.ru_maxrss * 1024


def run_google(command: list[str | Path], **settings: str) -> dict[tuple[int, int], float]:
    """Nanoseconds of wall time an iteration takes a thread, by (argument, threads)."""
    report = run_json([*command, "--benchmark_format=json"], **settings)
    times = {}
    for entry in report["benchmarks"]:
        if entry.get("error_occurred"):
            raise BenchError(f"{entry['name']}: {entry['error_message']}")
        argument = int(entry["name"].split("/")[1])
        # Google Benchmark divides wall time by the iterations of all threads together.
        times[argument, entry["threads"]] = entry["real_time"] * entry["threads"]
    return times
