"""Runs of the measured programs."""

import json
import os
import subprocess
from pathlib import Path

from harness.errors import BenchError


def clean_environment(**settings: str) -> dict[str, str]:
    """The user's environment without anything that would bring LB-HM or another tool in, plus `settings`."""
    unwanted = ("LBHM_", "OMP_", "KMP_", "LD_PRELOAD", "MALLOC_", "MEMKIND_")
    return {k: v for k, v in os.environ.items() if not k.startswith(unwanted)} | settings


def run_json(command: list[str | Path], **settings: str) -> dict:
    """The JSON that the command prints. Raises BenchError if it fails or prints something else."""
    words = [str(word) for word in command]
    done = subprocess.run(words, env=clean_environment(**settings), capture_output=True, text=True)
    shown = " ".join([f"{key}={value}" for key, value in settings.items()] + words)
    if done.returncode != 0:
        raise BenchError(f"`{shown}` ended with status {done.returncode}:\n{done.stderr.strip()}")
    try:
        return json.loads(done.stdout)
    except json.JSONDecodeError as error:
        raise BenchError(f"`{shown}` did not print JSON ({error}):\n{done.stdout[:500]}") from error


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
