"""Does a program meet the numbers that stand in the machine file? Latencies and bandwidths of every preset's tiers.

Expected bandwidths of mixed streams follow from those of the file, read R and write W: memory serves 64 bytes in 1/R or
1/W, one after the other, and the probe's stores go past the caches, so that no line is read to be overwritten. In
bytes moved a second, read and written ones:

    copy:  2 / (1/R + 1/W)        triad:  3 / (2/R + 1/W)

Of a tier with curves it is what they say at the stream's share of reads.
"""

import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from harness.build import Build
from harness.fidelity import machine_file
from harness.fidelity.emulation import emulation
from harness.fidelity.machine_file import value
from harness.fidelity.statistics import between, signed_error
from harness.process import run_json
from harness.result import Table

LINE = 64
LATENCIES = ["latency-sequential", "latency-random"]
BANDWIDTHS = ["read", "write", "triad", "copy"]

# Merchandiser, PPoPP 2023, section 2: Optane against DRAM. The larger number over the smaller one.
PAPER_RATIOS = {"latency-sequential": 2.08, "latency-random": 3.77, "read": 3.87, "write": 4.74}


@dataclass
class Check:
    machine: str
    tier: str
    what: str
    measured: float  # ns, or GB/s
    expected: float

    @property
    def error(self) -> float:
        return signed_error(self.measured, self.expected)


def expected(tier: dict, what: str) -> float:
    """What the machine file promises: ns for a latency, GB/s for a stream."""
    if what in LATENCIES:
        return value(tier[what.replace("-", "_") + "_ns"])
    if "curves" in tier:
        return curves_bandwidth(tier["curves"]["rows"], {"read": 100, "write": 0, "copy": 50, "triad": 200 / 3}[what])
    read, write = (value(tier[f"{way}_bandwidth_gb_per_s"]) for way in ("read", "write"))
    return {"read": read, "write": write, "copy": 2 / (1 / read + 1 / write), "triad": 3 / (2 / read + 1 / write)}[what]


def curves_bandwidth(rows: list[dict], read_percent: float) -> float:
    shares = [row["read_percent"] for row in rows]
    return between(shares, [row["bandwidth_gb_per_s"] for row in rows], read_percent)


def measured(printed: dict) -> float:
    """The same from what memory-probe printed."""
    if printed["what"] in LATENCIES:
        return printed["seconds"] / printed["accesses"] * 1e9
    return printed["accesses"] * LINE / printed["seconds"] / 1e9


def placements(name: str, machine: dict, folder: Path) -> Iterator[tuple[dict, str, str]]:
    """Every tier with the machine and the policy that put all memory there."""
    tiers = machine["tiers"]
    for index, tier in enumerate(tiers):
        if index == 0:
            yield tier, name, "fast-only"
        elif index == len(tiers) - 1:
            yield tier, name, "slow-only"
        else:  # no policy fills a tier in the middle
            first = machine_file.with_tier_first(machine, index)
            yield tier, machine_file.write(first, folder, f"{name}-{tier['name']}-first"), "fast-only"


def check_preset(build: Build, name: str, machine: dict) -> list[Check]:
    threads = value(machine["core"]["hardware_threads"])
    size = max(64 << 20, 4 * machine_file.cache_bytes(machine))  # nothing of it is left in a cache after a round
    checks = []
    with tempfile.TemporaryDirectory(prefix="lbhm-bench-") as folder:
        for tier, chosen, policy in placements(name, machine, Path(folder)):
            for what in LATENCIES + BANDWIDTHS:
                command = [build.program("memory-probe-emu"), "--what", what, "--bytes", str(size), "--rounds", "1"]
                printed = run_json(command, **emulation(build, chosen, 1 if what in LATENCIES else threads, policy))
                checks.append(Check(name, tier["name"], what, measured(printed), expected(tier, what)))
    return checks


def paper_checks(checks: list[Check]) -> list[Check]:
    """The paper's ratios between the two tiers of `optane`, from the measured values."""
    found = {(check.tier, check.what): check.measured for check in checks if check.machine == "optane"}
    return [
        Check("optane", "ratio", what, max(pair) / min(pair), ratio)
        for what, ratio in PAPER_RATIOS.items()
        for pair in [(found["dram", what], found["optane", what])]
    ]


def measure(build: Build) -> tuple[dict, Table]:
    """Fields preset_max_ratio_error and presets, and the table of all checks, worst first."""
    checks = []
    for name, machine in machine_file.presets().items():
        checks += check_preset(build, name, machine)
    if any(check.machine == "optane" for check in checks):
        checks += paper_checks(checks)
    checks.sort(key=lambda check: -abs(check.error))
    rows = [
        [f"{c.machine} {c.tier}", c.what, f"{c.measured:.2f}", f"{c.expected:.2f}", f"{c.error:+.2%}"] for c in checks
    ]
    table = Table(
        ["preset and tier", "what", "measured", "machine file", "error"],
        rows,
        "Presets: latencies (ns) by pointer chase, bandwidths (GB/s) by all threads, and the paper's ratios",
    )
    fields = {
        "preset_max_ratio_error": round(max(abs(check.error) for check in checks), 4),
        "presets": [
            {"preset": c.machine, "tier": c.tier, "what": c.what}
            | {"measured": c.measured, "expected": c.expected, "error": c.error}
            for c in checks
        ],
    }
    return fields, table
