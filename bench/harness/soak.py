"""Does LB-HM keep size and speed in a run that goes on for long, and do plans and wake-ups cost what changed?"""

import argparse
import tempfile
from pathlib import Path

from harness.build import Build
from harness.process import run_json
from harness.result import Result, Table

TARGETS = ["lbhm", "bench-soak", "bench-plan-size", "bench-wake-up"]
REPETITIONS = 1
THREADS = "2"
GIBIBYTES = ["1", "64"]
TOUCHED_GIBIBYTES = "1"  # of real memory


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--calls", type=int, default=1_000_000, help="of LB_HM_config, on the emulated machine")
    parser.add_argument("--regions", type=int, default=1_000_000, help="between the two measured spans, on the host")


def soak(build: Build, folder: Path, calls: int, regions: int, **settings: str) -> dict:
    return run_json(
        [build.program("bench-soak"), str(calls), str(regions)],
        LD_PRELOAD=str(build.library),
        LBHM_REPORT=str(folder / "report.json"),
        OMP_NUM_THREADS=THREADS,
        **settings,
    )


def measure(build: Build, options: argparse.Namespace) -> Result:
    with tempfile.TemporaryDirectory(prefix="lbhm-bench-") as name:
        folder = Path(name)
        planned = soak(build, folder, options.calls, 1000, LBHM_MACHINE="optane", LBHM_FAST_CAPACITY="16K")
        timed = soak(build, folder, options.regions, 100_000, LBHM_MACHINE="host")
    plans = run_json([build.program("bench-plan-size"), *GIBIBYTES])
    wake_up = run_json([build.program("bench-wake-up"), TOUCHED_GIBIBYTES])[TOUCHED_GIBIBYTES]
    grown = planned["bytes_at_end"] - planned["bytes_settled"]
    small, large = (plans[size] for size in GIBIBYTES)
    fields = {
        "calls": planned["calls"],
        "bytes_grown": grown,
        "bytes_per_call": round(grown / planned["calls"], 3),
        "ns_per_region": {"first": timed["ns_first"], "last": timed["ns_last"]},
        "ns_per_region_ratio": round(timed["ns_last"] / timed["ns_first"], 3),
        "plan_ns": plans,
        "plan_ratio_64_to_1": round(large / small, 3),
        "wake_up_ms": wake_up,
        "wake_up_ratio": round(wake_up["kept"] / wake_up["asked"], 3),
    }
    rows = [
        ["bytes a call of LB_HM_config", f"{fields['bytes_per_call']:.3f}"],
        ["region, last to first", f"{fields['ns_per_region_ratio']:.3f}"],
        ["plan, 64 GiB to 1 GiB", f"{fields['plan_ratio_64_to_1']:.3f}"],
        ["wake-up of a daemon, to one that asks for every page", f"{fields['wake_up_ratio']:.3f}"],
    ]
    return Result(fields, [Table(["what", "measured"], rows)])
