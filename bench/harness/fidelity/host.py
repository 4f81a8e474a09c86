"""Does a program take the time on the emulated host that it takes on the host? Kernels that calibrate nothing."""

import subprocess
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

from harness.build import ROOT, Build
from harness.errors import BenchError
from harness.fidelity.emulation import emulate, virtual_seconds
from harness.fidelity.statistics import mean_absolute_error, signed_error, spearman
from harness.process import clean_environment, run_json
from harness.result import Table

THREADS = [1, 2]


@dataclass
class Case:
    kernel: str
    threads: int
    native: list[float] = field(default_factory=list)  # seconds, by repetition
    emulated: float = 0
    footprint: int = 0  # bytes

    @property
    def reference(self) -> float:
        return median(self.native)

    @property
    def spread(self) -> float:
        """(Largest - smallest) / median of the native times: how far they can be trusted."""
        return (max(self.native) - min(self.native)) / self.reference

    @property
    def error(self) -> float:
        return signed_error(self.emulated, self.reference)


def kernels(build: Build) -> list[str]:
    command = [build.program("host-kernels"), "--list"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()


def machine_of_host(build: Build, given: Path | None) -> Path:
    """The machine file of this host: the given one, or the one in the build tree, which is measured first if absent."""
    if given is not None:
        if not given.is_file():
            raise BenchError(f"--host: {given} does not exist; `./lbhm machine measure --emulate --output {given}`")
        return given.resolve()
    file = build.folder / "host.json"
    if not file.is_file():
        command = [str(ROOT / "lbhm"), "machine", "measure", "--emulate", "--output", str(file)]
        environment = clean_environment(LBHM_BUILD=str(build.folder))
        done = subprocess.run(command, env=environment, capture_output=True, text=True)
        if done.returncode != 0:
            raise BenchError(f"the host could not be measured (`{' '.join(command)}`):\n{done.stderr.strip()}")
    return file


def run_natively(build: Build, cases: list[Case], checks: dict, repetitions: int) -> None:
    for _ in range(repetitions):  # in turn, so that all meet the same moods of the machine
        for case in cases:
            printed = run_json([build.program("host-kernels"), case.kernel], OMP_NUM_THREADS=str(case.threads))
            case.native.append(printed["seconds"])
            checks[case.kernel, case.threads] = printed["check"]


def run_emulated(build: Build, cases: list[Case], checks: dict, machine: Path) -> None:
    for case in cases:
        run = emulate(build, [build.program("host-kernels-emu"), case.kernel], str(machine), case.threads)
        case.emulated = virtual_seconds(run)
        case.footprint = run.report["footprint_bytes"]
        if run.printed["check"] != checks[case.kernel, case.threads]:
            raise BenchError(f"{case.kernel} computes {run.printed['check']} on the emulated machine, not as natively")


def measure(build: Build, repetitions: int, host: Path | None) -> tuple[dict, Table]:
    """Fields host_kernels, host_mape, host_spearman and host, and the table, worst first."""
    machine = machine_of_host(build, host)
    names = kernels(build)
    cases = [Case(kernel, threads) for kernel in names for threads in THREADS]
    checks: dict[tuple[str, int], float] = {}
    run_natively(build, cases, checks, repetitions)
    run_emulated(build, cases, checks, machine)
    return summary(cases, len(names), machine), table(cases)


def summary(cases: list[Case], kernel_count: int, machine: Path) -> dict:
    emulated, native = [case.emulated for case in cases], [case.reference for case in cases]
    entries = [
        {"kernel": case.kernel, "threads": case.threads, "footprint_bytes": case.footprint}
        | {"native_s": case.native, "emulated_s": case.emulated, "error": case.error}
        for case in cases
    ]
    return {
        "host_machine": str(machine),
        "host_kernels": kernel_count,
        "host_mape": round(mean_absolute_error(emulated, native), 4),
        "host_spearman": round(spearman(emulated, native), 4),
        "host": entries,
    }


def table(cases: list[Case]) -> Table:
    rows = []
    for case in sorted(cases, key=lambda case: -abs(case.error)):
        times = [
            f"{case.reference * 1e3:.1f}",
            f"{case.spread:.0%}",
            f"{case.emulated * 1e3:.1f}",
            f"{case.error:+.0%}",
        ]
        rows.append([case.kernel, str(case.threads), f"{case.footprint / 2**20:.1f}", *times])
    columns = ["kernel", "threads", "MiB", "native, ms", "spread", "emulated, ms", "error"]
    return Table(columns, rows, "Host check: time on the host and on its emulation, worst first")
