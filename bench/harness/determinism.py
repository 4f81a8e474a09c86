"""Does the same program give the same run report every time, to the bit, with address randomisation on?"""

import argparse
import hashlib
import json
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import product
from pathlib import Path

from harness.build import Build
from harness.errors import BenchError
from harness.process import run_text
from harness.result import Result, Table

TARGETS = ["lbhm", "shapes"]
PROGRAMS = ["static", "dynamic", "guided", "tasks", "critical", "nested"]  # shapes of tests/system/programs/shapes.cpp
THREADS = [2, 12, 48]
REPETITIONS = 20
AT_ONCE = 2  # runs side by side disturb each other's threads, which must not matter

RANDOMISATION = Path("/proc/sys/kernel/randomize_va_space")


def without_real_clocks(report: dict) -> str:
    """The report as text, without what real clocks say: decision_ns, of the run and of each plan, and the remark about
    processor time in code that was not built with the plugin."""
    kept = {key: value for key, value in report.items() if key != "decision_ns"}
    kept["remarks"] = [remark for remark in report["remarks"] if "accesses were not seen" not in remark]
    kept["plans"] = [{k: v for k, v in plan.items() if k != "decision_ns"} for plan in report["plans"]]
    return json.dumps(kept, sort_keys=True)


def outcome(build: Build, shape: str, threads: int) -> str:
    """One run: a digest of what it printed and reported."""
    with tempfile.TemporaryDirectory(prefix="lbhm-bench-") as folder:
        report = Path(folder) / "report.json"
        printed = run_text(
            [build.folder / "tests" / "programs" / "shapes", shape],
            LD_PRELOAD=str(build.library),
            LBHM_MACHINE="optane",
            LBHM_POLICY="first-touch",
            LBHM_FAST_CAPACITY="3M",
            LBHM_REPORT=str(report),
            OMP_NUM_THREADS=str(threads),
            OMP_WAIT_POLICY="passive",
        )
        if not report.is_file():
            raise BenchError(f"LB-HM wrote no report for shapes {shape}: it was not active; see `./lbhm doctor`")
        text = without_real_clocks(json.loads(report.read_text()))
    return hashlib.sha256((printed + text).encode()).hexdigest()


def results(build: Build, repetitions: int) -> Iterator[tuple[str, int, list[str]]]:
    """Program, threads, and the digests of all its runs."""
    with ThreadPoolExecutor(AT_ONCE) as pool:
        for shape, threads in product(PROGRAMS, THREADS):
            runs = [pool.submit(outcome, build, shape, threads) for _ in range(repetitions)]
            yield shape, threads, [run.result() for run in runs]


def measure(build: Build, options: argparse.Namespace) -> Result:
    if RANDOMISATION.read_text().strip() != "2":
        raise BenchError(f"address randomisation is off; `sysctl kernel.randomize_va_space=2` ({RANDOMISATION})")
    distinct = {name: {} for name in PROGRAMS}
    for shape, threads, digests in results(build, options.repetitions):
        distinct[shape][str(threads)] = len(set(digests))
    fields = {
        "programs": PROGRAMS,
        "runs": options.repetitions,
        "threads": THREADS,
        "distinct_results": distinct,
        "distinct_results_max": max(max(by_threads.values()) for by_threads in distinct.values()),
    }
    columns = [f"distinct results of {options.repetitions} runs", *(f"{threads} threads" for threads in THREADS)]
    rows = [[shape, *map(str, by_threads.values())] for shape, by_threads in distinct.items()]
    return Result(fields, [Table(columns, rows)])
