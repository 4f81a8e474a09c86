"""Runs a measured program in the virtual machine of tests/kernel: two memory nodes, a stock kernel, no real times."""

import json
import platform
import subprocess
import sys
import tempfile
from pathlib import Path

from harness.build import ROOT
from harness.errors import BenchError

BOOT = ROOT / "tests/kernel/boot.py"
BOOT_SECONDS = 30  # an assumption: it takes three on an idle computer
SKIPPED = 77  # as boot.py says it
LIBRARY_FOLDERS = [f"/usr/lib/{platform.machine()}-linux-gnu", "/usr/lib64", "/usr/lib"]


def opened_libraries() -> list[Path]:
    """What programs open by name when they run, so that nothing else tells that the guest needs it."""
    found = [path for folder in LIBRARY_FOLDERS if (path := Path(folder) / "libnuma.so.1").exists()]
    if not found:
        raise BenchError("--guest: libnuma.so.1 is in none of " + ", ".join(LIBRARY_FOLDERS) + "; install libnuma1")
    return found[:1]


def run_json_in_guest(program: Path, arguments: list[str], seconds: int) -> dict:
    """The JSON that the program prints there. Raises BenchError if it fails or takes longer than `seconds`."""
    with tempfile.TemporaryDirectory(prefix="lbhm-guest-") as folder:
        cases, results = Path(folder) / "cases.txt", Path(folder) / "results"
        command = " ".join([program.name, *arguments])
        cases.write_text(f"bench {seconds} {command} >result.json\n")
        places = ["--results", results, "--cache", ROOT / "build/kernel", "--cases", cases]
        words = [sys.executable, BOOT, *places, "--seconds", str(seconds + BOOT_SECONDS), program, *opened_libraries()]
        done = subprocess.run(words, capture_output=True, text=True)
        if done.returncode == SKIPPED:
            raise BenchError(f"--guest: {done.stdout.strip().removeprefix('skipped: ')}")
        result = results / "bench" / "result.json"
        try:
            return json.loads(result.read_text())
        except (OSError, json.JSONDecodeError) as error:
            output = results / "bench" / "output.txt"
            said = output.read_text() if output.exists() else done.stdout + done.stderr
            raise BenchError(f"--guest: `{command}` did not print JSON ({error}):\n{said[-1500:]}") from error
