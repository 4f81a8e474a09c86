"""Runs of the pattern kernels (bench/patterns): a base input and others, one parallel region each."""

from harness.build import Build
from harness.errors import BenchError
from harness.fidelity.emulation import Emulated, emulate
from harness.process import run_text

PROGRAM = "pattern-kernels-emu"
LANES = 4  # the same objects for all of them; assumption: enough to see that each has a part of its own
FAST_CAPACITY = "64K"  # so small that next to nothing is moved, and what is counted is what stays where it was


def kernels(build: Build, wanted: list[str]) -> list[str]:
    """All kernels, or the wanted ones. Raises BenchError if one of them does not exist."""
    known = run_text([build.program(PROGRAM), "list"]).split()
    for name in wanted:
        if name not in known:
            raise BenchError(f"--kernels: there is no kernel '{name}'; there are {', '.join(known)}")
    return wanted or known


def run_kernel(build: Build, kernel: str, sizes: list[str], machine: str, policy: str, **settings: str) -> Emulated:
    """One run. Raises BenchError if it was not one region for each size."""
    command = [build.program(PROGRAM), kernel, *sizes]
    run = emulate(build, command, machine, LANES, policy, **settings)
    regions = len(run.report["regions"])
    if regions != len(sizes):
        raise BenchError(f"{kernel}: {regions} parallel regions in the run report for {len(sizes)} sizes, not one each")
    return run


def plans_by_instance(run: Emulated) -> dict[int, dict]:
    """The plans of the run by instance; the base instance, 0, has none."""
    return {plan["instance"]: plan for plan in run.report["plans"]}
