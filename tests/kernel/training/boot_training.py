"""ctest's kernel.training_boot: boot.py with what `lbhm train` takes in the guest: Python, the command, a program.

boot_training.py --results FOLDER --cache FOLDER --build FOLDER FILE...

Run by the Python whose packages go along.
"""

from __future__ import annotations

import argparse
import importlib.util
import subprocess
import sys
import sysconfig
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
PACKAGES = ("typer", "annotated_doc", "shellingham", "rich", "elftools", "jsonschema_rs")
SECONDS = 600


def folders(build: Path) -> list[str]:
    placed = {sysconfig.get_path("stdlib").lstrip("/"): sysconfig.get_path("stdlib")}
    for name in PACKAGES:
        placed[f"lbhm/site/{name}"] = Path(importlib.util.find_spec(name).origin).parent
    for part in ("tools/lbhm", "training/lbhm_training", "CMakeLists.txt"):
        placed[f"lbhm/{part}"] = ROOT / part
    placed["corpus/nas_cg"] = build / "bin" / "host-corpus-nas_cg"
    return [word for place, path in placed.items() for word in ("--folder", f"{place}={path}")]


def main() -> int:
    parser = argparse.ArgumentParser(description="boots the two-tier machine and trains there")
    parser.add_argument("--results", required=True)
    parser.add_argument("--cache", required=True)
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("files", nargs="+")
    options = parser.parse_args()
    program = str(options.build / "bin" / "host-corpus-nas_cg")
    files = [*options.files, "/usr/bin/python3", program, HERE / "train.sh", HERE / "scatter.sh"]
    command = [sys.executable, HERE.parent / "boot.py", "--results", options.results, "--cache", options.cache]
    command += ["--cases", HERE / "cases.txt", "--seconds", str(SECONDS), *folders(options.build), *files]
    return subprocess.run(command, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
