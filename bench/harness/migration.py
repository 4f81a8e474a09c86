"""What a page costs to move: the runtime's way against move_pages(2) alone, by pages a call."""

import argparse

from harness.build import Build
from harness.errors import BenchError
from harness.guest import run_json_in_guest
from harness.process import run_json
from harness.result import Result, Table

TARGETS = ["bench-migration"]
REPETITIONS = 9
MEBIBYTES = 256
GUEST_MEBIBYTES = 16  # one batch of the runtime: about 50 ms there, so that some of the rounds go undisturbed
GUEST_SECONDS = 400
BATCH = "4096"  # PageMoverOptions::batch_pages
WAYS = {
    "raw_query": "raw, asking only",
    "raw_move": "raw move",
    "engine": "LB-HM",
    "engine_2_threads": "LB-HM, 2 threads",
}


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--mib", type=int, metavar="N", help=f"memory to move ({MEBIBYTES}, {GUEST_MEBIBYTES} in the guest)"
    )
    parser.add_argument(
        "--guest",
        action="store_true",
        help="in the virtual machine of tests/kernel, which has two memory nodes; its times are not real, ratios are",
    )


def best_of_rounds(measured: dict) -> dict[str, dict[str, float]]:
    """Nanoseconds a page by way and pages a call. The shortest of the rounds: what disturbs only adds to it."""
    return {
        way: {batch: round(min(times), 1) for batch, times in sorted(found.items(), key=lambda item: int(item[0]))}
        for way, found in measured["ns_a_page"].items()
    }


def compare(measured: dict) -> dict:
    """The fields of the result. Pages that are in place need a question only: then the raw side is a question, too."""
    ns = best_of_rounds(measured)
    rival = "raw_move" if measured["copies"] else "raw_query"
    # With less memory than a batch the whole is one.
    ours = ns["engine"].get(BATCH) or ns["engine"][max(ns["engine"], key=int)]
    best = min(ns[rival].values())
    over = {batch: round(ns["engine"][batch] / ns[rival][batch], 3) for batch in ns["engine"]}
    return {
        "engine_over_raw": round(ours / best, 3),
        "engine_over_raw_by_batch": over,
        "compared": "copies between two nodes" if measured["copies"] else "pages in place, against the question alone",
        "engine_over_raw_move": round(ours / min(ns["raw_move"].values()), 3),
        "pages_per_s": {way: round(1e9 / min(times.values())) for way, times in ns.items()},
        "ns_a_page": ns,
        "nodes": measured["nodes"],
        "pages": measured["pages"],
        "runs_with_pages_left_behind": measured["lost"],
    }


def measure(build: Build, options: argparse.Namespace) -> Result:
    program = build.program("bench-migration")
    if options.guest:
        words = [str(options.mib or GUEST_MEBIBYTES), str(options.repetitions)]
        measured = run_json_in_guest(program, words, GUEST_SECONDS)
        if not measured["copies"]:
            raise BenchError("--guest: the guest came up with one memory node; see `ctest -L kernel`, two_tiers")
    else:
        measured = run_json([program, options.mib or MEBIBYTES, options.repetitions])
    fields = compare(measured) | {"guest": options.guest}
    batches = list(fields["ns_a_page"]["engine"])
    rows = [[text, *(f"{fields['ns_a_page'][way][b]:,.0f}" for b in batches)] for way, text in WAYS.items()]
    rows.append(["LB-HM / raw", *(f"{fields['engine_over_raw_by_batch'][b]:.2f}" for b in batches)])
    notes = [f"engine_over_raw {fields['engine_over_raw']}: {fields['compared']}"]
    if options.guest:
        notes.append(
            "measured in a virtual machine without hardware support (QEMU TCG): times are not those of any computer; "
            "ratios are of one run, with system calls and copies as slow as all the rest"
        )
    if not measured["copies"]:
        notes.append(
            f"this machine has one memory node ({measured['nodes'][0]}): nothing can be copied. A raw move asks the "
            "kernel to move pages that are there; LB-HM asks where they are first, and leaves them alone"
        )
    return Result(fields, [Table(["ns a page, by pages a call", *batches], rows)], notes)
