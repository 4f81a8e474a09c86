"""ctest's kernel.placement: what `lbhm optimize` chooses for hydro, for the guest (case heap).

placement.py --program PROGRAM --output FILE"""

import argparse
import os
import subprocess
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
INPUT = ["--size", "100", "--steps", "2"]  # arrays of 80 and 320 KB


def lbhm(*words: object) -> None:
    settings = {name: value for name, value in os.environ.items() if not name.startswith(("LBHM_", "LD_PRELOAD"))}
    settings |= {"LBHM_ARENA_MINIMUM": "0"}  # large blocks alone
    if "LBHM_BUILD" in os.environ:
        settings["LBHM_BUILD"] = os.environ["LBHM_BUILD"]
    subprocess.run([ROOT / "lbhm", *words], env=settings, check=True, timeout=300, stdout=subprocess.DEVNULL)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", type=Path, required=True)
    parser.add_argument("--output", type=Path, required=True)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        profile = Path(folder) / "profile.json"
        machine = ["--machine", "icelake-optane", "--threads", "2", "--heap"]
        lbhm("profile", *machine, "--output", profile, "--", options.program, *INPUT)
        method = ["--fast", "25%", "--method", "lifetime", "--no-curve"]
        lbhm("optimize", profile, *method, "--output", options.output)


if __name__ == "__main__":
    main()
