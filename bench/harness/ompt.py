"""What LB-HM adds to the fork and join of an empty parallel region."""

import argparse
import tempfile
from pathlib import Path
from statistics import median

from harness.build import Build
from harness.process import run_google
from harness.result import Result, Table

TARGETS = ["lbhm", "bench-fork-join"]
THREADS = [1, 2, 12]
REPETITIONS = 15


def measure(build: Build, options: argparse.Namespace) -> Result:
    without: dict[int, list[float]] = {threads: [] for threads in THREADS}
    with_lbhm: dict[int, list[float]] = {threads: [] for threads in THREADS}
    program = build.program("bench-fork-join")
    with tempfile.TemporaryDirectory(prefix="lbhm-bench-") as folder:
        # A report has been asked for, so the tool and its callbacks are at work.
        settings = {
            "LD_PRELOAD": str(build.library),
            "LBHM_MACHINE": "host",
            "LBHM_REPORT": str(Path(folder) / "r.json"),
        }
        for _ in range(options.repetitions):  # in turn, so that both meet the same moods of the machine
            for threads in THREADS:
                command = [program, f"--benchmark_filter=fork_join/{threads}/"]
                without[threads].append(run_google(command)[threads, 1])
                with_lbhm[threads].append(run_google(command, **settings)[threads, 1])
    fields = {
        "ns_per_region": {
            str(threads): {
                "without": round(median(without[threads]), 1),
                "with": round(median(with_lbhm[threads]), 1),
                # The median of the pairs' ratios: each pair ran one after the other.
                "ratio": round(median(w / n for w, n in zip(with_lbhm[threads], without[threads], strict=True)), 3),
            }
            for threads in THREADS
        },
        "samples_ns": {"without": without, "with": with_lbhm},
    }
    rows = [
        [threads, f"{entry['without']:.0f}", f"{entry['with']:.0f}", f"{entry['ratio']:.2f}"]
        for threads, entry in fields["ns_per_region"].items()
    ]
    return Result(fields, [Table(["threads", "without, ns", "with LB-HM, ns", "ratio"], rows)])
