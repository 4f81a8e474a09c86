"""Virtual times, moved bytes, results and reports of twenty programs under the policies, on one build.

`python tests/system/virtual_times.py BUILD [PROGRAM...]` prints them as JSON; unchanged_test.py compares a build with
the stored table virtual_times.json. After a change that is meant to alter them: print, look at what differs, store."""

import hashlib
import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

# Fast memory, program, arguments.
PROGRAMS = {
    "spgemm": ["1M", "spgemm-emu", "--kron", "10", "--inputs", "4"],
    "bfs": ["128K", "bfs-emu", "--crawl", "11", "--uniform", "10", "--sources", "3"],
    "pic": ["512K", "pic-emu", "--built-in", "small"],
    "dmrg": ["128K", "dmrg-emu", "--length", "8", "--dims", "16,32,48"],
    "tensor": ["4M", "tensor-emu", "--atoms", "2", "--inputs", "4"],
    "xs": ["256K", "xs-emu", "--nuclides", "12", "--points", "600", "--histories", "3000"],
    "hydro": ["512K", "hydro-emu", "--size", "96", "--steps", "6"],
    "fe": ["512K", "fe-emu", "--size", "12"],
    "bt": ["512K", "bt-emu", "--size", "20", "--steps", "4"],
    "amg": ["512K", "amg-emu", "--size", "14", "--steps", "1"],
    "sweep": ["256K", "sweep-emu", "--size", "8", "--angles", "4", "--groups", "2", "--steps", "1"],
    "mc": ["512K", "mc-emu", "--shells", "3", "--grid", "24", "--walkers", "24", "--warmup", "0", "--steps", "2"],
    "nbody": ["256K", "nbody-emu", "--bodies", "2000", "--steps", "1"],
    "twin_tasks": ["8M", "twin_tasks"],
    "known_patterns": ["1M", "known_patterns"],
    "tasks": ["512K", "shapes", "tasks"],
    "taskloop": ["512K", "shapes", "taskloop"],
    "triad": ["4M", "bench-kernels-emu", "triad", "2"],
    "jacobi": ["4M", "bench-kernels-emu", "jacobi", "1"],
    "mergesort": ["256K", "host-kernels-emu", "mergesort", "--small"],
}
CONFIGURED = ("spgemm", "bfs", "pic", "dmrg", "tensor")
# Programs that nobody changed: their blocks of malloc are objects.
HEAP = ("xs", "hydro", "fe", "bt", "amg", "sweep", "mc", "nbody")
POLICIES = [
    "slow-only",
    "fast-only",
    "first-touch",
    "lbhm",
    "merchandiser",
    "memory-mode",
    "memory-optimizer",
    "tpp",
    "memtis",
    "sicm",
]
# Variants of the above, or for two applications: of the first five programs, which have LB_HM_config.
MORE_POLICIES = [
    "merchandiser-once",
    "scatter",
    "interleave",
    "alto",
    "colloid",
    "hybridtier",
    "pact",
    "soar",
    "sparta",
    "warpx-pm",
    "round-robin",
]
# Those that follow what `lbhm` found out in runs before, of these programs.
PLANNED = ("spgemm", "hydro")
PLANNED_POLICIES = ["h2m-fcfs", "h2m-initial", "h2m-lifetime", "h2m-phases", "lbhm-offline", "sicm-offline", "oracle"]
# Of the small programs, which are about what the core and OpenMP do.
SOME_POLICIES = ["slow-only", "first-touch", "lbhm", "memory-mode"]
MACHINE = {"LBHM_MACHINE": "optane", "LBHM_PACE": "0.001"}  # the pace makes their intervals many
# Other kinds of machine: one whose fast memory has the longer latency, and one of three memories, with their threads.
OTHER_MACHINES = {"xeon-max": "10", "three-tier": "12"}
ELSEWHERE = ("spgemm", "pic", "hydro")
ELSEWHERE_POLICIES = [
    "first-touch",
    "lbhm",
    "merchandiser",
    "memory-mode",
    "memory-optimizer",
    "tpp",
    "memtis",
    "hybridtier",
    "pact",
    "sicm",
]
OFFSETS = re.compile(r"\+0x[0-9a-f]+|\b0x[0-9a-f]{8,}")  # of code in a file; addresses
PARTS = ("plans", "prediction", "regions", "timeline")  # of a report
BY_BUILD = {"decision_ns", "program_file"}
CLOCKS = re.compile(r'"(seconds|fastest)": [0-9.]+')  # of real time: nothing that a program prints of itself


def libraries(folder: Path, program: str) -> str:
    """LD_PRELOAD for a build, or for a folder that has its libraries."""
    names = ("liblbhm.so", "liblbhm-heap.so") if program in HEAP else ("liblbhm.so",)
    return " ".join(str(folder / "lib" / name) for name in names)


def is_built(build: Path, program: str) -> bool:
    """Without flang 19 there is no bt."""
    return program != "bt" or (build / "bin" / PROGRAMS[program][1]).exists()


def binary(build: Path, name: str) -> Path:
    return next(path for path in (build / "tests" / "programs" / name, build / "bin" / name) if path.exists())


def run(
    build: Path, name: str, executable: Path | None = None, **settings: str
) -> tuple[subprocess.CompletedProcess, dict | None]:
    """One run with 12 threads, of the build's program or of another executable; settings are environment variables. The
    report is None where LBHM_REPORT is given, an empty one for none at all."""
    words = PROGRAMS[name]
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("LBHM_", "OMP_", "KMP_"))}
    with tempfile.TemporaryDirectory(prefix="lbhm-times-") as folder:
        report = Path(folder) / "report.json"
        environment = kept | MACHINE | {"LBHM_FAST_CAPACITY": words[0], "OMP_NUM_THREADS": "12"}
        environment["OMP_WAIT_POLICY"] = "passive"  # as lbhm run has it
        environment |= {"LBHM_REPORT": str(report), "LD_PRELOAD": libraries(build, name)} | settings
        environment = {name: value for name, value in environment.items() if (name, value) != ("LBHM_REPORT", "")}
        program = binary(build, words[1])
        done = subprocess.run(
            # The name that it is called by is an argument like others: the same one wherever the build is.
            [str("build/release" / program.relative_to(build)), *words[2:]],
            executable=executable or program,
            env=environment,
            capture_output=True,
            text=True,
            timeout=600,
            check=True,
        )
        return done, json.loads(report.read_text()) if report.exists() else None


def policies_of(program: str) -> list[str]:
    if program in CONFIGURED:
        return POLICIES + MORE_POLICIES
    return POLICIES if program in HEAP else SOME_POLICIES


def without_places(report: dict) -> dict:
    """A report without what another build of the same program changes (where its code lies, what hangs on its build
    id), and without the one remark that is about real time."""
    sites = {}

    def plain(value: object) -> object:
        match value:
            case str():
                return sites.get(value) or OFFSETS.sub("+", value)
            case float():
                return f"{round(value, 9) + 0.0:.6g}"  # sums in another order differ in their last bits
            case list():
                entries = [plain(entry) for entry in value]
                of_sites = any(isinstance(entry, dict) and "site" in entry for entry in value)
                return sorted(entries, key=json.dumps) if of_sites else entries  # they are in the order of their ids
            case dict():
                return {key: plain(entry) for key, entry in value.items() if key not in BY_BUILD}
        return value

    report = report | {"remarks": [remark for remark in report["remarks"] if "accesses were not seen" not in remark]}
    found = {entry["site"]: plain([entry["name"], *entry["calls"]]) for entry in report["sites"]}
    sites.update({site: " ".join(names) for site, names in found.items()})
    return plain(report)


def digest(report: dict) -> str:
    """Four hexadecimal digits for each part, so that a difference tells where it is."""
    rest = without_places(report)
    parts = {part: rest.pop(part, None) for part in PARTS} | {"rest": rest}
    codes = {name: hashlib.sha256(json.dumps(part, sort_keys=True).encode()) for name, part in parts.items()}
    return " ".join(f"{name} {code.hexdigest()[:4]}" for name, code in codes.items())


def measured(report: dict) -> str:
    return f"{report['makespan_ns']!r} ns, moved {report['migrated_bytes']} B"


def outcome(build: Path, name: str, executable: Path | None = None, **settings: str) -> str:
    """Virtual time, bytes moved, and digests of what the program printed and of the report."""
    done, report = run(build, name, executable, **settings)
    printed = hashlib.sha256(CLOCKS.sub("", done.stdout).encode()).hexdigest()[:12]
    return f"{measured(report)}, printed {printed}, report {digest(report)}"


def planned(build: Path, name: str) -> dict[str, str]:
    """Cells of policies that follow a plan: by the command, which makes these from runs of its own."""
    words = PROGRAMS[name]
    with tempfile.TemporaryDirectory(prefix="lbhm-times-") as folder:
        file = Path(folder) / "compared.json"
        command = [build / "bin" / "lbhm", "compare", "--machine", "optane", "--threads", "12", "--fast", words[0]]
        command += ["--oracle", "--policies", ",".join(PLANNED_POLICIES[:-1]), "--json", file, "--", *words[1:]]
        path = {"PATH": f"{build / 'bin'}:{os.environ['PATH']}"}
        subprocess.run(command, env=os.environ | path, capture_output=True, text=True, timeout=600, check=True)
        runs = json.loads(file.read_text())["runs"]
    return {f"{name} {each['policy']}": f"{measured(each)}, report {digest(each)}" for each in runs}


def cells_of(name: str) -> dict[str, dict[str, str]]:
    """Settings by "program policy" or "program policy machine"."""
    cells = {f"{name} {policy}": {"LBHM_POLICY": policy} for policy in policies_of(name)}
    for machine, threads in OTHER_MACHINES.items() if name in ELSEWHERE else ():
        there = {"LBHM_MACHINE": machine, "OMP_NUM_THREADS": threads}
        cells |= {f"{name} {policy} {machine}": {"LBHM_POLICY": policy} | there for policy in ELSEWHERE_POLICIES}
    return cells


def names_of_cells() -> set[str]:
    planned_cells = {f"{name} {policy}" for name in PLANNED for policy in PLANNED_POLICIES}
    return planned_cells.union(*map(cells_of, PROGRAMS))


def table(build: Path, programs: Iterable[str] = PROGRAMS) -> dict[str, str]:
    """Cells by "program policy"."""
    with ThreadPoolExecutor(2) as pool:
        cells = {
            cell: pool.submit(outcome, build, program, **settings)
            for program in programs
            for cell, settings in cells_of(program).items()
        }
        plans = [pool.submit(planned, build, program) for program in programs if program in PLANNED]
        found = {cell: future.result() for cell, future in cells.items()}
        return found | dict(item for plan in plans for item in plan.result().items())


if __name__ == "__main__":
    tree = Path(sys.argv[1])
    for each in sys.argv[2:] or PROGRAMS:
        if not is_built(tree, each):
            sys.exit(f"{each} is not built in {tree}: install flang-19 and configure again, or name the other programs")
    json.dump(table(tree, sys.argv[2:] or PROGRAMS), sys.stdout, indent=1)
    print()
