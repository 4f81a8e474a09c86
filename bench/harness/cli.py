"""The command line of bench/run."""

import argparse
import json
import sys
from pathlib import Path

from harness import (
    allocator,
    alpha,
    campaign_bench,
    claim,
    compile_time,
    curves_bench,
    decision,
    determinism,
    emulator_fidelity,
    emulator_speed,
    first_minutes,
    h2m,
    harmless,
    heap,
    homogeneous,
    migration,
    model,
    ompt,
    overhead,
    patterns,
    sampling,
    sicm,
    soak,
    unmodified,
)
from harness.build import ROOT, Build
from harness.errors import BenchError
from harness.facts import busy_note, machine_facts
from harness.result import show

# name: module, one sentence
BENCHMARKS = {
    "first-minutes": (first_minutes, "time, packages and files from the source to the first result; commands in docs"),
    "emulator-speed": (emulator_speed, "accesses per second and slowdown of the emulated machine, by kernel"),
    "emulator-fidelity": (emulator_fidelity, "the emulated machine against its numbers, the host and cachegrind"),
    "curves": (curves_bench, "latency of presets under load, met by a program, against measured machines"),
    "determinism": (determinism, "different results of the same program, run again and again"),
    "patterns": (patterns, "what the compiler says of accesses against what their addresses do"),
    "alpha": (alpha, "memory accesses of new inputs by Eq. 1 against counted ones, by access pattern"),
    "homogeneous": (homogeneous, "times of new inputs in one memory: the paper's scaling and ours against runs"),
    "model": (model, "the trained correlation function: the paper's Table 3, Figure 7 and ours, on unseen code"),
    "decision": (decision, "microseconds that a call of LB_HM_config takes to decide, by tasks and objects"),
    "campaign": (campaign_bench, "five applications under all policies, beside the paper's figures and the oracle"),
    "claim": (claim, "policy lbhm over its peers with all programs, by machine and capacity: gains, worst cases"),
    "unmodified": (unmodified, "programs that nobody changed, with objects of malloc, under seven policies"),
    "h2m": (h2m, "H2M's placements over first come: its Figure 3 from our data, with phases and other inputs"),
    "sicm": (sicm, "SICM's guidance of sites, online and offline: the gap that it closes, what profiling costs"),
    "compile-time": (compile_time, "the plugin's part of the time that a compilation takes"),
    "ompt": (ompt, "nanoseconds of an empty parallel region without and with LB-HM"),
    "migration": (migration, "nanoseconds to move a page, for LB-HM and for move_pages alone, by pages a call"),
    "harmless": (
        harmless,
        "programs that are other than without LB-HM: in how they end, what they print, where they hang",
    ),
    "overhead": (overhead, "time and memory that programs on one memory take more under LB-HM"),
    "heap": (heap, "nanoseconds of malloc and free, and time of programs, with LB-HM in front of malloc and without"),
    "soak": (soak, "bytes a call of LB_HM_config and nanoseconds a region in a long run; a plan by what is managed"),
    "sampling": (sampling, "nanoseconds of a sample and slowdown of a memory-bound program, by sampler and period"),
    "allocator": (allocator, "nanoseconds to allocate, touch and free, for LB-HM and other allocators"),
}


def parse(arguments: list[str]) -> argparse.Namespace:
    listing = "\n".join(f"  {name:<18} {sentence}" for name, (_, sentence) in BENCHMARKS.items())
    parser = argparse.ArgumentParser(
        prog="bench/run",
        description="Runs one benchmark.",
        epilog=f"benchmarks:\n{listing}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("name", help="a benchmark, see below")
    parser.add_argument("--json", type=Path, metavar="FILE", help="where the result is written")
    parser.add_argument("--build", type=Path, default=ROOT / "build" / "release", help="build tree (build/release)")
    parser.add_argument("--repetitions", type=int, metavar="N", help="instead of the benchmark's own number")
    for name in BENCHMARKS.keys() & set(arguments):  # a benchmark may have options of its own
        if hasattr(BENCHMARKS[name][0], "add_options"):
            BENCHMARKS[name][0].add_options(parser)
    return parser.parse_args(arguments)


def run(options: argparse.Namespace, command_line: list[str]) -> None:
    if options.name not in BENCHMARKS:
        raise BenchError(f"there is no benchmark '{options.name}'; there are {', '.join(BENCHMARKS)}")
    module, sentence = BENCHMARKS[options.name]
    if options.repetitions is None:
        options.repetitions = module.REPETITIONS
    if options.repetitions < 1:
        raise BenchError(f"--repetitions: {options.repetitions} must be 1 or more")
    if options.json and not options.json.parent.is_dir():
        raise BenchError(f"--json: the folder {options.json.parent} does not exist; make it first")
    build = Build(options.build.resolve())
    build.make(module.TARGETS)
    facts = machine_facts()
    result = module.measure(build, options)
    result.notes += busy_note(facts)
    if options.json:
        head = {
            "schema": f"lbhm.bench.{options.name}/1",
            "machine": facts,
            "command": ["bench/run", *command_line],
            "repetitions": options.repetitions,
        }
        options.json.write_text(json.dumps(head | result.fields | {"notes": result.notes}, indent=2) + "\n")
    show(sentence, result)


def main(arguments: list[str]) -> int:
    try:
        run(parse(arguments), arguments)
    except BenchError as error:
        print(f"bench/run: {error}", file=sys.stderr)
        return 2
    return 0
