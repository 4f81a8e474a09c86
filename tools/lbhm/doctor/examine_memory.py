"""What lbhm doctor finds of the memory: tiers, who else moves pages, huge pages, and what limits a process."""

from __future__ import annotations

from errno import EPERM, errorcode

from lbhm.base.units import format_bytes
from lbhm.doctor.doctor import Finding, State
from lbhm.files.json_reader import read_json
from lbhm.machine import host_figures
from lbhm.system.memory_nodes import allowed_nodes, memory_bytes, memory_nodes
from lbhm.system.system import System

_BALANCING = "/proc/sys/kernel/numa_balancing"
_DEMOTION = "/sys/kernel/mm/numa/demotion_enabled"
_HUGE = "/sys/kernel/mm/transparent_hugepage/enabled"


def examine_memory(system: System) -> list[Finding]:
    found = [tiers(system), *measured(system), *dax_devices(system), allowed(system), group_limit(system)]
    found += [memory_calls(system), balancing(system), demotion(system), weighted_interleave(system)]
    return [*found, huge_pages(system)]


def tiers(system: System) -> Finding:
    nodes = memory_nodes(system)
    found = "; ".join(map(str, nodes))
    if len(nodes) < 2:
        found = f"one kind of memory ({found or 'no NUMA information'})"
        remedy = "real placement needs two; use an emulated machine: --machine"
        return Finding("memory tiers", State.absent, found, remedy)
    told = all(node.latency_ns or node.gb_per_s or node.tier is not None for node in nodes)
    remedy = "" if told else "the firmware does not tell their speeds: lbhm machine measure"
    return Finding("memory tiers", State.works, found, remedy)


def measured(system: System) -> list[Finding]:
    """Whether the memory of this machine was measured; no finding where there is one kind only."""
    file, remedy = host_figures(), "lbhm machine measure"
    if len(memory_nodes(system)) < 2:
        return []
    try:
        content = read_json(file)
        about = f"{len(content['tiers'])} speed classes, on {content['date']}, Linux {content['kernel']}"
        if content["kernel"] == system.text("/proc/sys/kernel/osrelease"):
            return [Finding("measured tiers", State.works, about)]
        found = f"{about}: this is another kernel"
    except OSError:
        found = f"{file} is not there"
    except (ValueError, KeyError, TypeError):
        found = f"{file} holds no measurement"
    return [Finding("measured tiers", State.absent, found, remedy)]


def dax_devices(system: System) -> list[Finding]:
    """A finding if there is CXL, HBM or NVM that is no memory node yet."""
    folder = "/sys/bus/dax/devices"
    drivers = {name: system.path(f"{folder}/{name}/driver") for name in system.names(folder, "dax[0-9]*")}
    unused = [name for name, driver in drivers.items() if not driver.exists() or driver.resolve().name != "kmem"]
    if not unused:
        return []
    remedy = f"as root: daxctl reconfigure-device --mode=system-ram {' '.join(unused)}"
    return [Finding("DAX memory", State.absent, f"{', '.join(unused)} cannot be used as memory yet", remedy)]


def allowed(system: System) -> Finding:
    what, may = "allowed nodes", allowed_nodes(system)
    if may is None:
        return Finding(what, State.works, "this kernel has no cpusets: all")
    refused = [f"node{node.number}" for node in memory_nodes(system) if node.number not in may]
    if refused:
        remedy = "add them to cpuset.mems of its control group (docker run --cpuset-mems, srun --mem-bind=none)"
        return Finding(what, State.absent, f"this process may not use {', '.join(refused)}", remedy)
    return Finding(what, State.works, "all")


def group_limit(system: System) -> Finding:
    """The least limit of this process's control group and those above it."""
    what, limits = "memory limit", {name: system.number(name) for name in _limit_files(system)}
    known = [(limit, name) for name, limit in limits.items() if limit is not None]
    least, where = min(known, key=lambda row: row[0], default=(None, ""))
    if least is None or 0 < memory_bytes(system) <= least:
        return Finding(what, State.works, "the control group sets none")
    remedy = f"LB-HM plans with it; to raise it write to {where} (docker run --memory, srun --mem)"
    return Finding(what, State.absent, f"the control group has {format_bytes(least)}", remedy)


def _limit_files(system: System) -> list[str]:
    files = []
    for line in (system.text("/proc/self/cgroup") or "").splitlines():
        _, controllers, path = (*line.split(":", 2), "", "")[:3]
        if controllers == "":
            top, name = "/sys/fs/cgroup", "memory.max"
        elif "memory" in controllers.split(","):
            top, name = "/sys/fs/cgroup/memory", "memory.limit_in_bytes"
        else:
            continue
        parts = [part for part in path.split("/") if part]
        files += ["/".join([top, *parts[:count], name]) for count in range(len(parts) + 1)]
    return files


def memory_calls(system: System) -> Finding:
    """A call that is refused although it changes nothing is refused by a filter, or not in the kernel."""
    names = ("mbind", "set_mempolicy", "move_pages")
    refused = {name: error for name in names if (error := system.call(name))}
    if not refused:
        return Finding("memory calls", State.works, f"{', '.join(names)} are carried out")
    found = ", ".join(f"{name} fails with {errorcode.get(error, error)}" for name, error in refused.items())
    remedy = "run a kernel with CONFIG_NUMA and CONFIG_MIGRATION"
    if EPERM in refused.values():
        remedy = "the container refuses it: docker run --cap-add SYS_NICE, or a seccomp profile that allows it"
    return Finding("memory calls", State.absent, found, remedy)


def balancing(system: System) -> Finding:
    mode = system.number(_BALANCING)
    if not mode:
        return Finding("numa_balancing", State.works, "off: the kernel moves no pages by itself")
    if len(memory_nodes(system)) < 2:
        return Finding("numa_balancing", State.works, f"{mode}, which moves nothing with one node")
    how = "promotes hot pages by itself" if mode & 2 else "moves pages to the processors that touch them"
    remedy = "it works against LB-HM: sysctl kernel.numa_balancing=0, as root"
    return Finding("numa_balancing", State.absent, f"{mode}: the kernel {how}", remedy)


def demotion(system: System) -> Finding:
    text = system.text(_DEMOTION)
    if text not in ("1", "true"):
        return Finding("demotion", State.works, "off: reclaim moves no pages to slower memory")
    remedy = f"it works against LB-HM when fast memory is full: echo false > {_DEMOTION}, as root"
    return Finding("demotion", State.absent, "on: reclaim moves pages to slower memory", remedy)


def weighted_interleave(system: System) -> Finding:
    folder = "/sys/kernel/mm/mempolicy/weighted_interleave"
    if system.path(folder).is_dir():
        return Finding("weighted interleave", State.works, f"weights in {folder}")
    remedy = "run Linux 6.9 or newer; until then pages are interleaved evenly"
    return Finding("weighted interleave", State.absent, "this kernel has none", remedy)


def huge_pages(system: System) -> Finding:
    text = system.text(_HUGE)
    if text is None:
        remedy = "run a kernel with CONFIG_TRANSPARENT_HUGEPAGE; small pages work, and move more slowly"
        return Finding("huge pages", State.absent, "this kernel has no transparent huge pages", remedy)
    if "[never]" in text:
        return Finding("huge pages", State.absent, "switched off", f"echo madvise > {_HUGE}, as root")
    return Finding("huge pages", State.works, "always" if "[always]" in text else "for memory that asks for them")
