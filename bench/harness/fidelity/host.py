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
EMULATED_CALLS = 2  # after the one that warms up; virtual time has no noise


@dataclass
class Case:
    kernel: str
    threads: int
    native: list[float] = field(default_factory=list)  # seconds a call, the fastest of each repetition
    emulated: float = 0
    footprint: int = 0  # bytes

    @property
    def reference(self) -> float:
        """What the host usually takes. The machine file is made of medians, too, measured between the same runs."""
        return median(self.native)

    @property
    def spread(self) -> float:
        """How far the repetitions lie apart: how far the native times can be trusted."""
        return (max(self.native) - min(self.native)) / self.reference

    @property
    def error(self) -> float:
        return signed_error(self.emulated, self.reference)


def kernels(build: Build) -> list[str]:
    command = [build.program("host-kernels"), "--list"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()


def chosen(names: list[str], only: list[str]) -> list[str]:
    if unknown := [name for name in only if name not in names]:
        raise BenchError(f"--kernels: there is no kernel {unknown[0]}; `host-kernels --list` names them")
    return only or names


class HostMachine:
    """The machine file of this host: a given one, or one that is measured between the native runs, for what neighbours
    leave of a shared cache and of the memory changes from minute to minute."""

    def __init__(self, build: Build, given: Path | None):
        if given is not None and not given.is_file():
            raise BenchError(f"--host: {given} does not exist; `./lbhm machine measure --emulate --output {given}`")
        self.given = given.resolve() if given else None
        self.build = build
        self.figures: list[Path] = []

    def measure(self) -> None:
        if self.given is None:
            figures = self.build.folder / f"host-figures-{len(self.figures)}.json"
            self._command("--output", self.build.folder / "host-once.json", "--json", figures)
            self.figures.append(figures)

    def file(self) -> Path:
        if self.given is not None:
            return self.given
        file = self.build.folder / "host.json"
        self._command("--output", file, *(word for figures in self.figures for word in ("--figures", figures)))
        return file

    def _command(self, *options: str | Path) -> None:
        command = [str(ROOT / "lbhm"), "machine", "measure", "--emulate", *map(str, options)]
        environment = clean_environment(LBHM_BUILD=str(self.build.folder))
        done = subprocess.run(command, env=environment, capture_output=True, text=True)
        if done.returncode != 0:
            raise BenchError(f"the host could not be measured (`{' '.join(command)}`):\n{done.stderr.strip()}")


def run_natively(build: Build, cases: list[Case], repetitions: int, machine: HostMachine) -> None:
    for _ in range(repetitions):  # in turn, so that all meet the same moods of the machine
        machine.measure()
        for case in cases:
            printed = run_json([build.program("host-kernels"), case.kernel], OMP_NUM_THREADS=str(case.threads))
            case.native.append(printed["fastest"])


def run_emulated(build: Build, cases: list[Case], machine: Path) -> None:
    for case in cases:
        arguments = [case.kernel, "--repeat", str(EMULATED_CALLS)]
        native = run_json([build.program("host-kernels"), *arguments], OMP_NUM_THREADS=str(case.threads))
        run = emulate(build, [build.program("host-kernels-emu"), *arguments], str(machine), case.threads)
        case.emulated = virtual_seconds(run) / EMULATED_CALLS
        case.footprint = run.report["footprint_bytes"]
        if run.printed["check"] != native["check"]:
            raise BenchError(
                f"{case.kernel} computes {run.printed['check']} on the emulated machine, natively {native['check']}"
            )


def measure(build: Build, repetitions: int, host: Path | None, only: list[str]) -> tuple[dict, Table]:
    """Fields host_kernels, host_mape, host_spearman and host, and the table, worst first. `only`: of these kernels."""
    machine = HostMachine(build, host)
    names = chosen(kernels(build), only)
    cases = [Case(kernel, threads) for kernel in names for threads in THREADS]
    run_natively(build, cases, repetitions, machine)
    file = machine.file()
    run_emulated(build, cases, file)
    return summary(cases, len(names), file), table(cases)


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
