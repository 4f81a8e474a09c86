"""How far the emulated machine can be believed: against its own numbers, the host, and cachegrind."""

import argparse
from pathlib import Path

from harness.build import Build
from harness.fidelity import cachegrind, host, presets
from harness.result import Result

TARGETS = ["lbhm", "memory-probe-emu", "host-kernels", "host-kernels-emu", "lbhm-measure", "access-counter"]
PARTS = ["presets", "host", "cachegrind"]
REPETITIONS = 5  # of the native runs of the host check; everything else repeats to the bit


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--only", choices=PARTS, help="this part alone")
    parser.add_argument("--host", type=Path, metavar="FILE", help="the host's machine file; measured if not given")
    parser.add_argument("--kernels", nargs="+", default=[], metavar="NAME", help="of the host check: these alone")


def measure(build: Build, options: argparse.Namespace) -> Result:
    parts = {
        "presets": lambda: presets.measure(build),
        "host": lambda: host.measure(build, options.repetitions, options.host, options.kernels),
        "cachegrind": lambda: cachegrind.measure(build),
    }
    result = Result({}, [])
    for part in [options.only] if options.only else PARTS:
        fields, table = parts[part]()
        result.fields |= fields
        result.tables.append(table)
    return result
