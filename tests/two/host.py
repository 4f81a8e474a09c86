"""A host with two memory nodes, made of files and of two-nodes.so; programs run on it unchanged."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("LBHM_BUILD", ROOT / "build" / "release"))
SHIM = BUILD / "tests" / "programs" / "two-nodes.so"
EMULATOR = BUILD / "lib" / "liblbhm.so"
SECONDS = 60  # programs take less than one
PAGE = 4096
NODES = "sys/devices/system/node"
# MiB/s and ns: node 0 is the fast one and has the processors.
SPEEDS = {0: (100_000, 80), 1: (20_000, 250)}


@dataclass
class Outcome:
    stdout: str
    stderr: str
    status: int
    report: dict | None = None

    @property
    def said(self) -> list[str]:
        """What LB-HM said, on the terminal and in the report."""
        lines = [line for line in self.stderr.splitlines() if line.startswith("lbhm: ")]
        return lines + (self.report or {}).get("remarks", [])

    def pages(self, moment: str) -> tuple[int, int, int]:
        """How many pages of all objects are fast, slow and absent then, as tests/kernel/programs print it."""
        rows = [line.split()[2:] for line in self.stdout.splitlines() if line.startswith(f"nodes {moment}-")]
        assert rows, f"the program printed nothing of {moment}: {self.stdout}{self.stderr}"
        fast, slow, absent = (sum(int(row[column]) for row in rows) for column in range(3))
        return fast, slow, absent


@dataclass
class TwoNodes:
    """Writes the files of /sys and /proc, and runs programs that see them."""

    tree: Path
    free_mib: tuple[int, int] = (4096, 16384)
    library: Path = BUILD / "lib" / "host" / "liblbhm.so"
    results: Path = field(init=False)

    def __post_init__(self) -> None:
        self.results = self.tree / "results"
        self.write("dev/shm/readme", "What programs keep in /dev/shm by open(2).")
        self.write("results/readme", "Run reports.")
        self.write(f"{NODES}/online", "0-1")
        self.write(f"{NODES}/possible", "0-1")
        self.write(f"{NODES}/has_cpu", "0")
        for node in SPEEDS:
            self.write_node(node)
        self.write("proc/zoneinfo", "".join(zone_of(node, free) for node, free in enumerate(self.free_mib)))

    def write(self, path: str, text: str) -> None:
        file = self.tree / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text + "\n")

    def write_node(self, node: int) -> None:
        folder = f"{NODES}/node{node}"
        self.write_free(node, self.free_mib[node])
        self.write(f"{folder}/distance", "10 20" if node == 0 else "20 10")
        self.write(f"{folder}/cpulist", f"0-{(os.cpu_count() or 1) - 1}" if node == 0 else "")
        self.write(f"{folder}/cpumap", f"{(1 << (os.cpu_count() or 1)) - 1:x}" if node == 0 else "0")
        bandwidth, latency = SPEEDS[node]
        for way in ("read", "write"):
            self.write(f"{folder}/access1/initiators/{way}_bandwidth", str(bandwidth))
            self.write(f"{folder}/access1/initiators/{way}_latency", str(latency))
        self.write(f"{folder}/access1/initiators/node0/cpulist", "0")

    def write_free(self, node: int, mib: int) -> None:
        """So much of the node is free from now on, also for programs that run."""
        lines = {"MemTotal": self.free_mib[node] * 1024, "MemFree": mib * 1024, "Active(file)": 0, "Inactive(file)": 0}
        self.write(
            f"{NODES}/node{node}/meminfo",
            "\n".join(f"Node {node} {key + ':':<16}{kib:>10} kB" for key, kib in lines.items()),
        )

    def without_modules(self) -> None:
        """The library alone, as where mimalloc, hwloc and PAPI are not installed."""
        self.library = Path(shutil.copy(self.library, self.tree))

    @property
    def ledger(self) -> Path:
        """The file that its processes share."""
        return self.tree / f"dev/shm/lbhm2-{os.geteuid()}-0:1"

    def environment(self, policy: str | None, env: dict[str, str] | None = None) -> dict[str, str]:
        """policy=None: without LB-HM."""
        kept = {key: value for key, value in os.environ.items() if not key.startswith(("LBHM_", "OMP_", "LD_PRELOAD"))}
        kept |= {"TWO_NODES_TREE": str(self.tree), "LD_PRELOAD": str(SHIM), "OMP_NUM_THREADS": "2"}
        if policy is not None:
            emulated = (env or {}).get("LBHM_MACHINE", "host") != "host"
            kept["LD_PRELOAD"] += f":{EMULATOR if emulated else self.library}"
            kept |= {"LBHM_MACHINE": "host", "LBHM_POLICY": policy}
            kept["LBHM_REPORT"] = str(self.results / "report.json")
        return kept | (env or {})

    def start(
        self, program: list[str], *, policy: str | None = "lbhm", env: dict[str, str] | None = None, **more
    ) -> subprocess.Popen:
        """The running program, with pipes for what it is told and says. `more`: for subprocess.Popen."""
        if not SHIM.exists():
            pytest.fail(f"{SHIM} is not built: run ./check, or set LBHM_BUILD")
        return subprocess.Popen(
            [str(binary(program[0])), *program[1:]],
            env=self.environment(policy, env),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            process_group=0,  # not a session: see patience.py
            **more,
        )

    def run(
        self, program: list[str], *, policy: str | None = "lbhm", env: dict[str, str] | None = None, **more
    ) -> Outcome:
        """Runs a program to its end. One that hangs is ended with all that it started, and the test fails."""
        report = self.results / "report.json"
        report.unlink(missing_ok=True)
        process = self.start(program, policy=policy, env=env, **more)
        try:
            stdout, stderr = process.communicate(timeout=SECONDS)
        except subprocess.TimeoutExpired as late:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            pytest.fail(f"it hangs: {late}")
        content = json.loads(report.read_text()) if report.exists() else None
        return Outcome(stdout, stderr, process.returncode, content)

    def run_refused(self, rule: str, program: list[str], *, policy: str, env: dict[str, str]) -> tuple[Outcome, int]:
        """As run, while the kernel refuses what `rule` says (tests/faults/refuse); and how often it did."""
        count = self.tree / "refused"
        launched = {**env, "LBHM_PRELOAD": self.environment(policy)["LD_PRELOAD"], "LD_PRELOAD": ""}
        words = ["refuse", rule, "--", str(binary(program[0])), *program[1:]]
        outcome = self.run(words, policy=policy, env=launched | {"LBHM_REFUSED": str(count)})
        return outcome, int(count.read_text())


def zone_of(node: int, mib: int) -> str:
    pages = mib * 256
    return (
        f"Node {node}, zone   Normal\n  pages free     {pages}\n        min      1000\n        low      2000\n"
        f"        high     3000\n        spanned  {pages}\n        present  {pages}\n        managed  {pages}\n"
    )


def binary(name: str) -> Path:
    """Of tests/kernel, tests/faults or the applications; a path stays what it is."""
    for folder in (BUILD / "tests" / "programs", BUILD / "bin"):
        if (folder / name).exists():
            return folder / name
    pytest.fail(f"{name} is not built in {BUILD}: run ./check, or set LBHM_BUILD")
