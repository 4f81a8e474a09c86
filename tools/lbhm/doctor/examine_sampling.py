"""What lbhm doctor finds of sampling and counting: who may, by what hardware, by which features of the kernel."""

from __future__ import annotations

from errno import EACCES, EPERM, errorcode

from lbhm.doctor.doctor import Finding, State
from lbhm.system.system import System

_DEVICES = "/sys/bus/event_source/devices"
_PARANOID = "/proc/sys/kernel/perf_event_paranoid"


def examine_sampling(system: System) -> list[Finding]:
    found = [perf_permission(system), hardware_counters(system), address_sampling(system)]
    return [*found, pagemap_scan(system), page_idle(system), damon(system)]


def perf_permission(system: System) -> Finding:
    what, level = "perf_event", system.number(_PARANOID)
    if level is None:
        remedy = "run a kernel with CONFIG_PERF_EVENTS; LBHM_SAMPLER=hints does without, and so do emulated machines"
        return Finding(what, State.absent, "this kernel has no perf_event", remedy)
    error = system.call("perf_event_open")
    if error and level > 2:
        remedy = "sysctl kernel.perf_event_paranoid=2, as root, lets programs count their own events"
        return Finding(what, State.absent, f"perf_event_paranoid is {level}", remedy)
    if error:
        name = errorcode.get(error, str(error))
        remedy = "run a kernel that has the call"
        if error in (EACCES, EPERM):
            remedy = "the container refuses it: docker run --cap-add PERFMON, or a seccomp profile that allows it"
        return Finding(what, State.absent, f"perf_event_open fails with {name}", remedy)
    return Finding(what, State.works, f"perf_event_paranoid is {level}")


def hardware_counters(system: System) -> Finding:
    """A core's events appear as the device `cpu` (or `cpu_core`, `armv8_pmuv3_0`) where the kernel can count them."""
    names = [name for name in system.names(_DEVICES) if name.startswith(("cpu", "armv"))]
    if names:
        return Finding("hardware counters", State.works, ", ".join(names))
    remedy = "typical of VMs: give the guest a PMU (QEMU with KVM: -cpu host,pmu=on); the model goes without events"
    return Finding("hardware counters", State.absent, "the processor's events cannot be counted here", remedy)


def address_sampling(system: System) -> Finding:
    """The hardware that samples addresses of accesses, and what it asks of perf_event_paranoid."""
    what, level = "address sampling", system.number(_PARANOID)
    for cpu in ("cpu", "cpu_core"):
        if system.text(f"{_DEVICES}/{cpu}/events/mem-loads") is not None:
            return Finding(what, State.works, f"PEBS, by the events of {_DEVICES}/{cpu}")
    names = system.names(_DEVICES)
    if "ibs_op" in names:
        # IBS itself cannot leave the kernel out: without a filter in software this takes the right to look at it.
        filtered = system.path(f"{_DEVICES}/ibs_op/format/swfilt").exists()
        if level is not None and level > 1 and not filtered:
            remedy = "sysctl kernel.perf_event_paranoid=1, as root; until then LBHM_SAMPLER=hints"
            return Finding(what, State.absent, f"IBS is not permitted: perf_event_paranoid is {level}", remedy)
        return Finding(what, State.works, "IBS")
    if any(name.startswith("arm_spe") for name in names):
        return Finding(what, State.works, "SPE")
    remedy = "typical of VMs; without PEBS, IBS or SPE hint faults sample (LBHM_SAMPLER=hints), at 5 to 13 us a sample"
    return Finding(what, State.absent, "no hardware here samples addresses", remedy)


def pagemap_scan(system: System) -> Finding:
    if system.kernel() >= (6, 7):
        return Finding("PAGEMAP_SCAN", State.works, "Linux {}.{}".format(*system.kernel()))
    remedy = "run Linux 6.7 or newer (Debian 12: linux-image-amd64 of bookworm-backports); page_idle or hint faults do"
    return Finding("PAGEMAP_SCAN", State.absent, "Linux {}.{} has none".format(*system.kernel()), remedy)


def page_idle(system: System) -> Finding:
    bitmap = "/sys/kernel/mm/page_idle/bitmap"
    if not system.path(bitmap).exists():
        remedy = "a kernel with CONFIG_IDLE_PAGE_TRACKING has it; PAGEMAP_SCAN or hint faults do"
        return Finding("page_idle", State.absent, "this kernel has none", remedy)
    try:
        with system.path(bitmap).open("rb"):
            return Finding("page_idle", State.works, bitmap)
    except OSError:
        remedy = "it takes root; PAGEMAP_SCAN or hint faults do without"
        return Finding("page_idle", State.absent, f"{bitmap} is not for this user", remedy)


def damon(system: System) -> Finding:
    folder = "/sys/kernel/mm/damon"
    if system.path(folder).is_dir():
        return Finding("DAMON", State.works, folder)
    return Finding("DAMON", State.absent, "this kernel has none", "nothing needs it: the samplers above do")
