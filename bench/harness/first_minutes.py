"""What do the first minutes cost: time and what was said of it, packages, files; are the commands in docs tested?"""

import json
import os
import re
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

from harness.build import ROOT, Build
from harness.doc_commands import counts
from harness.errors import BenchError
from harness.result import Result, Table

TARGETS = ["lbhm"]  # the others as they are
REPETITIONS = 1
MIB = 1 << 20


def add_options(parser) -> None:
    parser.add_argument("--no-build", action="store_true", help="leave ./quickstart out: minutes of two idle cores")
    parser.add_argument("--warm", action="store_true", help="with what ccache has; without it all is compiled")


def measure(build: Build, options) -> Result:
    fields = {"packages_mb": packages_mb(), "install_files": install_files(build.folder)} | counts()
    fields |= dict.fromkeys(("quickstart_seconds", "said_seconds", "rest_seconds"))
    if not options.no_build:
        fields |= quickstart(options.warm)
    rows = [[name, "–" if value is None else f"{value:,.0f}"] for name, value in fields.items()]
    notes = [
        "said_seconds: what ./quickstart says; rest_seconds: what it takes from there; packages were there already"
    ]
    return Result(fields, [Table(["", "value"], rows)], notes)


def quickstart(warm: bool) -> dict[str, float]:
    """In a copy of the source, from nothing but installed packages."""
    with tempfile.TemporaryDirectory(prefix="lbhm-first-") as folder:
        source = Path(folder) / "lbhm"
        names = subprocess.run(
            ["git", "ls-files", "-co", "--exclude-standard", "-z"], cwd=ROOT, capture_output=True, check=True
        ).stdout
        for name in filter(None, names.decode().split("\0")):
            if (ROOT / name).exists():
                (source / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(ROOT / name, source / name, follow_symlinks=False)
        environment = dict(os.environ) | ({} if warm else {"CCACHE_DISABLE": "1"})
        begin = time.time()
        done = subprocess.run(
            ["./quickstart"], cwd=source, env=environment, capture_output=True, text=True, check=False
        )
        end = time.time()
        if done.returncode != 0:
            raise BenchError(
                f"./quickstart failed with status {done.returncode}:\n{done.stdout[-2000:]}{done.stderr[-2000:]}"
            )
        said = json.loads((source / "build/quickstart/said.json").read_text())
    return {
        "quickstart_seconds": end - begin,
        "rest_seconds": end - said["at"],
        **{name: said[name] for name in ("said_seconds", "said_build_seconds", "said_run_seconds")},
    }


def sizes(packages: list[str]) -> dict[str, int]:
    """Bytes to load, by file, for packages and what they need where nothing is installed."""
    nothing = ["-o", f"Dir::State::status={os.devnull}", "-o", "Debug::NoLocking=1"]
    command = ["apt-get", "install", "--print-uris", "-qq", "-y", "--no-install-recommends", *nothing, *packages]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except OSError:
        return {}
    return {name: int(size) for name, size in re.findall(r"^'\S+' (\S+) (\d+)", done.stdout, re.M)}


def packages_mb() -> float | None:
    """Of the packages that ./quickstart installs on a system that has the required ones only; None without apt."""
    listed = (ROOT / "scripts/packages.txt").read_text().partition("\n[build]\n")[2].partition("\n[check]\n")[0]
    wanted = sizes([line.split()[0] for line in listed.splitlines() if line.strip() and line[0] != "#"])
    query = ["dpkg-query", "-W", "-f", "${Package} ${Priority}\n"]
    try:
        known = subprocess.run(query, capture_output=True, text=True, check=False).stdout
    except OSError:
        return None
    required = [line.split()[0] for line in known.splitlines() if line.endswith((" required", " important"))]
    base = sizes(required)
    return sum(size for name, size in wanted.items() if name not in base) / MIB if wanted else None


def install_files(build: Path) -> int:
    with tempfile.TemporaryDirectory(prefix="lbhm-first-") as folder:
        done = subprocess.run(
            ["cmake", "--install", build, "--prefix", folder], capture_output=True, text=True, check=False
        )
        if done.returncode != 0:
            raise BenchError(f"cmake --install {build} failed: {done.stderr[-1000:]}")
        return sum(not path.is_dir() for path in Path(folder).rglob("*"))
